import BrowserSessions

// MARK: - Many at once

extension TabForest {
    /// The hint of a tab that is being removed together with others.
    private static let isLeaving: Int32 = -1

    /// Removes tabs without branches, in time that depends only on the list's length.
    mutating func remove(_ leaving: [Tab]) {
        guard leaving.count > 1 else {
            for tab in leaving { _ = remove(ListItem.tab(tab)) }
            return
        }
        for tab in leaving { count(-1, above: .tab(tab)) }
        for tab in leaving { tab.indexHint = Self.isLeaving }
        // One of each group of siblings.
        let items = leaving.map { ListItem.tab($0) }
        let some = Dictionary(items.map { (Edge(above: $0), $0) }) { first, _ in first }
        for item in some.values {
            change(item.above, item.edge) { siblings in
                siblings.removeAll {
                    if case .tab(let tab) = $0 { tab.indexHint == Self.isLeaving } else { false }
                }
            }
        }
        for tab in leaving { tab.above = ItemAbove() }
        tabs.removeAll { $0.indexHint == Self.isLeaving }
        renewHints()
    }

    /// Removes everything.
    mutating func removeAll() {
        for tab in tabs { ListItem.tab(tab).leaveForest() }
        for node in nodes.values { ListItem.node(node).leaveForest() }
        (tabs, roots, nodes, pinnedCount) = ([], SiblingItems(), [:], 0)
    }

    /// Adds a node that is not among its siblings yet.
    mutating func add(_ node: ListNode) { nodes[node.record.id] = node }

    /// Returns a node, or a tab that comes and is not among the tabs yet.
    func comingItem(_ id: NodeID) -> ListItem? {
        if let node = nodes[id] { return .node(node) }
        return tab(TabID(id)).map { .tab($0) }
    }

    /// Sets what is directly below an item. The order of tabs is wrong until ``order()``.
    mutating func set(_ siblings: SiblingItems, below parent: ListItem?, _ edge: NodeEdge) {
        if let parent { for item in siblings.items { item.above = parent } }
        change(parent, edge) { $0 = siblings }
    }

    /// Puts the tabs in order, depth first, and counts them.
    mutating func order() {
        var ordered: [Tab] = []
        pinnedCount = 0
        ordered.reserveCapacity(roots.items.count)
        for item in roots.items {
            append(item, to: &ordered)
            if item.zone.rank < NodeZone.normal.rank { pinnedCount = ordered.count }
        }
        tabs = ordered
        renewHints()
    }

    private mutating func append(_ item: ListItem, to tabs: inout [Tab]) {
        switch item {
        case .tab(let tab):
            tabs.append(tab)
            guard tab.hasBranches else { return }
            let before = tabs.count
            for branch in tab.branches.items { append(branch, to: &tabs) }
            tab.tabsBelow = tabs.count - before
        case .node(let node):
            let before = tabs.count
            for member in node.members.items { append(member, to: &tabs) }
            for branch in node.branches.items { append(branch, to: &tabs) }
            node.tabCount = tabs.count - before
        }
    }
}
