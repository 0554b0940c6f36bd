import BrowserModel
public import BrowserSessions

extension SessionHistory {
    /// Removes the given kinds of data from the model and the store, including data that could not be read.
    ///
    /// When it returns, the removal is durable, and no file of the store contains a byte of the removed data:
    /// neither live files and logs nor restore points and the quarantine, if the store supports this
    /// (``ClearedData/isErased``). This takes the time to write everything that remains.
    ///
    /// A store with losses is repaired if everything is cleared. Otherwise, the method throws `corrupted`
    /// after the removal was saved, because the lost data may be data that was not meant to be cleared. Call
    /// `repair()` of the storage, which gives up the lost data, and clear again.
    ///
    /// - Throws: ``SessionRestorationError/storage(_:)`` if the store fails;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running. The model may then be
    ///   cleared in part, and the rest may still be in the store. Call it again.
    @discardableResult
    public func clear(
        _ kinds: BrowsingDataKinds = .everything
    ) async throws(SessionRestorationError) -> ClearedData {
        try context.checkIsRunning()
        context.clearings.begun += 1
        context.clearings.underWay += 1
        defer { context.clearings.underWay -= 1 }
        var cleared = ClearedData()
        let saved = try await SessionRestorationError.converting {
            try await context.store.knownSessions()
        }
        try context.checkIsRunning()
        if kinds.contains(.openTabs) { cleared.openTabs = closeTabs(kinds) }
        if kinds.contains(.closed) { clearClosed(&cleared) }
        if kinds.contains(.setAside) {
            cleared.setAside = components.setAside.sessions.count
            for session in components.setAside.sessions { components.setAside.forget(session.id) }
        }
        let closed = context.closedWindows
        for id in saved where covers(kinds, id, closed) {
            context.saves.regular.mark(.removed(id, isAsked: true))
            try? context.windows.ids.forget(sessions: [id])
            cleared.sessions.append(id)
        }
        if kinds.contains(.histories) { try await clearHistories(&cleared) }
        if kinds.contains(.incognito) {
            cleared.incognitoTabs = context.windows.incognito.reduce(0) { $0 + $1.tabs.count }
            try await components.incognito.delete()
        }
        try await context.save()
        cleared.isErased = try await erase(givingUpLosses: kinds.isSuperset(of: .everything))
        return cleared
    }

    // MARK: The model

    private func closeTabs(_ kinds: BrowsingDataKinds) -> Int {
        let transit = context.regularDetachedTabs
        var cleared = transit.tabs.map(\.id)
        transit.closeAll()
        let shelves = kinds.isSuperset(of: .everything)
        for window in context.regularWindows
        where window.kind != .backup && (shelves || window.kind.role != .shelf) {
            cleared += window.tabs.map(\.id)
            window.tabs.closeAll(reason: .cleanup)
            if window.kind == .inactive { try? context.windows.close(window) }
        }
        forget(cleared)
        return cleared.count
    }

    /// Notes that the user asked for the removal of tabs.
    private func forget(_ tabs: [TabID]) {
        for tab in tabs { context.saves.regular.mark(.closed(tab, isAsked: true)) }
    }

    private func clearClosed(_ cleared: inout ClearedData) {
        for backup in context.windows.windows(of: .backup) {
            let tabs = backup.tabs.map(\.id)
            cleared.closedTabs += tabs.count
            backup.tabs.closeAll(reason: .cleanup)
            try? context.windows.close(backup)
            forget(tabs)
        }
        cleared.closedTabs += closedTabs.tabs.count
        closedTabs.forget(Set(closedTabs.tabs.map(\.id)), isAsked: true)
    }

    /// Returns whether a saved session that is not open is removed.
    private func covers(
        _ kinds: BrowsingDataKinds, _ id: SessionID, _ closed: Set<SessionID>
    ) -> Bool {
        guard id.partition == .regular, context.windows.window(id) == nil else { return false }
        switch id.kind {
        case .recentlyClosed, .backup: return kinds.contains(.closed)
        case .setAside: return kinds.contains(.setAside)
        default:
            // An import's notes are removed with everything; the launch note belongs to this process.
            guard id.kind.role != .notes else {
                return id.kind != .launch && kinds.isSuperset(of: .everything)
            }
            if id.kind.role == .shelf, id.kind != .transit {
                return kinds.isSuperset(of: .everything)
            }
            let window = id.kind.role == .companion ? SessionID(window: id.window) : id
            return kinds.contains(closed.contains(window) ? .closed : .openTabs)
        }
    }

