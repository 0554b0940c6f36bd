import BrowserSessions

/// The sessions in memory that follow the rules of change sets, for the benchmark's own stores.
struct SessionBook {
    struct Entry {
        var attributes = SessionAttributes()
        var tabs: [TabID: TabMetadata] = [:]
        var nodes: [NodeID: StructureNode] = [:]

        /// The groups in order.
        var sortedNodes: [StructureNode] { nodes.values.sorted { $0.place < $1.place } }

        /// The tabs in their order in the window, which depends on where the groups are.
        var orderedTabs: [TabMetadata] {
            let placed = tabs.values.map { tab in
                (tab, tab.group.flatMap { nodes[$0]?.place } ?? tab.place)
            }
            return placed.sorted { one, other in
                (one.0.isPinned ? 0 : 1, one.1, one.0.place)
                    < (other.0.isPinned ? 0 : 1, other.1, other.0.place)
            }.map(\.0)
        }
    }

    private(set) var sessions: [SessionID: Entry] = [:]
    private(set) var states: [TabStateKey: [UInt8]] = [:]
    private var owners: [TabID: SessionID] = [:]
    /// The sessions that were restored since they changed.
    private var restored: [SessionID: RestoredSession] = [:]

    /// What a set changed.
    struct Touched {
        var sessions: Set<SessionID> = []
        var tabs: Set<TabID> = []
        var nodes: Set<NodeID> = []
        var states: Set<TabStateKey> = []
    }

    /// Returns a session with its tabs in order; `nil` if there is none.
    mutating func restore(_ id: SessionID) -> RestoredSession? {
        if let known = restored[id] { return known }
        guard let entry = sessions[id] else { return nil }
        let session = RestoredSession(
            id: id, attributes: entry.attributes, tabs: entry.orderedTabs, nodes: entry.sortedNodes)
        restored[id] = session
        return session
    }

    /// Returns a tab and its session; `nil` if there is none.
    func tab(_ id: TabID) -> (session: SessionID, tab: TabMetadata)? {
        guard let session = owners[id], let tab = sessions[session]?.tabs[id] else { return nil }
        return (session, tab)
    }

    func states(of tab: TabID, in partition: StoragePartition) -> [StateName: [UInt8]] {
        var found: [StateName: [UInt8]] = [:]
        for name in [StateName.native, .navigation] where !states.isEmpty {
            found[name] = states[TabStateKey(tab: tab, name: name, partition: partition)]
        }
        return found
    }

    mutating func apply(_ changes: SessionChanges) -> Touched {
        var touched = Touched()
        defer { for id in touched.sessions { restored[id] = nil } }
        // Tabs that the set puts elsewhere leave a session before the session is removed.
        for change in changes.changes {
            if case .put(.tab(let tab, let session)) = change { put(tab, session, &touched) }
        }
        for change in changes.changes {
            switch change {
            case .put(.session(let id, let attributes)):
                sessions[id, default: Entry()].attributes = attributes
                touched.sessions.insert(id)
            case .remove(.session(let id), _): remove(id, &touched)
            case .put(.tab): break
            case .put(.node(let node, let session)):
                sessions[session, default: Entry()].nodes[node.id] = node
                touched.nodes.insert(node.id)
                touched.sessions.insert(session)
            case .remove(.node(let node), let session):
                sessions[session]?.nodes[node] = nil
                touched.nodes.insert(node)
                touched.sessions.insert(session)
            case .remove(.tab(let tab), let session):
                guard owners[tab] == session else { continue }
                sessions[session]?.tabs[tab] = nil
                touched.sessions.insert(session)
                forget(tab, session.partition, &touched)
            case .putState(let bytes, let key):
                states[key] = bytes
                touched.states.insert(key)
            case .removeState(let key):
                states[key] = nil
                touched.states.insert(key)
            }
        }
        return touched
    }

    /// Adds a session that was read from a file.
    mutating func load(_ session: RestoredSession) {
        var changes = SessionChanges()
        changes.put(session.attributes, for: session.id)
        for node in session.nodes { changes.put(node, in: session.id) }
        for tab in session.tabs { changes.put(tab, in: session.id) }
        _ = apply(changes)
    }

    mutating func load(_ state: [UInt8], for key: TabStateKey) { states[key] = state }

    mutating func removeIncognito() -> Touched {
        var touched = Touched()
        defer { for id in touched.sessions { restored[id] = nil } }
        for id in sessions.keys where id.partition == .incognito { remove(id, &touched) }
        return touched
    }

    private mutating func put(_ tab: TabMetadata, _ session: SessionID, _ touched: inout Touched) {
        if let old = owners[tab.id], old != session {
            sessions[old]?.tabs[tab.id] = nil
            touched.sessions.insert(old)
        }
        owners[tab.id] = session
        sessions[session, default: Entry()].tabs[tab.id] = tab
        touched.tabs.insert(tab.id)
        touched.sessions.insert(session)
    }

    private mutating func remove(_ id: SessionID, _ touched: inout Touched) {
        guard let entry = sessions.removeValue(forKey: id) else { return }
        touched.sessions.insert(id)
        touched.nodes.formUnion(entry.nodes.keys)
        for tab in entry.tabs.keys { forget(tab, id.partition, &touched) }
    }

    private mutating func forget(
        _ tab: TabID, _ partition: StoragePartition, _ touched: inout Touched
    ) {
        owners[tab] = nil
        touched.tabs.insert(tab)
        for name in [StateName.native, .navigation] {
            let key = TabStateKey(tab: tab, name: name, partition: partition)
            if states.removeValue(forKey: key) != nil { touched.states.insert(key) }
        }
    }
}
