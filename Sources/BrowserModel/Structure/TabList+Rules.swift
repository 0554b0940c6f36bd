import BrowserSessions

extension TabList {
    /// Returns the rule that an item would break below another one; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - count: how many more items come to the same place.
    ///   - source: the forest that the item is in; `nil` for that of this list.
    func brokenRule(
        by item: ListItem, below parent: ListItem?, _ edge: NodeEdge, in zone: NodeZone,
        with count: Int = 0, from source: TabForest? = nil
    ) -> StructureRule? {
        var path: [ListItem] = []
        var next = parent
        while let above = next {
            if above.isSame(item) { return .belowItself }
            path.append(above)
            next = above.above
        }
        if let above = path.first, let rule = brokenRule(by: item, below: above, edge, with: count)
        {
            return rule
        }
        let inside = Inside(item)
        if path.count + inside.depth > SessionForest.maximumDepth + 1 { return .depth }
        if inside.groupDepth > 0 {
            let groups = path.count { $0.kind == .group }
            let isDeeper =
                source != nil || order.item(item.id) == nil
                || groups > order.ancestors(of: item).count { $0.kind == .group }
            if isDeeper, groups + inside.groupDepth > rules.groupDepth { return .groupDepth }
        }
        if edge == .branch, !rules.hasBranches, item.parent != parent?.id || item.edge != edge {
            return .branches
        }
        var zone = zone
        if let above = path.first, edge == .branch || !above.hasZones {
            zone = (path.dropFirst().prefix { !$0.hasZones }.last ?? above).zone
        } else if !rules.zones.contains(zone), zone != item.zone {
            return .zone
        }
        guard zone != .normal else { return nil }
        if source == nil, order.item(item.id) != nil, zone == order.zone(of: item) { return nil }
        if inside.groupDepth > 0, !rules.pinsGroups { return .pinnedGroup }
        return inside.hasSplits && !rules.pinsSplits ? .pinnedSplit : nil
    }

    private func brokenRule(
        by item: ListItem, below above: ListItem, _ edge: NodeEdge, with count: Int
    ) -> StructureRule? {
        if let kind = item.kind, kind.isRoot { return .top }
        if edge == .branch { return (above.kind?.hasBranches ?? true) ? nil : .parent }
        guard let kind = above.kind, kind.hasMembers else { return .parent }
        guard kind == .split else { return nil }
        guard item.kind == nil || item.kind == .split else { return .pane }
        if item.kind == .split, !rules.nestsSplits { return .nestedSplit }
        let panes = order.children(of: above.id).items.count + count
        let isThere = item.parent == above.id && item.edge.known == .member
        let most = rules.paneCounts?.upperBound ?? 0
        return isThere || panes + 1 <= most ? nil : .paneCount
    }
}

/// What is in an item, and the item.
private struct Inside {
    /// How many levels there are.
    private(set) var depth = 1
    /// How many groups are in each other.
    private(set) var groupDepth = 0
    private(set) var hasSplits = false

    init(_ item: ListItem) {
        if item.kind == nil, item.isLeaf { return }
        var below = item.children(.branch).items
        if case .node(let node) = item { below += node.members.items }
        hasSplits = item.kind == .split
        for child in below where child.kind != nil || !child.isLeaf {
            let inner = Inside(child)
            depth = max(depth, inner.depth + 1)
            groupDepth = max(groupDepth, inner.groupDepth)
            hasSplits = hasSplits || inner.hasSplits
        }
        if !below.isEmpty { depth = max(depth, 2) }
        if item.kind == .group { groupDepth += 1 }
    }
}
