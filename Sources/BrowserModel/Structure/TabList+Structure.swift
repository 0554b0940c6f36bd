public import BrowserSessions

/// What a list has beside its tabs.
extension TabList {
    /// The groups, splits and other nodes that are no tabs, depth first; `[]` if there are none.
    public var nodes: [StructureNode] {
        var found: [StructureNode] = []
        if !order.nodes.isEmpty {
            order.visit { if case .node(let node) = $0 { found.append(node.record) } }
        }
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
        order.children(of: parent, edge).items.map(\.id)
    }

    /// Returns the nodes above a tab or node, nearest first; `[]` if it is at the top or not in the list.
    public func ancestors(of node: some NodeReference) -> [NodeID] {
        order.item(node.nodeID).map { order.ancestors(of: $0).map(\.id) } ?? []
    }

    /// Returns the tabs that a tab stays together with: the panes of its split, and all that branches from
    /// the tab that it branches from, however far up; the tab alone if there are none.
    package func tabs(togetherWith tab: Tab) -> ArraySlice<Tab> {
        var (below, whole) = (ListItem.tab(tab), ListItem.tab(tab))
        for above in order.ancestors(of: below) {
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
        guard tab.metadata.parent != nil else { return [] }
        return order.ancestors(of: .tab(tab)).compactMap { item in
            if case .node(let node) = item { node.record } else { nil }
        }
    }

    /// Returns the container that a new tab in or below a node gets: that of the nearest node from there
    /// upward that has one; `nil` if none does. What is there already has its own.
    public func containerForNewTabs(in node: some NodeReference) -> NodeID? {
        guard let item = order.item(node.nodeID) else { return nil }
        for above in [item] + order.ancestors(of: item) {
            switch above {
            case .tab(let tab): if let container = tab.container { return container }
            case .node(let node): if let container = node.record.container { return container }
            }
        }
        return nil
    }

    /// Returns the indexes of the tabs in a node with all that is below it; `nil` if there are none.
    public func range(of node: some NodeReference) -> Range<Int>? {
        guard let item = order.item(node.nodeID) else { return nil }
        let range = order.range(of: item)
        return range.isEmpty ? nil : range
    }

    /// Returns the zone that a tab or node is in, with what it is below; `nil` if it is not in the list.
    public func zone(of node: some NodeReference) -> NodeZone? {
        order.item(node.nodeID).map { order.zone(of: $0) }
    }

    // MARK: Groups as the rules show them

    /// The groups that have tabs and that the ``rules`` show, in order.
    public var groups: [StructureNode] {
        guard !order.nodes.isEmpty else { return [] }
        var found: [StructureNode] = []
        collectGroups(in: order.roots, depth: 0, zone: nil, &found)
        return found
    }

    /// - Parameter zone: that of what the siblings are in; `nil` if each has its own.
    private func collectGroups(
        in siblings: SiblingItems, depth: Int, zone: NodeZone?, _ found: inout [StructureNode]
    ) {
        for item in siblings.items {
            let zone = zone ?? item.zone
            var depth = depth
            if case .node(let node) = item {
                guard node.tabCount > 0 else { continue }
                if node.isGroup {
                    depth += 1
                    if depth <= rules.groupDepth, showsGroups(in: zone) {
                        found.append(node.record)
                    }
                }
                collectGroups(
                    in: node.members, depth: depth, zone: item.hasZones ? nil : zone, &found)
                collectGroups(in: node.branches, depth: depth, zone: zone, &found)
            } else if !item.isLeaf {
                collectGroups(
                    in: order.children(of: item.id, .branch), depth: depth, zone: zone, &found)
            }
        }
    }

    /// Returns a group with its name, color and collapsed state; `nil` if it is not in the list or the
    /// ``rules`` do not show it.
    public func group(_ id: TabGroupID) -> StructureNode? {
        node(id).flatMap { isShown($0) ? $0 : nil }
    }

    private func isShown(_ node: StructureNode) -> Bool {
        guard node.kind == .group, let item = order.item(node.id) else { return false }
        let depth = 1 + order.ancestors(of: item).count { $0.kind == .group }
        return depth <= rules.groupDepth && showsGroups(in: order.zone(of: item))
    }

    private func showsGroups(in zone: NodeZone) -> Bool { zone == .normal || rules.pinsGroups }

    /// Returns the zone that an item is in, and the innermost group above it that the ``rules`` show.
    func surroundings(of item: ListItem) -> (zone: NodeZone, group: ListNode?) {
        let zone = order.zone(of: item)
        guard rules.groupDepth > 0, showsGroups(in: zone) else { return (zone, nil) }
        var shown = group(above: item)
        var (outer, count) = (shown, 0)
        while let group = outer {
            outer = self.group(above: .node(group))
            count += 1
            if count > rules.groupDepth { shown = shown.flatMap { self.group(above: .node($0)) } }
        }
        return (zone, shown)
    }

    /// Returns the innermost group above an item.
    private func group(above item: ListItem) -> ListNode? {
        var place = item
        while let above = place.above {
            if case .node(let node) = above, node.isGroup { return node }
            place = above
        }
        return nil
    }
}

extension TabList {
    /// Returns the tab or node for a reference.
    func item(_ reference: some NodeReference) throws(TabListError) -> ListItem {
        switch order.item(reference.nodeID) {
        case .tab(let tab)? where reference.refers(to: tab): return .tab(tab)
        case .node(let node)?: return .node(node)
        default: break
        }
        if let tab = reference as? any TabReference { throw .unknownTab(tab.tabID) }
        throw .unknownNode(reference.nodeID)
    }

    func items(
        _ references: some Sequence<some NodeReference>
    ) throws(TabListError) -> [ListItem] {
        var items: [ListItem] = []
        for reference in references { items.append(try item(reference)) }
        return items
    }
}
