import BrowserModel
import BrowserSessions

/// Clears data that the user wants no one to find: ``SessionRestorer/browsingData``.
public struct BrowsingData {
    private let components: RestorerComponents

    private var context: RestorerContext { components.context }
    private var closedTabs: ClosedTabRecords { components.closedTabs }
    private var setAside: SetAsideRecords { components.setAside }
    private var incognito: IncognitoTabs { components.incognito }
    private var states: TabStateReader { TabStateReader(context) }

    init(_ components: RestorerComponents) { self.components = components }

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
        let saved = try await knownSessions()
        try context.checkIsRunning()
        if kinds.contains(.openTabs) { cleared.openTabs = closeTabs(kinds) }
        if kinds.contains(.closed) { clearClosed(&cleared) }
        if kinds.contains(.setAside) {
            cleared.setAside = setAside.sessions.count
            for session in setAside.sessions { setAside.forget(session.id) }
        }
        let ids = context.windows.ids
        let closed = Set(
            (ids.reopenable + ids.closedEmpty).filter { $0.closedAt != nil }.map(\.sessionID))
        for id in saved where covers(kinds, id, closed) {
            context.saves.regular.remove(id, isAsked: true)
            try? ids.forget(sessions: [id])
            cleared.sessions.append(id)
        }
        if kinds.contains(.histories) { try await clearHistories(&cleared) }
        if kinds.contains(.incognito) {
            cleared.incognitoTabs = context.windows.offTheRecord.reduce(0) { $0 + $1.tabs.count }
            try await incognito.delete()
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
        for window in context.windows.windows
        where !window.isOffTheRecord && window.kind != .backup
            && (shelves || window.kind.role != .shelf)
        {
            cleared += window.tabs.map(\.id)
            window.tabs.closeAll(reason: .cleanup)
            if window.kind == .inactive { try? context.windows.close(window) }
        }
        forget(cleared)
        return cleared.count
    }

    /// Notes that the user asked for the removal of tabs.
    private func forget(_ tabs: [TabID]) {
        for tab in tabs { context.saves.regular.close(tab, isAsked: true) }
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
            let tabs = regularTabs.filter { seen.insert($0.id).inserted }
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

    private var regularTabs: [Tab] {
        context.windows.windows.filter { !$0.isOffTheRecord }.flatMap(\.tabs.tabs)
            + context.regularDetachedTabs.tabs
    }

    private func forgetOtherPages(of tab: Tab) async throws(SessionRestorationError) -> Bool {
        if let page = tab.page { return page.forgetOtherPages() }
        var state = try await states.state(of: tab)
        // The tab may have become realized in the meantime.
        if let page = tab.page { return page.forgetOtherPages() }
        state.history = state.history.currentPageAlone
        state.native = nil
        tab.replaceState(with: state)
        return true
    }

    // MARK: The store

    private func knownSessions() async throws(SessionRestorationError) -> [SessionID] {
        do throws(StorageError) { return try await context.saves.store.knownSessions() } catch {
            throw SessionRestorationError(error)
        }
    }

    /// A store with losses erases nothing, because the remaining data may be all that is left; but
    /// nothing remains when everything was cleared.
    private func erase(
        givingUpLosses givesUpLosses: Bool
    ) async throws(SessionRestorationError) -> Bool {
        let saves = context.saves
        guard let claimed = saves.traits.removalErasure else { return false }
        do {
            do throws(StorageError) { try await saves.store.eraseRemoved() } catch {
                guard error.code == .corrupted, givesUpLosses else { throw error }
                try await saves.store.repair()
                try await saves.store.eraseRemoved()
            }
        } catch {
            throw SessionRestorationError(error)
        }
        return claimed == .erased
    }
}

extension Tab {
    fileprivate var mayHaveOtherPages: Bool { isRealized || metadata.navigationItemCount != 1 }
}
