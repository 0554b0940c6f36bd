import BrowserSessions

/// The tree of a session as a ``TabDB`` stores it, in memory, and what of it must be written.
struct TabTree {
    /// A node with children, other than the strip.
    enum Parent: Hashable {
        case pinned
        case unpinned
        case group(NodeID)
    }

    /// A child, where it stands among its siblings.
    struct Child: Comparable {
        var place: OrderKey
        var id: NodeID

        static func < (left: Child, right: Child) -> Bool {
            (left.place, left.id) < (right.place, right.id)
        }
    }

    /// A tab with its states, which are in one record.
    struct Tab {
        var metadata: TabMetadata
        var states: [StateName: [UInt8]] = [:]

        var parent: Parent {
            metadata.isPinned ? .pinned : metadata.group.map { .group($0) } ?? .unpinned
        }

        var child: Child { Child(place: metadata.place, id: NodeID(metadata.id)) }
    }

    private let id: SessionID
    private(set) var attributes = SessionAttributes()
    private(set) var groups: [NodeID: StructureNode] = [:]
    private(set) var tabs: [TabID: Tab] = [:]
    private var children: [Parent: [Child]] = [.pinned: [], .unpinned: []]

    private var isStripChanged = true
    private var changedTabs: Set<TabID> = []
    private var changedGroups: Set<NodeID> = []
    private var changedLists: Set<Parent> = [.pinned, .unpinned]
    private var removedNodes: Set<NodeID> = []

    init(_ id: SessionID) { self.id = id }

    // MARK: - Changing

    mutating func put(_ attributes: SessionAttributes) {
        if self.attributes != attributes { isStripChanged = true }
        self.attributes = attributes
    }

    mutating func put(_ group: StructureNode) {
        let old = groups.updateValue(group, forKey: group.id)
        changedGroups.insert(group.id)
        removedNodes.remove(group.id)
        if old?.place == group.place { return }
        if let old { remove(Child(place: old.place, id: old.id), from: .unpinned) }
        insert(Child(place: group.place, id: group.id), into: .unpinned)
    }

    /// Removes a group, which has no tabs.
    mutating func remove(_ id: NodeID) {
        guard let group = groups.removeValue(forKey: id) else { return }
        remove(Child(place: group.place, id: id), from: .unpinned)
        children[.group(id)] = nil
        changedLists.remove(.group(id))
        changedGroups.remove(id)
        removedNodes.insert(id)
    }

    /// Puts a tab, perhaps of another session, with its states.
    mutating func put(_ tab: Tab) {
        let old = tabs.updateValue(tab, forKey: tab.metadata.id)
        changedTabs.insert(tab.metadata.id)
        removedNodes.remove(NodeID(tab.metadata.id))
        if let old, old.parent == tab.parent, old.metadata.place == tab.metadata.place { return }
        if let old { remove(old.child, from: old.parent) }
        insert(tab.child, into: tab.parent)
    }

    /// Removes a tab and returns it. Its row is removed unless it goes to another session.
    mutating func remove(_ id: TabID, toOther: Bool = false) -> Tab? {
        guard let old = tabs.removeValue(forKey: id) else { return nil }
        changedTabs.remove(id)
        if !toOther { removedNodes.insert(NodeID(id)) }
        remove(old.child, from: old.parent)
        return old
    }

    mutating func put(_ state: [UInt8]?, _ name: StateName, of tab: TabID) {
        tabs[tab]?.states[name] = state
        if tabs[tab] != nil { changedTabs.insert(tab) }
    }

    private mutating func insert(_ child: Child, into parent: Parent) {
        let index = children[parent, default: []].position(of: child)
        children[parent, default: []].insert(child, at: index)
        changedLists.insert(parent)
    }

    private mutating func remove(_ child: Child, from parent: Parent) {
        guard let index = children[parent]?.position(of: child), children[parent]?[index] == child
        else { return }
        children[parent]?.remove(at: index)
        changedLists.insert(parent)
    }

    // MARK: - Reading

