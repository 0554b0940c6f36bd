import BrowserSessions

/// Where tabs and nodes may go.
extension TabForest {
    /// Returns the tab or node for a reference.
    func resolve(_ reference: some NodeReference) throws(TabListError) -> any ListItem {
        if let item = item(reference.nodeID), item.tab.map(reference.refers) ?? true { return item }
        if let tab = reference as? any TabReference { throw .unknownTab(tab.tabID) }
        throw .unknownNode(reference.nodeID)
    }

    /// Returns where a target is.
    func goal(_ target: NodeTarget) throws(TabListError) -> Goal {
        var goal = Goal(edge: target.edge)
        if let parent = target.parent { goal.parent = try resolve(parent) }
        var sibling: (any ListItem)?
        switch target.position {
        case .first: goal.position = .first
        case .last: break
        case .before(let id), .behind(let id):
            let found = try resolve(id)
            guard found.parent == target.parent, found.edge.known == target.edge.known else {
                throw .unknownNode(id)
            }
            let isBehind = target.position == .behind(id)
            (goal.position, sibling) = (.sibling(found, isBehind: isBehind), found)
        }
        if goal.parent.map({ $0.hasZones && target.edge.known == .member }) ?? true {
            goal.zone = target.zone ?? sibling?.zone ?? .normal
        }
        return goal
    }

    /// Returns where a node of items goes by itself: to where the first one is, or out of what cannot have it.
    ///
    /// - Throws: ``TabListError/breaksRule(_:_:)`` if it can go nowhere.
    func goal(
        for node: ListNode, of members: [any ListItem]
    ) throws(TabListError) -> Goal {
        var goal = Goal()
        if let first = members.first {
            goal.position = .index(range(of: first).lowerBound)
            var place: (any ListItem)? = first
            while let item = place {
                (goal.parent, goal.edge, goal.zone) = (item.above, item.edge, item.zone)
                if rule(brokenBy: node, of: members, at: goal) == nil { return goal }
                place = item.above
            }
            goal.zone = .normal
        }
        try check(node, of: members, at: goal)
        return goal
    }

    func check(_ node: ListNode, of members: [any ListItem], at goal: Goal) throws(TabListError) {
        if let (id, rule) = rule(brokenBy: node, of: members, at: goal) {
            throw .breaksRule(id, rule)
        }
    }

    /// - Parameter isForeign: whether the items are in the forest of another list.
    func check(
        _ items: [any ListItem], at goal: Goal, isForeign: Bool = false
    ) throws(TabListError) {
        for (count, item) in items.enumerated() {
            if let rule = brokenRule(by: item, at: goal, with: count, isForeign: isForeign) {
                throw .breaksRule(item.nodeID, rule)
            }
        }
    }

    /// Returns the rule that a new node with items in it would break, and by which of them.
    private func rule(
        brokenBy node: ListNode, of members: [any ListItem], at goal: Goal
    ) -> (NodeID, StructureRule)? {
        let (id, kind, new) = (node.record.id, node.record.kind, ListNode(node.record))
        new.members = SiblingItems(members)
        if let rule = brokenRule(by: new, at: goal) { return (id, rule) }
        for member in members {
            if let rule = rule(brokenBy: member, in: kind) { return (member.nodeID, rule) }
            if let parent = goal.parent,
                parent === member || parent.ancestors.contains(where: { $0 === member })
            {
                return (member.nodeID, .belowItself)
            }
        }
        guard kind == .split else { return nil }
        return rules.paneCounts?.contains(members.count) == true ? nil : (id, .paneCount)
    }

    /// Returns the rule that an item would break as a member of a node of a kind.
    private func rule(
        brokenBy item: any ListItem, in kind: StructureNode.Kind?
    ) -> StructureRule? {
        guard let kind, kind.hasMembers else { return .parent }
        if item.kind?.isRoot == true { return .top }
        guard kind == .split, let inner = item.kind else { return nil }
        if inner != .split { return .pane }
        return rules.nestsSplits ? nil : .nestedSplit
    }

    /// Returns the rule that an item would break below another one; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - count: how many more items come to the same place.
    ///   - isForeign: whether the item is in the forest of another list.
    func brokenRule(
        by item: any ListItem, at goal: Goal, with count: Int = 0, isForeign: Bool = false
    ) -> StructureRule? {
        let edge = goal.edge
        let path = goal.parent.map { [$0] + $0.ancestors } ?? []
        if path.contains(where: { $0 === item }) { return .belowItself }
        if let above = path.first, let rule = brokenRule(by: item, below: above, edge, with: count)
        {
            return rule
        }
        let inside = Inside(item)
        let isHere = !isForeign && self.item(item.nodeID) != nil
        if path.count + inside.depth > SessionForest.maximumDepth + 1 { return .depth }
        if inside.groupDepth > 0 {
            let groups = path.count(where: \.isGroup)
            let isDeeper = !isHere || groups > item.ancestors.count(where: \.isGroup)
            if isDeeper, groups + inside.groupDepth > rules.groupDepth { return .groupDepth }
        }
        if edge == .branch, !rules.hasBranches,
            item.parent != path.first?.nodeID || item.edge != edge
        {
            return .branches
        }
        var zone = goal.zone
        if let above = path.first, edge == .branch || !above.hasZones {
            zone = (path.dropFirst().prefix { !$0.hasZones }.last ?? above).zone
        } else if !rules.zones.contains(zone), zone != item.zone {
            return .zone
        }
        guard zone != .normal, !isHere || zone != item.wholeZone else { return nil }
        if inside.groupDepth > 0, !rules.pinsGroups { return .pinnedGroup }
        return inside.hasSplits && !rules.pinsSplits ? .pinnedSplit : nil
    }

    private func brokenRule(
        by item: any ListItem, below above: any ListItem, _ edge: NodeEdge, with count: Int
    ) -> StructureRule? {
        if let kind = item.kind, kind.isRoot { return .top }
        if edge == .branch { return (above.kind?.hasBranches ?? true) ? nil : .parent }
        if let rule = rule(brokenBy: item, in: above.kind) { return rule }
        guard above.kind == .split else { return nil }
        let panes = children(of: above, .member).items.count + count
        let isThere = item.parent == above.nodeID && item.edge.known == .member
        return isThere || panes < rules.paneCounts?.upperBound ?? 0 ? nil : .paneCount
    }
}

/// What is in an item, and the item.
private struct Inside {
    /// How many levels there are.
    private(set) var depth = 1
    /// How many groups are in each other.
    private(set) var groupDepth = 0
    private(set) var hasSplits = false

    init(_ item: any ListItem) {
        if item.kind == nil, item.isLeaf { return }
        hasSplits = item.kind == .split
        let below = (item.node?.members.items ?? []) + item.children(.branch).items
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
