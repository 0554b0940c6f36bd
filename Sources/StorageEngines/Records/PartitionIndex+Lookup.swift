import BrowserSessions

extension PartitionIndex {
    /// The existing sessions, ascending.
    var sessionIDs: [SessionID] { sessions.filter(\.exists).map(\.id).sorted() }

    /// Returns what is known about a session; `nil` if it has no record.
    func session(_ id: SessionID) -> Session? {
        guard let number = numbers[id], sessions[number].exists else { return nil }
        return sessions[number]
    }

    /// Returns the session that a tab is in.
    func session(of tab: TabID) -> SessionID? { tabs[tab].map { sessions[$0.session].id } }

    /// Returns whether a tab is in a session.
    func has(_ tab: TabID, in session: SessionID) -> Bool { self.session(of: tab) == session }

    /// Returns the tabs of a session, ascending.
    func tabs(of id: SessionID) -> [TabID] {
        guard let number = numbers[id], sessions[number].tabCount > 0 else { return [] }
        return tabs.filter { $0.value.session == number }.keys.sorted()
    }

    /// Returns the session that a node is in.
    func session(of node: NodeID) -> SessionID? { nodes[node].map { sessions[$0.session].id } }

    /// Returns the nodes of a session, ascending.
    func nodes(of id: SessionID) -> [NodeID] {
        guard let number = numbers[id], sessions[number].nodeCount > 0 else { return [] }
        return nodes.filter { $0.value.session == number }.keys.sorted()
    }

    /// Whether there are nodes, or tabs below others.
    var hasStructure: Bool { !nodes.isEmpty || !childCounts.isEmpty }

    /// Returns what a tab or node is below; `nil` if it is at the top, or not there.
    func parent(of id: NodeID) -> NodeID? { nodes[id].map(\.parent) ?? tabs[TabID(id)]?.parent }

    /// Returns the kind of a node that is no tab; `nil` if it is not there.
    func kind(of node: NodeID) -> StructureNode.Kind? {
        nodes[node]?.kind.map { kinds[$0] }
    }

    /// Returns what is known about a tab or node; `nil` if it is not there.
    func element(_ item: SessionItem) -> Element? {
        switch item {
        case .tab(let id): tabs[id]
        case .node(let id): nodes[id]
        case .session: nil
        }
    }

    /// Returns the session that a tab or node is in; `nil` if it is not there.
    func session(of item: SessionItem) -> SessionID? {
        element(item).map { sessions[$0.session].id }
    }

    /// Returns the key of the record of a tab or node.
    func key(of item: SessionItem, _ element: Element) -> RecordKey {
        .record(item, in: sessions[element.session].id)
    }

    func state(_ tab: TabID, _ name: StateName) -> State? {
        guard let number = stateNames.firstIndex(of: name) else { return nil }
        return states[StateSlot(tab: tab, name: number)]
    }

    /// Returns the names of a tab's blobs, ascending.
    func names(of tab: TabID) -> [StateName] {
        stateNames.indices
            .filter { states[StateSlot(tab: tab, name: $0)] != nil }
            .map { stateNames[$0] }
            .sorted { $0.rawValue < $1.rawValue }
    }

    /// The keys of the records that sessions consist of.
    var sessionRecords: [RecordKey] {
        sessions.filter { $0.attributes != nil }.map { .session($0.id) }
            + tabs.map { key(of: .tab($0.key), $0.value) }
            + nodes.map { key(of: .node($0.key), $0.value) }
            + states.keys.filter { tabs[$0.tab] != nil }
            .map { .stateEntry($0.tab, stateNames[$0.name]) }
    }

    /// The sum of their fingerprints, which changes with change sets and repairs only.
    var sessionFingerprint: UInt64 {
        sessionRecords.reduce(0) { $0 &+ (stamp(of: $1)?.fingerprint ?? 0) }
    }

    /// Returns what a record is now; `nil` if there is none.
    func stamp(of record: RecordKey) -> RecordStamp? {
        switch record {
        case .record(.session, let id): session(id)?.attributes
        case .record(let item, let id):
            element(item).flatMap { sessions[$0.session].id == id ? $0.stamp : nil }
        case .stateEntry(let tab, let name): state(tab, name)?.stamp
        case .losses: lossesStamp
        case .commit(let id): commits.first { $0.id == id }?.stamp
        case .point(let number): points.first { $0.number == number }?.stamp
        case .manifest: nil
        }
    }
}
