import BrowserSessions

/// The tree of a session as a ``TabDB`` stores it, in memory, and what of it must be written.
struct TabTree {
    /// A node with children, other than the strip.
    enum Parent: Hashable {
        case pinned
        case unpinned
        case group(TabGroupID)
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

    let id: SessionID
    private(set) var attributes = SessionAttributes()
    private var groups: [TabGroupID: StructureNode] = [:]
    private(set) var tabs: [TabID: Tab] = [:]
    private var children: [Parent: [Child]] = [.pinned: [], .unpinned: []]

    private var isStripChanged = true
    private var changedTabs: Set<TabID> = []
    private var changedGroups: Set<TabGroupID> = []
    private var changedLists: Set<Parent> = [.pinned, .unpinned]
    private var removedNodes: Set<NodeID> = []

    init(_ id: SessionID) { self.id = id }

    // MARK: Changing

    mutating func put(_ attributes: SessionAttributes) {
        if self.attributes != attributes { isStripChanged = true }
        self.attributes = attributes
    }

    /// Puts a group, which stands at its place as soon as it has tabs.
    mutating func put(_ group: StructureNode) {
        let before = place(of: group.id)
        let old = groups.updateValue(group, forKey: group.id)
        if old != group, children[.group(group.id)] != nil { changedGroups.insert(group.id) }
        moveGroup(group.id, from: before)
    }

    /// Forgets a group, which has no tabs.
    mutating func remove(_ group: TabGroupID) { groups[group] = nil }

    mutating func put(_ metadata: TabMetadata) {
        let tab = Tab(metadata: metadata, states: tabs[metadata.id]?.states ?? [:])
        put(tab)
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
        let before = place(of: parent)
        let isNew = children[parent] == nil
        let index = children[parent, default: []].position(of: child)
        children[parent, default: []].insert(child, at: index)
        changedLists.insert(parent)
        guard case .group(let group) = parent else { return }
        if isNew {
            changedGroups.insert(group)
            removedNodes.remove(group)
        }
        moveGroup(group, from: before)
    }

    private mutating func remove(_ child: Child, from parent: Parent) {
        let before = place(of: parent)
        guard let index = children[parent]?.position(of: child), children[parent]?[index] == child
        else { return }
        children[parent]?.remove(at: index)
        changedLists.insert(parent)
        guard case .group(let group) = parent else { return }
        moveGroup(group, from: before)
        if children[parent]?.isEmpty == true {
            children[parent] = nil
            changedLists.remove(parent)
            changedGroups.remove(group)
            removedNodes.insert(group)
        }
    }

    private func place(of parent: Parent) -> OrderKey? {
        if case .group(let group) = parent { place(of: group) } else { nil }
    }

    /// Where a group stands; `nil` while it has no tabs.
    private func place(of group: TabGroupID) -> OrderKey? {
        guard let first = children[.group(group)]?.first else { return nil }
        return groups[group]?.place ?? first.place
    }

    private mutating func moveGroup(_ group: TabGroupID, from before: OrderKey?) {
        let after = place(of: group)
        if before == after { return }
        if let before { remove(Child(place: before, id: group), from: .unpinned) }
        if let after { insert(Child(place: after, id: group), into: .unpinned) }
    }

    // MARK: Writing

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
            let known = groups[group] ?? StructureNode.group(id: group)
            var writer = WireWriter()
            var record = known
            record.visitFields(&writer)
            try database.put(writer.bytes, of: group, .group, in: id)
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
        for case .group(let group) in children.keys { try database.remove(group) }
        for tab in tabs.keys { try database.remove(NodeID(tab)) }
    }

    /// Forgets what must be written, because it was read.
    mutating func forgetChanges() {
        (isStripChanged, changedTabs, changedGroups) = (false, [], [])
        (changedLists, removedNodes) = ([], [])
    }

    /// Returns the identifier of the strip of a session, or of one of its two lists.
    static func node(_ kind: NodeDatabase.Kind, _ id: SessionID) -> NodeID {
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
