/// What the order and the rules of a forest need of a tab or node, in a few words.
struct ForestMark {
    /// The beginning of the place.
    var head: UInt64
    var rank: Int64
    /// The number of the parent; -1 at the top.
    var parent = -1
    var weight: Int32
    /// Whether the element is a branch of its parent; at the top, everything is a member.
    var isBranch = false

    /// Returns a mark for each tab and then for each node; `nil` if two of them have one identifier, or a
    /// parent is not there.
    static func marks(
        of tabs: UnsafeBufferPointer<TabMetadata>, _ nodes: UnsafeBufferPointer<StructureNode>
    ) -> [ForestMark]? {
        guard var parents = ForestParents(tabs, nodes) else { return nil }
        var marks: [ForestMark] = []
        marks.reserveCapacity(tabs.count + nodes.count)
        for index in tabs.indices {
            let mark = ForestMark(
                tabs[index].place.head, tabs[index].zone, tabs[index].weight, tabs[index].parent,
                tabs[index].edge, &parents)
            guard let mark else { return nil }
            marks.append(mark)
        }
        for index in nodes.indices {
            let mark = ForestMark(
                nodes[index].place.head, nodes[index].zone, nodes[index].weight,
                nodes[index].parent, nodes[index].edge, &parents)
            guard let mark else { return nil }
            marks.append(mark)
        }
        return marks
    }

    /// `nil` if the parent is not there.
    private init?(
        _ head: UInt64, _ zone: NodeZone, _ weight: Int32, _ parent: NodeID?, _ edge: NodeEdge,
        _ parents: inout ForestParents
    ) {
        (self.head, rank, self.weight) = (head, zone.rank, weight)
        guard let parent else { return }
        guard let number = parents.number(of: parent) else { return nil }
        (self.parent, isBranch) = (number, edge == .branch)
    }
}

/// The numbers of tabs and nodes that others name as their parents.
private struct ForestParents {
    private var numbers: [NodeID: Int] = [:]
    /// The last one that was asked for: neighbors mostly have one parent.
    private var last: (id: NodeID, number: Int)?

    /// `nil` if a node has the identifier of another one, or of a tab.
    init?(_ tabs: UnsafeBufferPointer<TabMetadata>, _ nodes: UnsafeBufferPointer<StructureNode>) {
        numbers.reserveCapacity(nodes.count)
        // Few tabs have the last bits of a node's identifier, so few are looked up.
        var bits = [UInt64](repeating: 0, count: 1 << 10)
        for index in nodes.indices {
            let id = nodes[index].id
            guard numbers.updateValue(tabs.count + index, forKey: id) == nil else {
                return nil
            }
            bits[Int(id.low >> 6 & 1023)] |= 1 << (id.low & 63)
        }
        var wanted: Set<NodeID> = []
        for index in tabs.indices {
            let id = NodeID(tabs[index].id)
            if bits[Int(id.low >> 6 & 1023)] & 1 << (id.low & 63) != 0, numbers[id] != nil {
                return nil
            }
            if let parent = tabs[index].parent, number(of: parent) == nil { wanted.insert(parent) }
        }
        for index in nodes.indices {
            if let parent = nodes[index].parent, number(of: parent) == nil { wanted.insert(parent) }
        }
        guard !wanted.isEmpty else { return }
        for index in tabs.indices where wanted.contains(NodeID(tabs[index].id)) {
            numbers[NodeID(tabs[index].id)] = index
        }
    }

    mutating func number(of id: NodeID) -> Int? {
        if let last, last.id == id { return last.number }
        guard let number = numbers[id] else { return nil }
        last = (id, number)
        return number
    }
}
