import BrowserSessions

// MARK: - Many at once

extension TabForest {
    /// The hint of a tab that is being removed together with others.
    private static let isLeaving: Int32 = -1
    /// The hint of a tab with branches while all tabs are put in order.
    private static let hasBranches: Int32 = -2

    /// Removes tabs without branches, in time that depends only on the list's length.
    mutating func remove(_ leaving: [Tab]) {
        guard leaving.count > 1 else {
            for tab in leaving { _ = remove(ListItem.tab(tab)) }
            return
        }
        for tab in leaving { count(-1, above: .tab(tab)) }
        for tab in leaving { tab.indexHint = Self.isLeaving }
        var parents: [NodeID?: Set<NodeEdge>] = [:]
        for tab in leaving { parents[tab.metadata.parent, default: []].insert(tab.metadata.edge) }
        for (parent, edges) in parents {
            for edge in edges {
                change(parent, edge) { siblings in
                    siblings.removeAll {
                        if case .tab(let tab) = $0 {
                            tab.indexHint == Self.isLeaving
                        } else {
                            false
                        }
                    }
                }
            }
        }
        tabs.removeAll { $0.indexHint == Self.isLeaving }
        renewHints()
    }

    /// Removes everything.
    mutating func removeAll() {
        (tabs, roots, nodes, branching, pinnedCount) = ([], SiblingItems(), [:], [:], 0)
    }

    /// Adds a node that is not among its siblings yet.
    mutating func add(_ node: ListNode) { nodes[node.record.id] = node }

    /// Sets what is directly below a node. The order of tabs is wrong until ``order()``.
    mutating func set(_ siblings: SiblingItems, below parent: NodeID?, _ edge: NodeEdge) {
        guard let parent else { return roots = siblings }
        if let node = nodes[parent] {
            if edge == .branch { node.branches = siblings } else { node.members = siblings }
        } else if let tab = tab(TabID(parent)) {
            branching[tab.id, default: Branching(tab: tab)].branches = siblings
        }
    }

    /// Puts the tabs in order, depth first, and counts them.
    mutating func order() {
        var ordered: [Tab] = []
        pinnedCount = 0
        if nodes.isEmpty, branching.isEmpty {
            ordered.reserveCapacity(roots.items.count)
            for case .tab(let tab) in roots.items { ordered.append(tab) }
            pinnedCount = ordered.prefix { $0.metadata.zone.rank < NodeZone.normal.rank }.count
        } else {
            // Few tabs have branches: looking for those of each tab would take longer than all else.
            for branching in branching.values { branching.tab.indexHint = Self.hasBranches }
            for item in roots.items {
                append(item, to: &ordered)
                if item.zone.rank < NodeZone.normal.rank { pinnedCount = ordered.count }
            }
        }
        tabs = ordered
        renewHints()
    }

    private mutating func append(_ item: ListItem, to tabs: inout [Tab]) {
        switch item {
        case .tab(let tab):
            tabs.append(tab)
            guard tab.indexHint == Self.hasBranches,
                let branches = branching[tab.id]?.branches.items
            else { return }
            let before = tabs.count
            for branch in branches { append(branch, to: &tabs) }
            branching[tab.id]?.tabCount = tabs.count - before
        case .node(let node):
            let before = tabs.count
            for member in node.members.items { append(member, to: &tabs) }
            for branch in node.branches.items { append(branch, to: &tabs) }
            node.tabCount = tabs.count - before
        }
    }
}
