import BrowserSessions

/// Where an item goes: a ``NodeTarget`` with what a list adds to it.
struct Goal {
    enum Position {
        case first
        case last
        /// Directly before or behind a sibling.
        case sibling(ListItem, isBehind: Bool)
        /// Where it begins at the index of the tabs, or near that.
        case index(Int)
        /// Where it was among the siblings that are still there.
        case former(FormerPlace)
    }

    /// What it goes below; `nil` for the top of the list.
    var parent: ListItem?
    var edge: NodeEdge
    var zone: NodeZone
    var position: Position

    /// Where what goes there was there before; `nil` if it was not.
    var former: FormerPlace? { if case .former(let former) = position { former } else { nil } }

    /// Whether an item is below the same node by the same edge, in the same zone.
    func isPlace(of item: ListItem) -> Bool {
        (parent?.id, edge, zone) == (item.parent, item.edge, item.zone)
    }

    /// Returns the place among the siblings in a forest that does not have the item there.
    func slot(in forest: TabForest) -> Int {
        let siblings = forest.children(of: parent, edge)
        switch position {
        case .first: return siblings.slots(of: zone).lowerBound
        case .last: return siblings.slots(of: zone).upperBound
        case .sibling(let sibling, let isBehind):
            guard sibling.parent == parent?.id else { return siblings.slots(of: zone).upperBound }
            let slot = siblings.slot(of: sibling) + (isBehind ? 1 : 0)
            return sibling.zone == zone ? slot : siblings.clamp(slot, in: zone)
        case .index(let index): return forest.slot(at: index, below: parent, edge, in: zone)
        case .former(let former):
            return slot(formerlyAt: former, siblings, in: forest)
        }
    }

    /// Siblings keep their order keys, unless all got new ones: then what it was behind says more.
    private func slot(
        formerlyAt former: FormerPlace, _ siblings: SiblingItems, in forest: TabForest
    ) -> Int {
        let previous = former.previous.flatMap { forest.item($0) }
            .flatMap { $0.parent == parent?.id && $0.edge.known == edge ? $0 : nil }
        let behind = previous.map { siblings.slot(of: $0) + 1 }
        guard let place = former.place else {
            if let behind { return siblings.clamp(behind, in: zone) }
            return forest.slot(at: former.index ?? .max, below: parent, edge, in: zone)
        }
        let slot = siblings.slot(behind: place, in: zone)
        return siblings.clamp(Swift.max(slot, behind ?? slot), in: zone)
    }
}

extension TabList {
    /// Returns where a target is.
    func resolve(_ target: NodeTarget) throws(TabListError) -> Goal {
        let above =
            if let parent = target.parent { Optional(try item(parent)) } else { ListItem?.none }
        var goal = Goal(parent: above, edge: target.edge, zone: .normal, position: .last)
        var sibling: ListItem?
        switch target.position {
        case .first: goal.position = .first
        case .last: goal.position = .last
        case .before(let id), .behind(let id):
            let found = try item(id)
            guard found.parent == target.parent, found.edge.known == target.edge.known else {
                throw .unknownNode(id)
            }
            let isBehind = target.position == .behind(id)
            (goal.position, sibling) = (.sibling(found, isBehind: isBehind), found)
        }
        if above == nil || above?.hasZones == true && target.edge.known == .member {
            goal.zone = target.zone ?? sibling?.zone ?? .normal
        }
        return goal
    }

    /// Returns where a node of items goes by itself: to where the first one is, or out of what cannot have it.
    ///
    /// - Throws: ``TabListError/breaksRule(_:_:)`` if it can go nowhere.
    func goal(for node: ListNode, of members: [ListItem]) throws(TabListError) -> Goal {
        guard let first = members.first else {
            let goal = Goal(parent: nil, edge: .member, zone: .normal, position: .last)
            try check(node, of: members, at: goal)
            return goal
        }
        var place = first
        let index = order.range(of: first).lowerBound
        while true {
            let zone = place.zone
            var goal = Goal(
                parent: place.above, edge: place.edge, zone: zone, position: .index(index))
            if rule(brokenBy: node, of: members, at: goal) == nil { return goal }
            guard let parent = place.above else {
                goal.zone = .normal
                try check(node, of: members, at: goal)
                return goal
            }
            place = parent
        }
    }

    func check(
        _ node: ListNode, of members: [ListItem], at goal: Goal
    ) throws(TabListError) {
        if let (id, rule) = rule(brokenBy: node, of: members, at: goal) {
            throw .breaksRule(id, rule)
        }
    }

    func check(
        _ item: ListItem, at goal: Goal, with count: Int = 0, from source: TabForest? = nil
    ) throws(TabListError) {
        if let rule = brokenRule(
            by: item, below: goal.parent, goal.edge, in: goal.zone, with: count, from: source)
        {
            throw .breaksRule(item.id, rule)
        }
    }

    /// Returns the rule that a new node with items in it would break, and by which of them.
    private func rule(
        brokenBy node: ListNode, of members: [ListItem], at goal: Goal
    ) -> (NodeID, StructureRule)? {
        let id = node.record.id
        let new = ListNode(node.record)
        new.members = SiblingItems(members)
        if let rule = brokenRule(by: .node(new), below: goal.parent, goal.edge, in: goal.zone) {
            return (id, rule)
        }
        for member in members {
            if let rule = brokenMember(member, of: node.record.kind) { return (member.id, rule) }
            if let parent = goal.parent,
                parent.isSame(member) || order.ancestors(of: parent).contains(where: member.isSame)
            {
                return (member.id, .belowItself)
            }
        }
        guard node.record.kind == .split else { return nil }
        return rules.paneCounts?.contains(members.count) == true ? nil : (id, .paneCount)
    }

    private func brokenMember(_ member: ListItem, of kind: StructureNode.Kind) -> StructureRule? {
        guard kind.hasMembers else { return .parent }
        if member.kind?.isRoot == true { return .top }
        guard kind == .split, let inner = member.kind else { return nil }
        if inner != .split { return .pane }
        return rules.nestsSplits ? nil : .nestedSplit
    }
}
