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
        -> (session: RestoredSession, point: SessionVersion)?
    {
        let store = context.saves.store
        var found: (session: RestoredSession, point: SessionVersion)?
        for point in try await store.restorePoints().map({ SessionVersion.point($0.id) }) {
            let session = try await readAtPoint { () async throws(StorageError) in
                try await store.restore(id, at: point)
            }
            guard let session else { continue }
            if !session.tabs.isEmpty { return (session, point) }
            found = found ?? (session, point)
        }
        return found
    }

    /// Reads at a restore point; returns `nil` if it went in the meantime, as when data is cleared.
    private func readAtPoint<Success>(
        _ read: () async throws(StorageError) -> Success?
    ) async throws(StorageError) -> Success? {
        do throws(StorageError) {
            return try await read()
        } catch {
            guard error.code == .notFound else { throw error }
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
        let (window, clearings) = (window.windowID, context.clearings)
        guard try await previousVersion(of: window) != nil else { return [] }
        let target = try await open(window)
        do {
            try await context.saves.store.saveBeforeReading()
            let taken = try await storedTabs()
            guard let (earlier, point) = try await earlierVersion(of: target.sessionID) else {
                return []
            }
            let tabs = earlier.tabs.filter { !taken.contains($0.id) }
            let states = try await states(of: tabs, in: earlier.id, at: point)
            // Data that is being cleared does not come back.
            guard clearings.underWay == 0, clearings == context.clearings else { return [] }
            let added = try add(tabs, states, to: target)
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

    /// Returns the states of tabs at a restore point. One that cannot be read is left out: the tab
    /// opens with its address.
    private func states(
        of tabs: [TabMetadata], in session: SessionID, at point: SessionVersion
    ) async throws(StorageError) -> [TabID: [StateName: [UInt8]]] {
        let wanted = Set(tabs.map(\.id))
        let store = context.saves.store
        let keys = try await readAtPoint { () async throws(StorageError) in
            try await store.stateKeys(in: session, at: point)
        }
        var states: [TabID: [StateName: [UInt8]]] = [:]
        for key in keys ?? [] where wanted.contains(key.tab) {
            do throws(StorageError) {
                let found = try await readAtPoint { () async throws(StorageError) in
                    try await store.states(of: [key], at: point)
                }
                states[key.tab, default: [:]][key.name] = found?[key]
            } catch {
                guard error.code == .corrupted else { throw error }
            }
        }
        return states
    }

    private func add(
        _ tabs: [TabMetadata], _ states: [TabID: [StateName: [UInt8]]], to window: Window
    ) throws -> [Tab] {
        let free = tabs.filter { !context.windows.registry.contains($0.id, offTheRecord: false) }
        let added = try window.tabs.performBatch { list in
            try free.map { metadata in
                let tab = context.tab(metadata, of: .regular)
                try list.insert(
                    tab, as: TabInsertion(at: list.count, isPinned: metadata.isPinned))
                return tab
            }
        }
        for tab in added {
            guard let states = states[tab.id] else { continue }
            context.saves.regular.put(earlier: states, of: tab.id, in: window.sessionID)
        }
        return added
    }
}
