import BrowserModel
import BrowserSessions

/// All regular sessions of a profile as they are now: what is open as the model has it, closed tabs as they are
/// in memory, and the rest as it is saved.
struct PresentState {
    private(set) var sessions: [SessionID: RestoredSession] = [:]
    /// The sessions that are not in the model. The windows among them are closed.
    private(set) var hidden: Set<SessionID> = []

    /// Reads what is not open. Between the end of the call and the next suspension, nothing else happens.
    static func read(
        _ context: RestorerContext, _ closedTabs: ClosedTabRecords
    ) async throws(StorageError) -> Self {
        let store = context.saves.store
        while true {
            let (removals, windowChanges) = (store.removals, context.windowChanges)
            try await store.saveBeforeReading()
            let stored = try await store.call { try await $0.presentSessions() }
            // A window that was opened, closed or removed meanwhile is not as it was read.
            guard removals == store.removals, windowChanges == context.windowChanges else {
                continue
            }
            return Self(stored, context, closedTabs)
        }
    }

    private init(
        _ stored: [RestoredSession], _ context: RestorerContext, _ closedTabs: ClosedTabRecords
    ) {
        for session in stored where session.id.kind != .recentlyClosed { add(session) }
        addClosed(closedTabs, context.saves.regular)
        for window in context.windows.windows where !window.isOffTheRecord {
            hidden.remove(window.sessionID)
            var session = RestoredSession(
                id: window.sessionID, attributes: window.savedAttributes,
                tabs: window.tabs.map(\.metadata))
            session.nodes = window.tabs.nodes
            sessions[session.id] = session
        }
        // What is on its way stays where it was.
        for detached in context.regularDetachedTabs.records {
            sessions[detached.session]?.tabs.append(detached.tab)
        }
    }

    private mutating func add(_ session: RestoredSession) {
        sessions[session.id] = session
        hidden.insert(session.id)
    }

    /// Adds closed tabs where the store has them: those of an import are in sessions of their own.
    private mutating func addClosed(_ closedTabs: ClosedTabRecords, _ saves: SavedPartition) {
        let saved = closedTabs.saved
        var all = RestoredSession(
            id: ClosedTabRecords.session, attributes: SessionAttributes(), tabs: [])
        all.nodes = saved.nodes
        add(all)
        for tab in saved.tabs {
            let id = saves.pending.session(of: tab.id) ?? all.id
            if sessions[id] == nil {
                add(RestoredSession(id: id, attributes: SessionAttributes(), tabs: []))
            }
            sessions[id]?.tabs.append(tab)
        }
    }
}

extension PresentState {
    /// Returns the sessions that changes concern, as they are after them. One that is removed has what is left.
    func applying(_ changes: SessionChanges) -> [SessionID: RestoredSession] {
        var touched: Set<SessionID> = []
        var removed: Set<NodeID> = []
        var coming: [SessionID: RestoredSession] = [:]
        func make(_ id: SessionID, _ change: (inout RestoredSession) -> Void) {
            let attributes = sessions[id]?.attributes ?? SessionAttributes()
            change(&coming[id, default: RestoredSession(id: id, attributes: attributes, tabs: [])])
        }
        for change in changes.changes {
            switch change {
            case .put(let record):
                if let id = record.item.nodeID { removed.insert(id) }
                make(record.session) { $0.add(record) }
            // It is closed where it is.
            case .remove(.tab(let tab), _): removed.insert(NodeID(tab))
            case .remove(.node(let node), let id):
                removed.insert(node)
                touched.insert(id)
            case .remove(.session(let id), _): touched.insert(id)
            case .putState, .removeState: break
            }
        }
        for id in hidden
        where sessions[id]?.tabs.contains(where: { removed.contains(NodeID($0.id)) }) == true {
            touched.insert(id)
        }
        for id in touched.union(coming.keys) {
            guard let before = sessions[id] else { continue }
            make(id) { session in
                session.tabs =
                    before.tabs.filter { !removed.contains(NodeID($0.id)) } + session.tabs
                session.nodes = before.nodes.filter { !removed.contains($0.id) } + session.nodes
            }
        }
        return coming
    }
}
