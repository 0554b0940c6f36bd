import BrowserSessions

/// Where tabs come that are new in the list or come back to it.
extension TabForest {
    /// Returns where a tab goes that comes into the list.
    func goal(
        of insertion: TabInsertion, for tab: Tab, openedBy opener: TabOpener?
    ) throws(TabListError) -> Goal {
        if let target = insertion.target {
            let goal = try self.goal(target)
            try check([tab], at: goal)
            return goal
        }
        var goal = Goal(
            zone: insertion.isPinned ? .pinned : .normal, position: .index(insertion.index ?? .max))
        if let group = insertion.group {
            guard let node = nodes[group] else { throw .unknownNode(group) }
            guard !insertion.isPinned else { throw .pinnedInGroup(tab.id) }
            goal.parent = node
            try check([tab], at: goal)
        }
        guard insertion.index == nil, let opener, let from = known.tab(opener.tab),
            let index = index(of: from)
        else { return goal }
        goal.position = .index(Swift.max(lastChild(of: opener) ?? index, index) + 1)
        guard insertion.group == nil else { return goal }
        return place(ofTabOpenedBy: from, goal)
    }

    /// Returns where a tab goes that another one opens: below it, or into the same group.
    private func place(ofTabOpenedBy opener: Tab, _ goal: Goal) -> Goal {
        var goal = goal
        if rules.opensBelow, opener.wholeZone == .normal, goal.zone == .normal,
            opener.ancestors.count < SessionForest.maximumDepth
        {
            return Goal(parent: opener, edge: .branch)
        }
        // The nearest node that the tab can be in: not a split, and nothing pinned.
        var place: any ListItem = opener
        while let parent = place.above {
            let isFree = place.hasZones || parent.hasZones || parent.wholeZone == .normal
            if isFree, parent.kind != .split || place.edge == .branch {
                (goal.parent, goal.edge) = (parent, place.edge)
                if !parent.hasZones { goal.zone = .normal }
                return goal
            }
            place = parent
        }
        return goal
    }

    /// Returns nodes with those of this list that they are below. What is in another list gets another
    /// identifier.
    func renamed(_ nodes: [StructureNode], _ tabs: inout [TabMetadata]) -> [StructureNode] {
        var ids: Set<NodeID> = []
        var nodes = nodes.filter { ids.insert($0.id).inserted }
        var names: [NodeID: NodeID] = [:]
        for id in ids where self.nodes[id] == nil && known.contains(id) { names[id] = .random() }
        if !names.isEmpty {
            for index in nodes.indices {
                if let name = names[nodes[index].id] {
                    (nodes[index].id, nodes[index].origin) = (name, nodes[index].origin)
                }
                nodes[index].parent = nodes[index].parent.map { names[$0] ?? $0 }
            }
            for index in tabs.indices {
                if let name = tabs[index].parent.flatMap({ names[$0] }) {
                    tabs[index].parent = name
                }
            }
        }
        guard !self.nodes.isEmpty else { return nodes }
        // What is here stands in for what comes with the same identifier.
        var found = Dictionary(nodes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var next = nodes.compactMap(\.parent) + tabs.compactMap(\.parent) + nodes.map(\.id)
        while let id = next.popLast() {
            guard let record = self.nodes[id]?.record, found[id] != record else { continue }
            found[id] = record
            if let parent = record.parent { next.append(parent) }
        }
        return found.values.sorted { $0.id < $1.id }
    }
}
