/// The order of tabs and nodes that break no rule, found without changing any of them.
///
/// Almost every session that is read is sound, so a restore tries this first. It is linear for tabs in the
/// order of their places, and sorts small keys otherwise.
struct SoundForest {
    /// The numbers of tabs and nodes as in ``ForestElements``, depth first.
    private(set) var order: [Int32] = []

    private let tabs: UnsafeBufferPointer<TabMetadata>
    private let nodes: UnsafeBufferPointer<StructureNode>
    private var parents: [Int32] = []
    private var firsts: (members: [Int32], branches: [Int32]) = ([], [])
    private var next: [Int32] = []

    private var count: Int { tabs.count + nodes.count }
    /// Where the lists of the top are.
    private var top: Int { count }

    /// Orders tabs and nodes; `nil` if a rule is broken.
    ///
    /// No two tabs may have one identifier.
    init?(
        _ tabs: UnsafeBufferPointer<TabMetadata>, _ nodes: UnsafeBufferPointer<StructureNode>
    ) {
        (self.tabs, self.nodes) = (tabs, nodes)
        guard findParents() else { return nil }
        link()
        guard walk() else { return nil }
    }

    // MARK: Parents

    private mutating func findParents() -> Bool {
        var numbers: [NodeID: Int32] = [:]
        numbers.reserveCapacity(nodes.count)
        for index in nodes.indices {
            let old = numbers.updateValue(Int32(tabs.count + index), forKey: nodes[index].id)
            guard old == nil else { return false }
        }
        var wanted: Set<NodeID> = []
        for tab in tabs {
            if numbers[NodeID(tab.id)] != nil { return false }
            if let parent = tab.parent, numbers[parent] == nil { wanted.insert(parent) }
        }
        for node in nodes {
            if let parent = node.parent, numbers[parent] == nil { wanted.insert(parent) }
        }
        if !wanted.isEmpty {
            for index in tabs.indices where wanted.contains(NodeID(tabs[index].id)) {
                numbers[NodeID(tabs[index].id)] = Int32(index)
            }
        }
        parents.reserveCapacity(count)
        for tab in tabs {
            guard let parent = Self.number(tab.parent, numbers) else { return false }
            parents.append(parent)
        }
        for node in nodes {
            guard let parent = Self.number(node.parent, numbers) else { return false }
            parents.append(parent)
        }
        return true
    }

    /// Returns the number of a parent, -1 at the top; `nil` if it is not there.
    private static func number(_ parent: NodeID?, _ numbers: [NodeID: Int32]) -> Int32? {
        guard let parent else { return -1 }
        return numbers[parent]
    }

    // MARK: Order

    private struct Key {
        var rank: Int64
        var place: OrderKey
        var element: Int32
    }

    private mutating func link() {
        let none = [Int32](repeating: -1, count: count + 1)
        firsts = (none, none)
        next = none
        let tabs = sorted(
            self.tabs.indices.map {
                Key(rank: self.tabs[$0].zone.rank, place: self.tabs[$0].place, element: Int32($0))
            })
        let nodes = sorted(
            self.nodes.indices.map {
                Key(
                    rank: self.nodes[$0].zone.rank, place: self.nodes[$0].place,
                    element: Int32(self.tabs.count + $0))
            })
        // From the last to the first, because each one comes before those that are linked.
        var (tab, node) = (tabs.count - 1, nodes.count - 1)
        while tab >= 0 || node >= 0 {
            if node < 0 || tab >= 0 && precedes(nodes[node], tabs[tab]) {
                prepend(tabs[tab].element)
                tab -= 1
            } else {
                prepend(nodes[node].element)
                node -= 1
            }
        }
    }

    private func sorted(_ keys: [Key]) -> [Key] {
        let isSorted = zip(keys, keys.dropFirst()).allSatisfy { precedes($0, $1) }
        return isSorted ? keys : keys.sorted { precedes($0, $1) }
    }

    private func precedes(_ one: Key, _ other: Key) -> Bool {
        if one.rank != other.rank { return one.rank < other.rank }
        return one.place != other.place
            ? one.place < other.place : id(Int(one.element)) < id(Int(other.element))
    }

    private mutating func prepend(_ element: Int32) {
        let parent = parents[Int(element)]
        let list = parent < 0 ? top : Int(parent)
        if isBranch(Int(element)) {
            next[Int(element)] = firsts.branches[list]
            firsts.branches[list] = element
        } else {
            next[Int(element)] = firsts.members[list]
            firsts.members[list] = element
        }
    }

    // MARK: Rules

    /// Visits all from the top, depth first; returns whether each one is reached and breaks no rule.
    private mutating func walk() -> Bool {
        order.reserveCapacity(count)
        var stack: [(element: Int32, depth: Int)] = []
        if firsts.members[top] >= 0 { stack.append((firsts.members[top], 0)) }
        while let (element, depth) = stack.popLast() {
            let number = Int(element)
            guard depth <= ForestRepair.maximumDepth, isSound(number) else { return false }
            order.append(element)
            if next[number] >= 0 { stack.append((next[number], depth)) }
            if firsts.branches[number] >= 0 { stack.append((firsts.branches[number], depth + 1)) }
            if firsts.members[number] >= 0 { stack.append((firsts.members[number], depth + 1)) }
        }
        return order.count == count
    }

    private func isSound(_ element: Int) -> Bool {
        if element >= tabs.count {
            let node = nodes[element - tabs.count]
            let first = firsts.members[element]
            if node.kind == .split, first < 0 || next[Int(first)] < 0 { return false }
            if node.kind == .group, first < 0, node.style.isEmpty { return false }
            if node.kind.isRoot, parents[element] >= 0 { return false }
        }
        guard parents[element] >= 0 else { return true }
        let parent = Int(parents[element])
        let parentKind = parent < tabs.count ? nil : nodes[parent - tabs.count].kind
        if zone(element) != .normal, parentKind != .space, parentKind != .view { return false }
        guard let parentKind else { return isBranch(element) }
        if isBranch(element) { return parentKind.hasBranches }
        guard parentKind == .split else { return parentKind.hasMembers }
        return (element < tabs.count || nodes[element - tabs.count].kind == .split)
            && weight(element) >= 0
    }

    private func id(_ element: Int) -> NodeID {
        element < tabs.count ? NodeID(tabs[element].id) : nodes[element - tabs.count].id
    }

    private func zone(_ element: Int) -> NodeZone {
        element < tabs.count ? tabs[element].zone : nodes[element - tabs.count].zone
    }

    private func weight(_ element: Int) -> Int32 {
        element < tabs.count ? tabs[element].weight : nodes[element - tabs.count].weight
    }

    /// Whether an element is a branch of its parent; at the top, everything is a member.
    private func isBranch(_ element: Int) -> Bool {
        guard parents[element] >= 0 else { return false }
        return element < tabs.count
            ? tabs[element].edge == .branch : nodes[element - tabs.count].edge == .branch
    }
}
