import BrowserSessions

/// The forest of a session according to the contract alone, for sequences with few nodes.
struct ModelForest {
    /// A tab or another node.
    struct Element {
        var id: NodeID
        var parent: NodeID?
        var edge: NodeEdge
        var zone: NodeZone
        var place: OrderKey
        var weight: Int32
        /// `nil` for a tab.
        var node: StructureNode?

        init(_ tab: TabMetadata) {
            (id, parent, edge) = (NodeID(tab.id), tab.parent, tab.edge)
            (zone, place, weight) = (tab.zone, tab.place, tab.weight)
        }

        init(_ node: StructureNode) {
            (id, parent, edge) = (node.id, node.parent, node.edge)
            (zone, place, weight) = (node.zone, node.place, node.weight)
            self.node = node
        }
    }

    /// The tabs in their order, if no rule is broken.
    let tabs: [TabMetadata]
    /// The nodes in their order, if no rule is broken.
    let nodes: [StructureNode]
    private let elements: [NodeID: Element]
    /// Whether nodes may have too little in them.
    private let hasParts: Bool

    init(tabs: [TabMetadata], nodes: [StructureNode], in session: SessionID) {
        hasParts = session.kind.role == .shelf
        let all = tabs.map(Element.init) + nodes.map(Element.init)
        elements = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
        let children = Dictionary(grouping: all, by: \.parent)
        var order: [NodeID: Int] = [:]
        func visit(_ parent: NodeID?) {
            let below = children[parent] ?? []
            let members = below.filter { $0.edge != .branch || parent == nil }
            let branches = below.filter { $0.edge == .branch && parent != nil }
            for list in [members, branches] {
                for element in list.sorted(by: Self.precedes) where order[element.id] == nil {
                    order[element.id] = order.count
                    visit(element.id)
                }
            }
        }
        visit(nil)
        self.tabs = tabs.sorted {
            order[NodeID($0.id), default: .max] < order[NodeID($1.id), default: .max]
        }
        self.nodes = nodes.sorted { order[$0.id, default: .max] < order[$1.id, default: .max] }
    }

    private static func precedes(_ one: Element, _ other: Element) -> Bool {
        let zones: [NodeZone] = [.essential, .pinned, .normal]
        let (left, right) = (zones.firstIndex(of: one.zone), zones.firstIndex(of: other.zone))
        if left != right { return left ?? 3 < right ?? 3 }
        return (one.place, one.id) < (other.place, other.id)
    }

    // MARK: - Rules

    /// Whether a restore needs to repair nothing.
    var obeysTheRules: Bool {
        let all = elements.values
        return all.allSatisfy(isRight) && all.allSatisfy(hasRightMembers)
    }

    /// Whether the parent of an element may hold it.
    private func isRight(_ element: Element) -> Bool {
        guard let parent = element.parent else { return true }
        guard let holder = elements[parent] else { return false }
        return Self.mayHold(holder.node?.kind, element)
    }

    /// Whether a node of a kind, or a tab, may have such a child.
    static func mayHold(_ kind: StructureNode.Kind?, _ child: Element) -> Bool {
        let roots: [StructureNode.Kind] = [.space, .view, .container]
        if let own = child.node?.kind, roots.contains(own) { return false }
        if child.zone != .normal, kind != .space, kind != .view { return false }
        let isBranch = child.edge == .branch
        switch kind {
        case nil: return isBranch
        case .container?: return false
        case .space?, .view?: return !isBranch
        case .split?: return isBranch || child.node == nil || child.node?.kind == .split
        default: return true
        }
    }

    /// Whether splits have panes, panes have weights, and plain groups have members. A session that is kept
    /// for later may have a part of a node.
    private func hasRightMembers(_ element: Element) -> Bool {
        guard let node = element.node else { return true }
        let members = elements.values.filter { $0.parent == node.id && $0.edge != .branch }
        switch node.kind {
        case .split:
            return (hasParts || members.count > 1) && members.allSatisfy { $0.weight >= 0 }
        case .group: return hasParts || !members.isEmpty || !node.style.isEmpty
        default: return true
        }
    }
}

// MARK: - Repairs

extension [TabMetadata] {
    /// Forgets what a repair of a forest may change, and sorts by id.
    mutating func forgetOrder() {
        for index in indices {
            (self[index].zone, self[index].place, self[index].weight) = (.normal, .middle, 0)
        }
        sort { $0.id < $1.id }
    }
}

extension ExpectedSession {
    /// Returns the nodes that were saved and came back, and how they came back, both without what a
    /// repair may change. Throws a ``Violation`` if it changed more.
    func nodesWithoutRepairs(_ found: [StructureNode], _ subject: String) throws -> (
        saved: [StructureNode], found: [StructureNode]
    ) {
        let (ids, foundIDs) = (Set(nodes.map(\.id)), Set(found.map(\.id)))
        for node in nodes where !foundIDs.contains(node.id) {
            let isUnneeded = node.kind == .split || node.kind == .group && node.style.isEmpty
            try require(isUnneeded, "\(subject): a \(node.kind.rawValue) is gone")
        }
        for node in found where !ids.contains(node.id) {
            let plain = StructureNode(id: node.id, .group, place: node.place)
            try require(node == plain, "\(subject): a node is there that was never saved")
        }
        func bare(_ nodes: [StructureNode], _ kept: Set<NodeID>) -> [StructureNode] {
            nodes.filter { kept.contains($0.id) }.sorted { $0.id < $1.id }.map { node in
                var node = node
                (node.parent, node.edge, node.zone) = (nil, .member, .normal)
                (node.place, node.weight) = (.middle, 0)
                return node
            }
        }
        return (bare(nodes, foundIDs), bare(found, ids))
    }
}
