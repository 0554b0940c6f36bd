/// The order of tabs and nodes that break no rule, found without changing any of them.
///
/// Almost every session that is read is sound, so a restore tries this first. It is linear for tabs in the
/// order of their zones and places, and sorts numbers otherwise. No record is copied.
struct SoundForest {
    /// The numbers of tabs and nodes as in ``ForestElements``, depth first.
    private(set) var order: [Int] = []

    private let tabs: UnsafeBufferPointer<TabMetadata>
    private let nodes: UnsafeBufferPointer<StructureNode>
    private let marks: [ForestMark]
    private let rules: [NodeRules]
    private var lists: SiblingLists

    /// Orders tabs and nodes; `nil` if a rule is broken.
    ///
    /// No two tabs may have one identifier.
    ///
    /// - Parameter hasParts: whether a node may have too little in it.
    init?(
        _ tabs: UnsafeBufferPointer<TabMetadata>, _ nodes: UnsafeBufferPointer<StructureNode>,
        hasParts: Bool = false
    ) {
        guard let marks = ForestMark.marks(of: tabs, nodes) else { return nil }
        (self.tabs, self.nodes, self.marks) = (tabs, nodes, marks)
        rules = nodes.indices.map {
            let rules = NodeRules(nodes[$0].kind, isPlain: nodes[$0].style.isEmpty)
            return hasParts ? rules.subtracting(.needsMember) : rules
        }
        lists = SiblingLists(count: marks.count)
        link()
        guard walk() else { return nil }
    }

    // MARK: Order

    /// Prepends each element to the list of its parent, from the last one to the first.
    private mutating func link() {
        let tabs = sorted(0..<tabs.count)
        var nodes = sorted(tabs.count..<marks.count)[...]
        for tab in tabs.reversed() {
            while let node = nodes.last, precedes(tab, node) {
                prepend(node)
                nodes.removeLast()
            }
            prepend(tab)
        }
        for node in nodes.reversed() { prepend(node) }
    }

    private func sorted(_ elements: Range<Int>) -> [Int] {
        let isSorted = elements.dropFirst().allSatisfy { precedes($0 - 1, $0) }
        return isSorted ? Array(elements) : elements.sorted { precedes($0, $1) }
    }

    private func precedes(_ one: Int, _ other: Int) -> Bool {
        if marks[one].rank != marks[other].rank { return marks[one].rank < marks[other].rank }
        if marks[one].head != marks[other].head { return marks[one].head < marks[other].head }
        let (left, right) = (placeAndID(one), placeAndID(other))
        return left.place != right.place ? left.place < right.place : left.id < right.id
    }

    private func placeAndID(_ element: Int) -> (place: OrderKey, id: NodeID) {
        element < tabs.count
            ? (tabs[element].place, NodeID(tabs[element].id))
            : (nodes[element - tabs.count].place, nodes[element - tabs.count].id)
    }

    private mutating func prepend(_ element: Int) {
        let mark = marks[element]
        lists.prepend(
            element, to: mark.parent < 0 ? marks.count : mark.parent,
            mark.isBranch ? .branch : .member)
    }

    // MARK: Rules

    /// Visits all from the top, depth first; returns whether each one is reached and breaks no rule.
    private mutating func walk() -> Bool {
        order.reserveCapacity(marks.count)
        var waiting: [(element: Int, depth: Int)] = []
        var (element, depth) = (lists.first(of: marks.count, .member), 0)
        while element >= 0 {
            guard depth <= ForestRepair.maximumDepth, isSound(element) else { return false }
            order.append(element)
            let next = lists.next[element]
            let (member, branch) = (
                lists.first(of: element, .member), lists.first(of: element, .branch)
            )
            if member >= 0 || branch >= 0 {
                if next >= 0 { waiting.append((next, depth)) }
                if member >= 0, branch >= 0 { waiting.append((branch, depth + 1)) }
                (element, depth) = (member >= 0 ? member : branch, depth + 1)
            } else if next >= 0 {
                element = next
            } else {
                (element, depth) = waiting.popLast() ?? (-1, 0)
            }
        }
        return order.count == marks.count
    }

    private func isSound(_ element: Int) -> Bool {
        let mark = marks[element]
        let own = element < tabs.count ? NodeRules.tab : rules[element - tabs.count]
        if own.contains(.needsMember) {
            let first = lists.first(of: element, .member)
            if first < 0 || own.contains(.isSplit) && lists.next[first] < 0 { return false }
        }
        guard mark.parent >= 0 else { return true }
        let holder = mark.parent < tabs.count ? NodeRules.tab : rules[mark.parent - tabs.count]
        if own.contains(.isRoot) { return false }
        if mark.rank != NodeZone.normal.rank, !holder.contains(.hasZones) { return false }
        if mark.isBranch { return holder.contains(.hasBranches) }
        if holder.contains(.isSplit), mark.weight < 0 || !own.contains(.isPane) { return false }
        return holder.contains(.hasMembers)
    }
}

/// What rules say of an element, without its kind as text.
private struct NodeRules: OptionSet {
    let rawValue: UInt8

    static let hasMembers = NodeRules(rawValue: 1)
    static let hasBranches = NodeRules(rawValue: 2)
    static let hasZones = NodeRules(rawValue: 4)
    static let isRoot = NodeRules(rawValue: 8)
    static let isSplit = NodeRules(rawValue: 16)
    static let isPane = NodeRules(rawValue: 32)
    static let needsMember = NodeRules(rawValue: 64)

    static let tab: NodeRules = [.hasBranches, .isPane]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ kind: StructureNode.Kind, isPlain: Bool) {
        self = []
        if kind.hasMembers { insert(.hasMembers) }
        if kind.hasBranches { insert(.hasBranches) }
        if kind == .space || kind == .view { insert(.hasZones) }
        if kind.isRoot { insert(.isRoot) }
        if kind == .split { formUnion([.isSplit, .isPane, .needsMember]) }
        if kind == .group, isPlain { insert(.needsMember) }
    }
}
