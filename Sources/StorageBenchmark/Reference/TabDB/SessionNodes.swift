import BrowserSessions

/// The nodes of one session as they are in a ``NodeDatabase``.
struct SessionNodes {
    private let id: SessionID
    private var nodes: [[UInt8]: NodeDatabase.Node] = [:]

    init(_ id: SessionID, in database: NodeDatabase) throws(StorageError) {
        self.id = id
        var nodes: [[UInt8]: NodeDatabase.Node] = [:]
        try database.nodes(of: id) { nodes[$0.id] = $0 }
        self.nodes = nodes
    }

    /// Returns the session with its tabs in order; `nil` if there is none.
    func session() throws(StorageError) -> RestoredSession? {
        guard let strip = nodes[TabTree.node(.strip, id)] else { return nil }
        var attributes: SessionAttributes = try Self.record(strip.payload)
        var tabs: [TabMetadata] = []
        try visit { tab, node throws(StorageError) in
            switch node.kind {
            case .tab: tabs.append(try TabTree.Tab(node.payload, tab).metadata)
            case .group: attributes.groups.append(try Self.record(node.payload))
            default: throw Self.damaged
            }
        }
        return RestoredSession(id: id, attributes: attributes, tabs: tabs)
    }

    /// Returns the tabs with their states, in order.
    func tabs() throws(StorageError) -> [TabTree.Tab] {
        var tabs: [TabTree.Tab] = []
        try visit { tab, node throws(StorageError) in
            if node.kind == .tab { tabs.append(try TabTree.Tab(node.payload, tab)) }
        }
        return tabs
    }

    private func visit(
        _ visit: (TabID, NodeDatabase.Node) throws(StorageError) -> Void
    ) throws(StorageError) {
        for kind in [NodeDatabase.Kind.pinned, .unpinned] {
            for child in try children(of: TabTree.node(kind, id)) {
                try visit(child.0, child.1)
                guard child.1.kind == .group else { continue }
                for member in try children(of: child.1.id) { try visit(member.0, member.1) }
            }
        }
    }

    private func children(of parent: [UInt8]) throws(StorageError)
        -> [(TabID, NodeDatabase.Node)]
    {
        let list = nodes[parent]?.children ?? []
        var children: [(TabID, NodeDatabase.Node)] = []
        for start in stride(from: 2, to: list.count, by: 18) {
            let id = Array(list[start..<min(start + 16, list.count)])
            guard let child = nodes[id], let tab = TabID(bytes: id) else { throw Self.damaged }
            children.append((tab, child))
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
            throw damaged
        }
        return record
    }

    fileprivate static let damaged = StorageError(.corrupted, "a tree of tabs is damaged")
}

// A tab's payload: the place and the metadata, and then the names and bytes of its states, each
// behind its length in 32 bits.
extension TabTree.Tab {
    var payload: [UInt8] {
        let encoded = metadata.encoded()
        let size = states.reduce(encoded.count + 32) { $0 + $1.value.count + 48 }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        Self.append(metadata.place.bytes, to: &bytes)
        Self.append(encoded, to: &bytes)
        for (name, state) in states {
            Self.append(Array(name.rawValue.utf8), to: &bytes)
            Self.append(state, to: &bytes)
        }
        return bytes
    }

    init(_ payload: [UInt8], _ id: TabID) throws(StorageError) {
        let result: Result<Self, StorageError> = payload.withUnsafeBytes { raw in
            Result { () throws(StorageError) in try Self(raw, id) }
        }
        self = try result.get()
    }

    private init(_ raw: UnsafeRawBufferPointer, _ id: TabID) throws(StorageError) {
        var offset = 0
        func next() throws(StorageError) -> UnsafeRawBufferPointer {
            guard offset + 4 <= raw.count else { throw SessionNodes.damaged }
            let count = Int(
                UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            offset += 4
            guard offset + count <= raw.count else { throw SessionNodes.damaged }
            defer { offset += count }
            return UnsafeRawBufferPointer(rebasing: raw[offset..<offset + count])
        }
        guard let place = OrderKey(bytes: [UInt8](try next())) else { throw SessionNodes.damaged }
        metadata = try TabMetadata(id: id, place: place, encoded: try next())
        while offset < raw.count {
            let name = StateName(rawValue: String(decoding: try next(), as: UTF8.self))
            guard let name else { throw SessionNodes.damaged }
            states[name] = [UInt8](try next())
        }
    }

    private static func append(_ part: [UInt8], to bytes: inout [UInt8]) {
        withUnsafeBytes(of: UInt32(part.count).littleEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: part)
    }
}