    /// Reads a session; `nil` if there is none.
    init?(_ id: SessionID, in database: NodeDatabase) throws(StorageError) {
        self.init(id)
        var nodes: [NodeID: NodeDatabase.Node] = [:]
        try database.nodes(of: id) { nodes[$0.id] = $0 }
        guard let strip = nodes[Self.node(.strip, id)] else { return nil }
        attributes = try strip.payload.record { try SessionAttributes(payload: $0) }
        func load(_ parent: Parent, _ node: NodeID) throws(StorageError) {
            var list: [Child] = []
            for id in NodeList.decoded(nodes[node]?.children ?? []) {
                guard let child = nodes[id] else { throw StorageError.damagedRecord }
                switch child.kind {
                case .tab:
                    let tab = try Tab(child.payload, TabID(high: id.high, low: id.low))
                    tabs[tab.metadata.id] = tab
                    list.append(tab.child)
                case .group:
                    let group = try child.payload.record { try StructureNode(id: id, payload: $0) }
                    groups[id] = group
                    list.append(Child(place: group.place, id: id))
                    try load(.group(id), id)
                default: throw StorageError.damagedRecord
                }
            }
            children[parent] = list
        }
        try load(.pinned, Self.node(.pinned, id))
        try load(.unpinned, Self.node(.unpinned, id))
        forgetChanges()
    }

    /// Returns all groups and tabs in the order of the strip, each group before its tabs.
    func orderedChildren() -> [NodeID] {
        let top = (children[.pinned] ?? []) + (children[.unpinned] ?? [])
        return top.flatMap { [$0.id] + (children[.group($0.id)] ?? []).map(\.id) }
    }

    // MARK: - Writing

    /// Writes the rows that changed.
    mutating func write(to database: NodeDatabase) throws(StorageError) {
        for node in removedNodes { try database.remove(node) }
        if isStripChanged {
            try database.put(
                attributes.encodedPayload(), of: Self.node(.strip, id), .strip, in: id)
            for (kind, list) in [(NodeDatabase.Kind.pinned, Parent.pinned), (.unpinned, .unpinned)]
            where changedLists.contains(list) {
                try database.put([], of: Self.node(kind, id), kind, in: id)
            }
        }
        for group in changedGroups {
            guard let node = groups[group] else { continue }
            try database.put(node.encoded(), of: group, .group, in: id)
        }
        for tab in changedTabs {
            guard let content = tabs[tab] else { continue }
            try database.put(content.payload, of: NodeID(tab), .tab, in: id)
        }
        for list in changedLists {
            let ids = NodeList.encoded((children[list] ?? []).lazy.map(\.id))
            try database.putChildren(ids, of: Self.node(of: list, id))
        }
        forgetChanges()
    }

    /// Removes all rows.
    func remove(from database: NodeDatabase) throws(StorageError) {
        for node in removedNodes { try database.remove(node) }
        for kind in [NodeDatabase.Kind.strip, .pinned, .unpinned] {
            try database.remove(Self.node(kind, id))
        }
        for group in groups.keys { try database.remove(group) }
        for tab in tabs.keys { try database.remove(NodeID(tab)) }
    }

    private mutating func forgetChanges() {
        (isStripChanged, changedTabs, changedGroups) = (false, [], [])
        (changedLists, removedNodes) = ([], [])
    }

    /// Returns the identifier of the strip of a session, or of one of its two lists.
    private static func node(_ kind: NodeDatabase.Kind, _ id: SessionID) -> NodeID {
        let name = id.kind.rawValue.utf8.reduce(UInt64(kind.rawValue)) { $0 &* 31 &+ UInt64($1) }
        return NodeID(high: id.window.high &+ name, low: id.window.low)
    }

    private static func node(of list: Parent, _ id: SessionID) -> NodeID {
        switch list {
        case .pinned: node(.pinned, id)
        case .unpinned: node(.unpinned, id)
        case .group(let group): group
        }
    }
}

// A tab's payload: the metadata, and then the names and bytes of its states.
extension TabTree.Tab {
    var payload: [UInt8] {
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

/// The list of a node's children: for each, the tag and the length of a field, and 16 bytes.
enum NodeList {
    static func encoded(_ ids: some Collection<NodeID>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(ids.count * 18)
        for id in ids {
            bytes.append(0x0A)
            bytes.append(16)
            withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) {
                bytes.append(contentsOf: $0)
            }
        }
        return bytes
    }

    static func decoded(_ bytes: [UInt8]) -> [NodeID] {
        stride(from: 0, to: bytes.count - 17, by: 18).compactMap {
            NodeID(bytes: bytes[$0 + 2..<$0 + 18])
        }
    }
}

extension [TabTree.Child] {
    /// Returns the index of the child, or where it would stand.
    fileprivate func position(of child: Element) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < child { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
