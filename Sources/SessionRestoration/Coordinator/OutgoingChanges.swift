import BrowserSessions

/// A change set that is being sent, with the information to interpret its answer.
struct OutgoingChanges {
    let partition: StoragePartition
    /// Whether all pending records are in the set, apart from refused ones.
    let isWhole: Bool
    private(set) var changes = SessionChanges()
    /// The version and the new session of each tab in the set; the session is `nil` if the tab is removed.
    private(set) var tabs: [TabID: (version: Int, session: SessionID?)] = [:]
    private(set) var blobs: [TabID: [StateName: BlobDigest]] = [:]
    /// The version of each session in the set.
    private(set) var sessions: [SessionID: Int] = [:]
    private(set) var attributes: [SessionID: SessionAttributes] = [:]
    private(set) var removedSessions: Set<SessionID> = []
    /// The nodes that sessions of the set are about to have.
    var sessionNodes: [SessionID: Set<NodeID>] = [:]
    /// The nodes in the set; `nil` for one that is removed.
    private(set) var nodes: [SessionID: [NodeID: StructureNode?]] = [:]
    private var keptNodes: [SessionID: Set<NodeID>] = [:]
    private var owners: [NodeID: SessionID] = [:]
    private(set) var stateBytes = 0
    /// Whether other changes wait until the set is saved.
    var isPartial = false

    init(partition: StoragePartition, isWhole: Bool = true) {
        (self.partition, self.isWhole) = (partition, isWhole)
    }

    var isEmpty: Bool { changes.isEmpty }
    /// The number of changed records.
    var count: Int { changes.changes.count }

    mutating func put(_ attributes: SessionAttributes, for session: SessionID, version: Int) {
        sessions[session] = version
        self.attributes[session] = attributes
        changes.put(attributes, for: session)
    }

    /// Notes a session with attributes that the store has.
    mutating func keep(_ session: SessionID, version: Int) { sessions[session] = version }

    /// Forgets and returns the sessions that the set changes nothing of.
    mutating func takeUnchangedSessions() -> [SessionID] {
        let unchanged = sessions.keys.filter {
            attributes[$0] == nil && nodes[$0] == nil && !removedSessions.contains($0)
        }
        for session in unchanged { sessions[session] = nil }
        return unchanged
    }

    mutating func remove(_ session: SessionID, version: Int) {
        sessions[session] = version
        removedSessions.insert(session)
        changes.remove(session)
    }

    mutating func put(_ node: StructureNode, in session: SessionID) {
        nodes[session, default: [:]].updateValue(node, forKey: node.id)
        owners[node.id] = session
        changes.put(node, in: session)
    }

    mutating func remove(_ node: NodeID, from session: SessionID) {
        nodes[session, default: [:]].updateValue(nil, forKey: node)
        changes.remove(node, from: session)
    }

    /// Marks the set as what the user asked for.
    mutating func markIntended() { changes.isIntended = true }

    /// Notes that a session has a group.
    mutating func keep(_ node: NodeID, in session: SessionID) {
        keptNodes[session, default: []].insert(node)
        owners[node] = session
    }

    /// Returns whether the session has the group after the set.
    func keeps(_ node: NodeID, in session: SessionID) -> Bool {
        keptNodes[session]?.contains(node) == true
    }

    /// Returns the session that has the group after the set; `nil` if the set does not say so.
    func session(of node: NodeID) -> SessionID? { owners[node] }

    mutating func put(_ tab: TabMetadata, in session: SessionID, version: Int) {
        tabs[tab.id] = (version, session)
        changes.put(tab, in: session)
    }

    mutating func remove(_ tab: TabID, from sessions: [SessionID], version: Int) {
        tabs[tab] = (version, nil)
        for session in sessions { changes.remove(tab, from: session) }
    }

    mutating func put(_ bytes: [UInt8]?, for key: TabStateKey) {
        blobs[key.tab, default: [:]][key.name] = BlobDigest(bytes)
        guard let bytes else { return changes.remove(key) }
        stateBytes += bytes.count
        changes.put(bytes, for: key)
    }
}
