public import BrowserModel
public import BrowserSessions

extension SavedWindows {
    /// Returns a window as it was at the newest restore point at which it had tabs, or else at the
    /// newest that has it; `nil` if none has. Nothing changes.
    ///
    /// - Throws: ``SessionRestorationError/notRegular(_:)`` for a window that is not regular;
    ///   ``SessionRestorationError/storage(_:)`` if the store fails;
    ///   ``SessionRestorationError/closed``. It does not require that windows were restored.
    public func previousVersion(
        of window: some WindowReference
    ) async throws(SessionRestorationError) -> RestoredSession? {
        guard context.phase != .closed else { throw .closed }
        try Self.checkIsRegular(window)
        do throws(StorageError) {
            return try await earlierVersion(of: SessionID(window: window.windowID))?.session
        } catch {
            throw SessionRestorationError(error)
        }
    }

    private func earlierVersion(of id: SessionID) async throws(StorageError)
        -> (session: RestoredSession, point: RestorePointID)?
    {
        let store = context.saves.store
        var found: (session: RestoredSession, point: RestorePointID)?
        for point in try await store.restorePoints().map(\.id) {
            do throws(StorageError) {
                guard let session = try await store.restore(id, at: .point(point)) else {
                    continue
                }
                if !session.tabs.isEmpty { return (session, point) }
                found = found ?? (session, point)
            } catch {
                // It went in the meantime, as when data is cleared.
                guard error.code == .notFound else { throw error }
            }
        }
        return found
    }

    /// Brings back the tabs that a window had at the newest restore point at which it had any, if they are gone
    /// or closed: unrealized, where they were, with their groups. The window is opened if it is not open.
    ///
    /// A tab that is open elsewhere stays there. It is a ``plan(at:mode:)`` of that point for the window alone.
    ///
    /// - Returns: the tabs that came back; `[]` if there is no earlier version or nothing to bring back,
    ///   or if browsing data was cleared in the meantime.
    /// - Throws: ``SessionRestorationError/notRegular(_:)`` for a window that is not regular, and the errors of
    ///   ``plan(at:mode:)``, ``apply(_:statesFrom:)`` and ``open(_:kind:)``.
    @discardableResult
    public func restorePreviousVersion(
        of window: some WindowReference
    ) async throws(SessionRestorationError) -> [Tab] {
        try context.checkIsRunning()
        try Self.checkIsRegular(window)
        let id = SessionID(window: window.windowID)
        let earlier: (session: RestoredSession, point: RestorePointID)?
        do throws(StorageError) { earlier = try await earlierVersion(of: id) } catch {
            throw SessionRestorationError(error)
        }
        guard let earlier else { return [] }
        let plan: RestorePlan
        do throws(SessionRestorationError) { plan = try await self.plan(at: earlier.point) } catch {
            if case .storage(let error) = error, error.code == .notFound { return [] }
            throw error
        }
        let before = Set(context.windows.window(id)?.tabs.map(\.id) ?? [])
        try await apply(plan.limited(to: [id]))
        let target = try await open(id.window)
        return target.tabs.filter { tab in
            !before.contains(tab.id) && earlier.session.tabs.contains { $0.id == tab.id }
        }
    }

    private static func checkIsRegular(
        _ window: some WindowReference
    ) throws(SessionRestorationError) {
        guard let window = window as? Window, window.kind != .regular else { return }
        throw .notRegular(window.sessionID)
    }
}
