import BrowserSessions

/// The nodes of one session as they are in a ``NodeDatabase``.
struct SessionNodes {
    private let id: SessionID
    private let nodes: [NodeID: NodeDatabase.Node]

    init(_ id: SessionID, in database: NodeDatabase) throws(StorageError) {
        self.id = id
        var nodes: [NodeID: NodeDatabase.Node] = [:]
        try database.nodes(of: id) { nodes[$0.id] = $0 }
        self.nodes = nodes
    }

    /// Returns the session with its tabs in order; `nil` if there is none.
    func session() throws(StorageError) -> RestoredSession? {
        guard let strip = nodes[TabTree.node(.strip, id)] else { return nil }
        let attributes: SessionAttributes = try Self.record(strip.payload)
        var tabs: [TabMetadata] = []
        var groups: [StructureNode] = []
        try visit { node throws(StorageError) in
            switch node.kind {
            case .tab: tabs.append(try TabTree.Tab(node).metadata)
            case .group:
                var group: StructureNode = try Self.record(node.payload)
                group.id = node.id
                groups.append(group)
            default: throw PartReader.damaged
            }
        }
        return RestoredSession(id: id, attributes: attributes, tabs: tabs, nodes: groups)
    }

    /// Returns the tabs with their states, in order.
    func tabs() throws(StorageError) -> [TabTree.Tab] {
        var tabs: [TabTree.Tab] = []
        try visit { node throws(StorageError) in
            if node.kind == .tab { tabs.append(try TabTree.Tab(node)) }
        }
        return tabs
    }

    private func visit(
        _ visit: (NodeDatabase.Node) throws(StorageError) -> Void
    ) throws(StorageError) {
        for kind in [NodeDatabase.Kind.pinned, .unpinned] {
            for child in try children(of: TabTree.node(kind, id)) {
                try visit(child)
                guard child.kind == .group else { continue }
                for member in try children(of: child.id) { try visit(member) }
            }
        }
    }

    private func children(of parent: NodeID) throws(StorageError) -> [NodeDatabase.Node] {
        var children: [NodeDatabase.Node] = []
        for id in NodeList.decoded(nodes[parent]?.children ?? []) {
            guard let child = nodes[id] else { throw PartReader.damaged }
            children.append(child)
        }
        return children
    }

    private static func record<Record: FieldRecord>(_ payload: [UInt8]) throws(StorageError)
        -> Record
    {
        var record = Record.blank
        do {
            try payload.withUnsafeBytes { try WireDecoder.read(&record, from: $0) }
        } catch {
            throw PartReader.damaged
        }
        return record
    }
}

// A tab's payload: the metadata, and then the names and bytes of its states.
extension TabTree.Tab {
    var payload: [UInt8] {
        let encoded = metadata.encoded()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(states.reduce(encoded.count + 32) { $0 + $1.value.count + 48 })
        bytes.append(part: encoded)
        for (name, state) in states {
            bytes.append(part: Array(name.rawValue.utf8))
            bytes.append(part: state)
        }
        return bytes
    }

    init(_ node: NodeDatabase.Node) throws(StorageError) {
        try self.init(node.payload, TabID(high: node.id.high, low: node.id.low))
    }

    init(_ payload: [UInt8], _ id: TabID) throws(StorageError) {
        self = try payload.reading { reader throws(StorageError) in
            var tab = Self(metadata: try TabMetadata(id: id, encoded: try reader.next()))
            while !reader.isAtEnd {
                let name = StateName(rawValue: String(decoding: try reader.next(), as: UTF8.self))
                guard let name else { throw PartReader.damaged }
                tab.states[name] = [UInt8](try reader.next())
            }
            return tab
        }
    }
}
