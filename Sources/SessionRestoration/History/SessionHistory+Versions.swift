public import BrowserModel
public import BrowserSessions
import RestorePlans

extension SessionHistory {
    /// Returns a window as it was at the newest restore point at which it had tabs that are open nowhere now,
    /// apart from blank pages, or else at the newest that has it; `nil` if none has. Nothing changes.
    ///
    /// - Throws: ``SessionRestorationError/notRegular(_:)`` for a window that is not regular;
    ///   ``SessionRestorationError/storage(_:)`` if the store fails;
    ///   ``SessionRestorationError/closed``. It does not require that windows were restored.
    public func previousVersion(
        of window: some WindowReference
    ) async throws(SessionRestorationError) -> RestoredSession? {
        guard context.phase != .closed else { throw .closed }
        try Self.checkIsRegular(window)
        return try await SessionRestorationError.converting {
            try await context.earlierVersion(of: SessionID(window: window.windowID))?.session
        }
    }

    /// Brings back the tabs of ``previousVersion(of:)`` that are gone or closed: unrealized, where they were, with
    /// their groups. The window is opened if it is not open.
    ///
    /// A tab that is open elsewhere stays there. It is a ``plan(at:mode:)`` of that point for the window alone.
    ///
    /// - Returns: the tabs that came back; `[]` if there is no earlier version or nothing to bring back,
    ///   or if browsing data was cleared in the meantime.
    /// - Throws: ``SessionRestorationError/notRegular(_:)`` for a window that is not regular, and the errors of
    ///   ``plan(at:mode:)``, ``apply(_:statesFrom:)`` and ``SavedWindows/open(_:kind:)``.
    @discardableResult
    public func restorePreviousVersion(
        of window: some WindowReference
    ) async throws(SessionRestorationError) -> [Tab] {
        try context.checkIsRunning()
        try Self.checkIsRegular(window)
        let id = SessionID(window: window.windowID)
        let (earlier, plan): (RestoredSession, RestorePlan)
        do {
            guard let found = try await context.earlierVersion(of: id) else { return [] }
            (earlier, plan) = (found.session, try await self.plan(at: found.point))
        } catch {
            let error = SessionRestorationError(error)
            if case .storage(let error) = error, error.code == .notFound { return [] }
            throw error
        }
        let before = Set(context.windows.window(id)?.tabs.map(\.id) ?? [])
        try await apply(plan.limited(to: [id]))
        let target = try await SavedWindows(components: components).open(id.window)
        return target.tabs.filter { tab in
            !before.contains(tab.id) && earlier.tabs.contains { $0.id == tab.id }
        }
    }

    private static func checkIsRegular(
        _ window: some WindowReference
    ) throws(SessionRestorationError) {
        guard let window = window as? Window, window.kind != .regular else { return }
        throw .notRegular(window.sessionID)
    }
}

extension RestorerContext {
    /// Returns a window as it was at the newest restore point at which it had what is open nowhere, apart from
    /// blank pages, or else was there; `nil` if it was at none.
    func earlierVersion(of id: SessionID) async throws(StorageError)
        -> (session: RestoredSession, point: RestorePointID)?
    {
        let store = saves.store
        let open = Set(regularWindows.flatMap { $0.tabs.map(\.id) })
        var found: (session: RestoredSession, point: RestorePointID)?
        for point in try await store.call({ try await $0.restorePoints() }).map(\.id) {
            do throws(StorageError) {
                guard let session = try await store.restore(id, at: .point(point)) else { continue }
                if session.tabs.contains(where: { !open.contains($0.id) && !policy.isBlank($0) }) {
                    return (session, point)
                }
                found = found ?? (session, point)
            } catch {
                // It went in the meantime, as when data is cleared.
                guard error.code == .notFound else { throw error }
            }
        }
        return found
    }
}
