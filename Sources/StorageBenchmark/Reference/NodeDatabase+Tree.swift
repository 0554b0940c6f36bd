import BrowserSessions

extension NodeDatabase {
    /// Returns a session and the states of its tabs; `nil` if there is none. Groups come before their tabs.
    func restore(_ id: SessionID) throws(StorageError)
        -> (session: RestoredSession, states: [TabStateKey: [UInt8]])?
    {
        let nodes = try nodes(of: id)
        guard let strip = nodes[.row(.strip, of: id)] else { return nil }
        var session = RestoredSession(
            id: id, attributes: try strip.payload.record { try SessionAttributes(payload: $0) },
            tabs: [], nodes: [])
        var states: [TabStateKey: [UInt8]] = [:]
        func read(_ list: NodeID) throws(StorageError) {
            var children: [NodeID] = []
            try (nodes[list]?.children ?? []).readFields { _, reader in
                children.append(try reader.identifier())
            }
            for child in children {
                guard let node = nodes[child] else { throw .damagedRecord }
                switch node.kind {
                case .tab:
                    let tab = try TabPayload(node.payload, TabID(child))
                    session.tabs.append(tab.metadata)
                    for (name, state) in tab.states {
                        states[TabStateKey(tab: TabID(child), name: name, in: id)] = state
                    }
                case .group:
                    session.nodes.append(
                        try node.payload.record { try StructureNode(id: child, payload: $0) })
                    try read(child)
                default: throw .damagedRecord
                }
            }
        }
        for kind in [Kind.pinned, .unpinned] { try read(.row(kind, of: id)) }
        return (session, states)
    }
}

extension NodeID {
    /// Returns the identifier of the strip of a session, or of one of its two lists.
    static func row(_ kind: NodeDatabase.Kind, of id: SessionID) -> NodeID {
        let name = id.kind.rawValue.utf8.reduce(UInt64(kind.rawValue)) { $0 &* 31 &+ UInt64($1) }
        return NodeID(high: id.window.high &+ name, low: id.window.low)
    }
}

extension StructureNode {
    /// Groups are not pinned.
    func spot(in session: SessionID) -> ChildLists.Spot {
        ChildLists.Spot(list: .row(.unpinned, of: session), place: place)
    }
}

extension TabMetadata {
    func spot(in session: SessionID) -> ChildLists.Spot {
        let top = NodeID.row(isPinned ? .pinned : .unpinned, of: session)
        return ChildLists.Spot(list: isPinned ? top : group ?? top, place: place)
    }
}

/// The lists of children of nodes, each in its order, by the node that has it.
struct ChildLists {
    /// Where a child is.
    struct Spot: Equatable {
        var list: NodeID
        var place: OrderKey
    }

    private var children: [NodeID: [(place: OrderKey, id: NodeID)]] = [:]
    private var spots: [NodeID: Spot] = [:]
    /// The lists that are to be written.
    var changed: Set<NodeID> = []

    /// Puts a child to its place, or removes it.
    mutating func put(_ id: NodeID, at spot: Spot?) {
        let old = spots[id]
        guard old != spot else { return }
        spots[id] = spot
        if let old, let index = index(of: id, at: old),
            children[old.list]?.dropFirst(index).first?.id == id
        {
            children[old.list]?.remove(at: index)
            changed.insert(old.list)
        }
        guard let spot else { return }
        let index = index(of: id, at: spot) ?? 0
        children[spot.list, default: []].insert((spot.place, id), at: index)
        changed.insert(spot.list)
    }

    /// Forgets a list with its children, which may be in others by now.
    mutating func drop(_ list: NodeID) { children[list] = nil }

    /// Returns where the child stands in its list, or would stand; `nil` if there is no list.
    private func index(of id: NodeID, at spot: Spot) -> Int? {
        guard let list = children[spot.list] else { return nil }
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            let isBefore = (list[middle].place, list[middle].id) < (spot.place, id)
            if isBefore { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the children of a node, as its row has them.
    func encoded(_ list: NodeID) -> [UInt8] {
        let children = children[list] ?? []
        var writer = WireWriter()
        writer.bytes.reserveCapacity(children.count * 18)
        for child in children { writer.identifier(1, child.id) }
        return writer.bytes
    }
}

/// A tab's payload: the metadata, and then the names and bytes of its states.
struct TabPayload {
    var metadata: TabMetadata
    var states: [StateName: [UInt8]]
}

extension TabPayload {
    func encoded() -> [UInt8] {
        let encoded = metadata.encoded()
        var writer = WireWriter()
        writer.bytes.reserveCapacity(
            states.reduce(encoded.count + 32) { $0 + $1.value.count + 48 })
        writer.bytes(1, encoded)
        for (name, state) in states {
            writer.string(2, name.rawValue)
            writer.bytes(3, state)
        }
        return writer.bytes
    }

    init(_ payload: [UInt8], _ id: TabID) throws(StorageError) {
        var (metadata, name): (TabMetadata?, StateName?) = (nil, nil)
        var states: [StateName: [UInt8]] = [:]
        try payload.readFields { number, reader in
            switch number {
            case 1: metadata = try TabMetadata(id: id, payload: reader.span())
            case 2: name = StateName(rawValue: try reader.string())
            default:
                guard let name else { throw StorageError.damagedRecord }
                states[name] = [UInt8](try reader.span())
            }
        }
        guard let metadata else { throw .damagedRecord }
        self.init(metadata: metadata, states: states)
    }
}
