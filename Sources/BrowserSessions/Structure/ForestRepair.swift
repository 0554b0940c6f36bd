/// Puts the tabs and nodes of a session in their order, and repairs what breaks the rules of a forest.
///
/// The repairs and their order are deterministic, and repairing twice equals repairing once. Work and
/// memory are linear in the number of nodes, apart from sorting, whatever their parents are.
struct ForestRepair {
    var elements: ForestElements
    private(set) var repairs: [SessionRepair] = []

    /// The number of each element's parent; -1 at the top.
    var parents: [Int] = []
    /// Elements that are not where their records say, and get a place among their siblings.
    var moved: Set<Int> = []
    var lists = SiblingLists()

    /// The deepest level that a node may have.
    static let maximumDepth = 64

    /// Whether nodes may have too little in them.
    let hasParts: Bool

    init(tabs: [TabMetadata], nodes: [StructureNode], hasParts: Bool = false) {
        self.hasParts = hasParts
        elements = ForestElements(tabs: tabs, nodes: nodes)
    }

    // MARK: Doubles

    /// Gives all but the first of several nodes with one id another one, derived from it. References
    /// mean the first. Tabs come before other nodes.
    mutating func renameDoubles() {
        var known: Set<NodeID> = []
        known.reserveCapacity(elements.count)
        var doubles: [Int] = []
        for element in 0..<elements.count where !known.insert(elements.id(element)).inserted {
            doubles.append(element)
        }
        for element in doubles {
            let old = elements.id(element)
            var new = old
            repeat { new = new.successor } while !known.insert(new).inserted
            elements.setID(new, of: element)
            note(.doubleRenamed, element, from: old)
        }
    }

    // MARK: Parents

    /// - Parameter isElsewhere: whether an identifier is that of a node in another session.
    mutating func findParents(_ isElsewhere: (NodeID) -> Bool) {
        var numbers: [NodeID: Int] = [:]
        for element in elements.tabs.count..<elements.count {
            numbers[elements.id(element)] = element
        }
        var wanted: Set<NodeID> = []
        for element in 0..<elements.count {
            if let parent = elements.parent(element), numbers[parent] == nil {
                wanted.insert(parent)
            }
        }
        if !wanted.isEmpty {
            for tab in elements.tabs.indices where wanted.contains(elements.id(tab)) {
                numbers[elements.id(tab)] = tab
            }
        }
        makeGroups(for: wanted.filter { numbers[$0] == nil }, &numbers, isElsewhere)
        parents = (0..<elements.count).map { element in
            elements.parent(element).flatMap { numbers[$0] } ?? -1
        }
        for element in 0..<elements.count where parents[element] >= 0 {
            let parent = elements.id(parents[element])
            guard elements.parent(element) != parent else { continue }
            elements.setParent(parent, elements.edge(element), of: element)
        }
        for element in 0..<elements.count where elements.parent(element) != nil {
            if parents[element] < 0 {
                takeToTop(element, .parentMissing)
            } else if elements.zone(element) != .normal, !hasZones(parents[element]) {
                takeToTop(element, .pinnedTabUngrouped)
            }
        }
    }

    /// Whether the members of a node may be pinned apart from it.
    private func hasZones(_ element: Int) -> Bool {
        let kind = elements.kind(element)
        return kind == .space || kind == .view
    }

    /// Makes a plain group for each missing node that has members. It has the identifier of that node, or
    /// one derived from it if the node is in another session, which keeps it.
    private mutating func makeGroups(
        for missing: Set<NodeID>, _ numbers: inout [NodeID: Int], _ isElsewhere: (NodeID) -> Bool
    ) {
        guard !missing.isEmpty else { return }
        var needed: Set<NodeID> = []
        for element in 0..<elements.count {
            guard let parent = elements.parent(element), missing.contains(parent),
                elements.edge(element) != .branch, elements.zone(element) == .normal
            else { continue }
            needed.insert(parent)
        }
        var last = (0..<elements.count).filter { elements.parent($0) == nil }
            .map { elements.place($0) }.max()
        var known: Set<NodeID> = []
        for id in needed.sorted() {
            let place = OrderKey.between(last, and: nil)
            last = place
            var own = id
            if isElsewhere(id) {
                if known.isEmpty { known = missing.union((0..<elements.count).map(elements.id)) }
                repeat { own = own.successor } while isElsewhere(own) || known.contains(own)
                known.insert(own)
            }
            elements.nodes.append(StructureNode(id: own, .group, place: place))
            numbers[id] = elements.count - 1
            repairs.append(SessionRepair(.groupAdded, node: own))
        }
    }

    /// Takes an element to the end of its zone at the top.
    private mutating func takeToTop(_ element: Int, _ kind: SessionRepair.Kind) {
        let old = elements.parent(element)
        parents[element] = -1
        elements.setParent(nil, .member, of: element)
        moved.insert(element)
        note(kind, element, from: old)
    }

    /// Takes the node with the greatest id out of each cycle.
    mutating func cutCycles() {
        // 0: not seen; a number: seen on the way up that has this number.
        var seen = [Int](repeating: 0, count: elements.count)
        for start in 0..<elements.count where seen[start] == 0 {
            var element = start
            while element >= 0, seen[element] == 0 {
                seen[element] = start + 1
                element = parents[element]
            }
            guard element >= 0, seen[element] == start + 1 else { continue }
            var greatest = element
            var other = parents[element]
            while other != element {
                if elements.id(other) > elements.id(greatest) { greatest = other }
                other = parents[other]
            }
            takeToTop(greatest, .cycleCut)
        }
    }

    // MARK: Notes

    mutating func note(_ kind: SessionRepair.Kind, _ element: Int, from old: NodeID? = nil) {
        let isTab = element < elements.tabs.count
        let own = elements.id(element)
        repairs.append(
            SessionRepair(
                kind, tab: isTab ? TabID(own) : nil, node: isTab ? nil : own, oldParent: old,
                newParent: elements.parent(element)))
    }
}

extension Identifier {
    /// The next identifier.
    fileprivate var successor: Self {
        let (next, isOver) = low.addingReportingOverflow(1)
        return Self(high: isOver ? high &+ 1 : high, low: next)
    }
}
