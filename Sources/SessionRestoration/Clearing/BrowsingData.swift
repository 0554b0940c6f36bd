import BrowserModel
import BrowserSessions

/// Clears what the user wants nobody to find any more: ``SessionRestorer/browsingData``.
public final class BrowsingData {
    private let context: RestorerContext
    private let closedTabs: ClosedTabRecords
    private let setAside: SetAsideSessions
    private let incognito: IncognitoTabs
    private let states: TabStateReader

    init(
        _ context: RestorerContext, _ closedTabs: ClosedTabRecords, _ setAside: SetAsideSessions,
        _ incognito: IncognitoTabs, _ states: TabStateReader
    ) {
        self.context = context
        self.closedTabs = closedTabs
        self.setAside = setAside
        self.incognito = incognito
        self.states = states
    }

    /// Removes what is asked for from the model and from the store, also what could not be read.
    ///
    /// When it returns, the removal is durable, and no file of the store has a byte of what was removed:
    /// neither live files nor logs, earlier generations or quarantine, as far as the store can do that
    /// (``ClearedData/isErased``). That takes as long as writing all that is left.
    ///
    /// A store in which something was lost is repaired if everything is cleared. If not, it throws
    /// `corrupted` after the removal was saved, as what is lost may be what was not asked for: call
    /// `repair()` of the storage, which gives that up, and clear again.
    ///
    /// When it throws, the model is cleared as far as it came, and the rest may be saved still: call it
    /// again.
    ///
    /// Throws ``SessionRestorationError/storage(_:)``, or ``SessionRestorationError/notRestored``.
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
        setAside.decideOnClosings()
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
            context.ledger.regular.remove(id)
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
        let transit = context.ledger.regularTransit
        var count = transit.tabs.count
        transit.closeAll()
        let shelves = kinds.isSuperset(of: .everything)
        for window in context.windows.windows
        where !window.isOffTheRecord && window.kind != .backup
            && (shelves || window.kind.role != .shelf)
        {
            count += window.tabs.count
            window.tabs.closeAll(.cleanup)
            if window.kind == .inactive { try? context.windows.close(window) }
        }
        return count
    }

    private func clearClosed(_ cleared: inout ClearedData) {
        for backup in context.windows.windows(of: .backup) {
            cleared.closedTabs += backup.tabs.count
            backup.tabs.closeAll(.cleanup)
            try? context.windows.close(backup)
        }
        cleared.closedTabs += closedTabs.tabs.count
        closedTabs.forget(Set(closedTabs.tabs.map(\.id)))
    }

    /// Whether a saved session, which is not open, goes.
    private func covers(
        _ kinds: BrowsingDataKinds, _ id: SessionID, _ closed: Set<SessionID>
    ) -> Bool {
        guard id.side == .regular, context.windows.window(id) == nil else { return false }
        switch id.kind {
        case .recentlyClosed, .backup: return kinds.contains(.closed)
        case .setAside: return kinds.contains(.setAside)
        default:
            // What an import noted goes with everything; the launch's own note is this process's.
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
        // Tabs come and move while states are read.
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
            + context.ledger.regularTransit.tabs
    }

    private func forgetOtherPages(of tab: Tab) async throws(SessionRestorationError) -> Bool {
        if let page = tab.page { return page.forgetOtherPages() }
        var state = try await states.state(of: tab)
        // It may have become realized meanwhile.
        if let page = tab.page { return page.forgetOtherPages() }
        state.history = state.history.currentPageAlone
        state.native = nil
        tab.replaceState(with: state)
        return true
    }

    // MARK: The store

    private func knownSessions() async throws(SessionRestorationError) -> [SessionID] {
        do throws(StorageError) { return try await context.ledger.knownSessions() } catch {
            throw SessionRestorationError(error)
        }
    }

    /// A store with losses erases nothing, as what is left may be all that there is; but nothing is left
    /// when everything was cleared.
    private func erase(
        givingUpLosses givesUpLosses: Bool
    ) async throws(SessionRestorationError) -> Bool {
        let ledger = context.ledger
        guard let claimed = ledger.door.traits.removalErasure else { return false }
        do {
            do throws(StorageError) { try await ledger.eraseRemoved() } catch {
                guard error.code == .corrupted, givesUpLosses else { throw error }
                try await ledger.repair()
                try await ledger.eraseRemoved()
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