    // MARK: Histories

    private func clearHistories(_ cleared: inout ClearedData) async throws(SessionRestorationError)
    {
        var seen: Set<TabID> = []
        // Tabs arrive and move while states are read.
        while true {
            let tabs = context.regularTabs.filter { seen.insert($0.id).inserted }
            guard !tabs.isEmpty else { return }
            for tab in tabs where !tab.isClosed && tab.mayHaveOtherPages {
                if try await forgetOtherPages(of: tab) {
                    cleared.histories += 1
                } else {
                    cleared.keptHistories.append(tab.id)
                }
            }
        }
    }

    private func forgetOtherPages(of tab: Tab) async throws(SessionRestorationError) -> Bool {
        if let page = tab.page { return page.forgetOtherPages() }
        var state = try await TabStateReader(components: components).state(of: tab)
        // The tab may have become realized in the meantime.
        if let page = tab.page { return page.forgetOtherPages() }
        state.history = state.history.currentPageAlone
        state.nativeBlob = nil
        tab.replaceState(with: state)
        return true
    }

    // MARK: The store

    /// A store with losses erases nothing, because the remaining data may be all that is left; but
    /// nothing remains when everything was cleared.
    private func erase(
        givingUpLosses givesUpLosses: Bool
    ) async throws(SessionRestorationError) -> Bool {
        let saves = context.saves
        guard let claimed = saves.traits.removalErasure else { return false }
        try await SessionRestorationError.converting {
            do throws(StorageError) { try await saves.store.eraseRemoved() } catch {
                guard error.code == .corrupted, givesUpLosses else { throw error }
                // Gives up what was lost.
                _ = try await saves.store.changing { try await $0.repair() }
                try await saves.store.eraseRemoved()
            }
        }
        return claimed == .erased
    }
}

extension Tab {
    fileprivate var mayHaveOtherPages: Bool { isRealized || metadata.navigationItemCount != 1 }
}

/// The kinds of a profile's data to clear.
public struct BrowsingDataKinds: OptionSet, Hashable, Sendable {
    /// A bit for each kind.
    public let rawValue: Int

    /// Creates a set of kinds from their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The tabs of windows that are open or can be opened, including pinned and inactive tabs and
    /// tabs between two windows. The tabs are closed and forgotten; open windows stay.
    public static let openTabs = BrowsingDataKinds(rawValue: 1 << 0)
    /// The pages before and after the current page of each open tab. The tabs stay.
    public static let histories = BrowsingDataKinds(rawValue: 1 << 1)
    /// Closed tabs and windows, and the tabs that an undo of "close all" would bring back.
    public static let closed = BrowsingDataKinds(rawValue: 1 << 2)
    /// The sessions that were set aside.
    public static let setAside = BrowsingDataKinds(rawValue: 1 << 3)
    /// The entire incognito partition. Its windows are closed.
    public static let incognito = BrowsingDataKinds(rawValue: 1 << 4)

    /// All kinds of data, including what a host keeps on its own shelves. Only empty windows remain.
    public static let everything: BrowsingDataKinds = [
        .openTabs, .closed, .setAside, .incognito,
    ]
}

/// The data that ``SessionHistory/clear(_:)`` removed.
public struct ClearedData: Hashable, Sendable {
    /// The number of regular tabs that were in open windows or between two windows.
    public var openTabs = 0
    /// The number of open tabs that lost the pages before and after their current page.
    public var histories = 0
    /// The open tabs that could not forget these pages. See `WebEngine.forgetOtherPages(in:)`.
    public var keptHistories: [TabID] = []
    /// The number of tabs that were recently closed or that an undo of "close all" would bring
    /// back. Closed windows are in ``sessions``.
    public var closedTabs = 0
    /// The number of sessions that were set aside.
    public var setAside = 0
    /// The number of incognito tabs that were in open windows.
    public var incognitoTabs = 0
    /// The saved sessions that were not open: closed windows, sessions set aside, backups, unreadable ones.
    public var sessions: [SessionID] = []
    /// Whether no file of the store contains a byte of the data, including restore points and the
    /// quarantine. `false` if the store does not support this; see `StorageTraits.removalErasure`.
    public var isErased = false
}
