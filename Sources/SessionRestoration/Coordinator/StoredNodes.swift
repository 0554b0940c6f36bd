import BrowserSessions

/// The groups that the store has in each session, as far as they are known.
///
/// A store has each group in one session. Lists of several sessions can have tabs of one group, such as a
/// window and its inactive tabs; all but one of them save it under another identifier.
struct StoredNodes {
    /// `nil` for a group that is there with unknown content.
    private var sessions: [SessionID: [NodeID: Known?]] = [:]
    private var owners: [NodeID: SessionID] = [:]
    /// What each group of a session was when it was last read or sent, by the identifier of the model: a
    /// store may be without it, and the model, too.
    private var latest: [SessionID: [NodeID: Known]] = [:]
    /// The identifiers under which sessions save groups that are in another session, too.
    private(set) var aliases: [SessionID: [NodeID: NodeID]] = [:]

    /// A group, stored once however often it is known: few change, and it is large.
    private final class Known {
        let node: StructureNode

        init(_ node: StructureNode) { self.node = node }
    }

    func has(_ id: NodeID, in session: SessionID) -> Bool { sessions[session]?[id] != nil }

    /// Returns a group as the store has it; `nil` if that is not known.
    func node(_ id: NodeID, in session: SessionID) -> StructureNode? {
        (sessions[session]?[id] ?? nil)?.node
    }

    /// Returns what a group was when it was last read or sent; `nil` if that is not known.
    func latest(_ id: NodeID, in session: SessionID) -> StructureNode? {
        latest[session]?[id]?.node
    }

    /// Returns the session that the store has a group in; `nil` if it is not known to be in any.
    func owner(of id: NodeID) -> SessionID? { owners[id] }

    /// Returns the groups of a session, ascending.
    func ids(in session: SessionID) -> [NodeID] { sessions[session]?.keys.sorted() ?? [] }

    // MARK: Changing

    /// Notes the groups of a session that was read.
    mutating func restored(_ nodes: [StructureNode], in session: SessionID) {
        leave(session)
        guard !nodes.isEmpty else { return }
        owners.reserveCapacity(owners.count + nodes.count)
        for node in nodes {
            if let owner = owners.updateValue(session, forKey: node.id), owner != session {
                remove(node.id, from: owner)
            }
        }
        let known = Dictionary(
            nodes.map { ($0.id, Known($0)) }, uniquingKeysWith: { _, last in last })
        (latest[session], sessions[session]) = (known, known.mapValues { $0 })
    }

    /// Notes what a group is that is being sent.
    mutating func note(_ node: StructureNode, in session: SessionID) {
        latest[session, default: [:]][node.id] = Known(node)
    }

    /// Notes that the groups may be in the session from now on, with unknown content.
    mutating func begin(_ nodes: [NodeID: StructureNode?], in session: SessionID) {
        for (id, node) in nodes where node != nil || has(id, in: session) {
            set(id, nil, in: session)
        }
    }

    /// Notes that the groups are in the session, or not if there is no content.
    mutating func acknowledge(_ nodes: [NodeID: StructureNode?], in session: SessionID) {
        for (id, node) in nodes {
            if let node {
                set(id, node, in: session)
            } else {
                remove(id, from: session)
                latest[session]?[id] = nil
            }
        }
    }

    /// Notes that a session was removed.
    mutating func leave(_ session: SessionID) {
        for id in ids(in: session) { remove(id, from: session) }
        latest[session] = nil
    }

    /// Forgets what the nodes are in the store, because another storage may have others.
    mutating func forget() {
        sessions = sessions.mapValues { nodes in nodes.mapValues { _ in nil } }
    }

    /// Notes that a group is in a session and in no other; its content is unknown if there is none.
    private mutating func set(_ id: NodeID, _ content: StructureNode?, in session: SessionID) {
        if let owner = owners[id], owner != session { remove(id, from: owner) }
        owners[id] = session
        sessions[session, default: [:]].updateValue(content.map { Known($0) }, forKey: id)
    }

    private mutating func remove(_ id: NodeID, from session: SessionID) {
        sessions[session]?.removeValue(forKey: id)
        if owners[id] == session { owners[id] = nil }
    }

    // MARK: Identifiers

    /// Gives a group another identifier in a session, because it is in another one, too.
    ///
    /// - Returns: the identifier; `nil` if the group has another one there already.
    @discardableResult
    mutating func rename(_ id: NodeID, in session: SessionID) -> NodeID? {
        guard aliases[session]?[id] == nil, aliases[session]?.values.contains(id) != true else {
            return nil
        }
        let name = "\(session)".utf8.reduce(into: UInt64(0xCBF2_9CE4_8422_2325)) { hash, byte in
            hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3
        }
        let alias = NodeID(high: id.high ^ name, low: id.low &+ name.byteSwapped)
        aliases[session, default: [:]][id] = alias
        return alias
    }
}
