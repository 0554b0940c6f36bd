public import BrowserSessions

/// What a list has beside its tabs.
extension TabList {
    /// The groups, splits and other nodes that are no tabs, depth first; `[]` if there are none.
    public var nodes: [StructureNode] { records { _ in true } }

    private func records(where isIncluded: (ListNode) -> Bool) -> [StructureNode] {
        guard !order.nodes.isEmpty else { return [] }
        var found: [StructureNode] = []
        order.visit { if let node = $0.node, isIncluded(node) { found.append(node.record) } }
        return found
    }

    /// The tabs and nodes with their depths, depth first, for a view that draws them all.
    public var forest: SessionForest {
        SessionForest(tabs: tabs.map(\.metadata), nodes: nodes)
    }

    /// Returns a node that is no tab; `nil` if it is not in the list.
    public func node(_ id: NodeID) -> StructureNode? { order.nodes[id]?.record }

    /// Whether a tab or node is in the list.
    package func has(_ id: NodeID) -> Bool { order.item(id) != nil }

    /// Returns the tabs and nodes directly below a node by an edge, in order; `[]` if there are none.
    ///
    /// - Parameters:
    ///   - parent: the node; `nil` for the top of the list.
    ///   - edge: whether they are in it or branch from it.
    public func children(of parent: NodeID?, _ edge: NodeEdge = .member) -> [NodeID] {
        let siblings = parent.map { order.item($0)?.children(edge) ?? SiblingItems() }
        return (siblings ?? order.roots).items.map(\.nodeID)
    }

    /// Returns the nodes above a tab or node, nearest first; `[]` if it is at the top or not in the list.
    public func ancestors(of node: some NodeReference) -> [NodeID] {
        order.item(node.nodeID)?.ancestors.map(\.nodeID) ?? []
    }

    /// Returns the tabs that a tab stays together with: the panes of its split, and all that branches from
    /// the tab that it branches from, however far up; the tab alone if there are none.
    package func tabs(togetherWith tab: Tab) -> ArraySlice<Tab> {
        var (below, whole): (any ListItem, any ListItem) = (tab, tab)
        while let above = below.above {
            if above.kind == .split || below.edge == .branch { whole = above }
            below = above
        }
        return tabs[order.range(of: whole)]
    }

    /// Returns whether a list of tabs does not show a tab for the time being: it is hidden, in a collapsed
    /// group, or on a folded branch; `false` if it is not in the list.
    public func isOutOfSight(_ tab: some TabReference) -> Bool {
        index(of: tab).map { order.hiddenRange(at: $0) != nil } ?? false
    }

    /// Returns the nodes above a tab that are no tabs, nearest first.
    package func nodes(above tab: Tab) -> [StructureNode] {
        tab.ancestors.compactMap(\.node?.record)
    }

    /// Returns the container that a new tab in or below a node gets: that of the nearest node from there
    /// upward that has one; `nil` if none does. What is there already has its own.
    public func containerForNewTabs(in node: some NodeReference) -> NodeID? {
        guard let item = order.item(node.nodeID) else { return nil }
        return ([item] + item.ancestors).lazy
            .compactMap { $0.node?.record.container ?? $0.tab?.container }.first
    }

    /// Returns the indexes of the tabs in a node with all that is below it; `nil` if there are none.
    public func range(of node: some NodeReference) -> Range<Int>? {
        order.item(node.nodeID).map { order.range(of: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the zone that a tab or node is in, with what it is below; `nil` if it is not in the list.
    public func zone(of node: some NodeReference) -> NodeZone? {
        order.item(node.nodeID)?.wholeZone
    }

    // MARK: Groups as the rules show them

    /// The groups that have tabs and that the ``rules`` show, in order.
    public var groups: [StructureNode] { records { $0.tabsBelow > 0 && order.isShown($0) } }

    /// Returns a group with its name, color and collapsed state; `nil` if it is not in the list or the
    /// ``rules`` do not show it.
    public func group(_ id: NodeID) -> StructureNode? {
        order.nodes[id].flatMap { order.isShown($0) ? $0.record : nil }
    }

    /// Returns a group that the list lacks as it can have it: under another identifier if another list of
    /// the profile has one with its own.
    package func named(_ group: StructureNode) -> StructureNode {
        guard order.known.contains(group.id) else { return group }
        var copy = group
        (copy.id, copy.origin) = (.random(), group.origin)
        return copy
    }
}
