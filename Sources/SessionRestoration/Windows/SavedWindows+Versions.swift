public import BrowserModel
public import BrowserSessions

extension SavedWindows {
    /// Returns a window as it was when the store was opened earlier; `nil` if the store keeps no
    /// earlier versions or has none of this window. Nothing changes.
    ///
    /// - Throws: ``SessionRestorationError/notRegular(_:)`` for a window that is not regular;
    ///   ``SessionRestorationError/storage(_:)`` if the store fails;
    ///   ``SessionRestorationError/closed``. It does not require that windows were restored.
    public func previousVersion(
        of window: some WindowReference
    ) async throws(SessionRestorationError) -> RestoredSession? {
        guard context.phase != .closed else { throw .closed }
        try Self.checkIsRegular(window)
        let window = window.windowID
        do throws(StorageError) {
            return try await context.saves.store.restore(SessionID(window: window), .previous)
        } catch {
            guard error.code == .unsupported else { throw SessionRestorationError(error) }
            return nil
        }
    }

    /// Adds the tabs of a window's earlier version that the window lacks, after its present tabs
    /// and unrealized, and saves them. The window is opened if it is not open.
    ///
    /// A tab that is now in another window, or among the closed tabs or those set aside, stays
    /// there. Groups and openers of the earlier version do not come back.
    ///
    /// - Returns: the tabs that were added; `[]` if there is no earlier version or nothing to add,
    ///   or if browsing data was cleared in the meantime.
    /// - Throws: ``SessionRestorationError/notRegular(_:)`` for a window that is not regular;
    ///   ``SessionRestorationError/storage(_:)`` if the store fails;
    ///   ``SessionRestorationError/window(_:)`` if the window cannot be opened;
    ///   ``SessionRestorationError/tabList(_:)`` if a tab list refuses the change;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    @discardableResult
    public func restorePreviousVersion(
        of window: some WindowReference
    ) async throws(SessionRestorationError) -> [Tab] {
        try context.checkIsRunning()
        try Self.checkIsRegular(window)
        let window = window.windowID
        let clearings = context.clearings
        guard let earlier = try await previousVersion(of: window) else { return [] }
        let target = try await open(window)
        do {
            try await context.saves.store.saveBeforeReading()
            let taken = try await storedTabs()
            // Data that is being cleared does not come back.
            guard clearings.underWay == 0, clearings == context.clearings else { return [] }
            let added = try add(earlier.tabs.filter { !taken.contains($0.id) }, to: target)
            if !added.isEmpty { try await context.save() }
            return added
        } catch {
            throw SessionRestorationError(error)
        }
    }

    private static func checkIsRegular(
        _ window: some WindowReference
    ) throws(SessionRestorationError) {
        guard let window = window as? Window, window.kind != .regular else { return }
        throw .notRegular(window.sessionID)
    }

    /// Returns the regular tabs that the store has in any session.
    private func storedTabs() async throws(StorageError) -> Set<TabID> {
        var tabs: Set<TabID> = []
        for id in try await context.saves.store.sessions() where id.partition == .regular {
            do throws(StorageError) {
                let session = try await context.saves.store.restore(id)
                tabs.formUnion(session?.tabs.map(\.id) ?? [])
            } catch {
                guard error.code == .corrupted else { throw error }
            }
        }
        return tabs
    }

    /// Adds the tabs. Their states are still in the store, with the earlier version.
    private func add(_ tabs: [TabMetadata], to window: Window) throws -> [Tab] {
        let free = tabs.filter { !context.windows.registry.contains($0.id, offTheRecord: false) }
        return try window.tabs.performBatch { list in
            try free.map { metadata in
                let tab = context.tab(metadata, of: .regular)
                try list.insert(
                    tab, as: TabInsertion(at: list.count, isPinned: metadata.isPinned))
                return tab
            }
        }
    }
}
