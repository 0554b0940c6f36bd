public import BrowserModel
public import BrowserSessions

extension SavedWindows {
    /// A window as it was at an earlier opening of the store; `nil` if the store keeps no earlier
    /// versions or has none of this window. Nothing is changed by asking.
    ///
    /// Throws ``SessionRestorationError/notRegular(_:)`` for a window that is, say, off the record.
    public func previousVersion(
        of window: some WindowReference
    ) async throws(SessionRestorationError) -> RestoredSession? {
        guard context.phase != .closed else { throw .closed }
        try Self.checkIsRegular(window)
        let window = window.windowID
        do throws(StorageError) {
            return try await context.ledger.restore(SessionID(window: window), .previous)
        } catch {
            guard error.code == .unsupported else { throw SessionRestorationError(error) }
            return nil
        }
    }

    /// Adds the tabs of a window's earlier version that it lacks, behind those that it has and
    /// unrealized, and saves them. The window is opened if it is not open.
    ///
    /// A tab that is anywhere else by now, in another window or among what was closed or set aside,
    /// is left there. Groups and openers of the earlier version do not come back.
    ///
    /// - Returns: the tabs that were added; `[]` if there is no earlier version, or nothing to add, or
    ///   browsing data was cleared meanwhile.
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
            try await context.ledger.saveBeforeReading()
            let taken = try await storedTabs()
            // What goes does not come back.
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

    /// Which regular tabs the store has, in whatever session.
    private func storedTabs() async throws(StorageError) -> Set<TabID> {
        var tabs: Set<TabID> = []
        for id in try await context.ledger.sessions() where id.side == .regular {
            do throws(StorageError) {
                let session = try await context.ledger.restore(id)
                tabs.formUnion(session?.tabs.map(\.id) ?? [])
            } catch {
                guard error.code == .corrupted else { throw error }
            }
        }
        return tabs
    }

    /// The state of such a tab is still in the store, with the earlier version.
    private func add(_ tabs: [TabMetadata], to window: Window) throws -> [Tab] {
        let free = tabs.filter { !context.windows.registry.contains($0.id, offTheRecord: false) }
        return try window.tabs.performBatch { list in
            try free.map { metadata in
                let tab = context.tab(metadata, of: .regular)
                try list.insert(
                    tab, TabInsertion(at: list.count, isPinned: metadata.isPinned))
                return tab
            }
        }
    }
}
