import BrowserSessions

/// Where tabs and nodes are.
extension TabForest {
    /// Returns how many tabs are in an item with all that is below it.
    func tabCount(of item: ListItem) -> Int {
        switch item {
        case .tab(let tab): 1 + tab.tabsBelow
        case .node(let node): node.tabCount
        }
    }

    /// Returns the indexes of the tabs in an item with all that is below it. They may be none.
    func range(of item: ListItem) -> Range<Int> {
        let start = start(of: item)
        return start..<start + tabCount(of: item)
    }

    /// Returns the index of the first tab of an item, or the one that it would have.
    private func start(of item: ListItem) -> Int {
        switch item {
        case .tab(let tab): return index(of: tab) ?? 0
        case .node(let node):
            if let first = firstTab(of: node) { return index(of: first) ?? 0 }
            let slot = siblings(of: item).slot(of: item)
            return start(ofSlot: slot, below: item.above, item.edge)
        }
    }

    /// Returns the index of the tab that a new item gets at a slot among its siblings.
    func start(ofSlot slot: Int, below parent: ListItem?, _ edge: NodeEdge) -> Int {
        for sibling in children(of: parent, edge).items[..<slot].reversed() {
            if let last = lastTab(of: sibling) { return (index(of: last) ?? 0) + 1 }
        }
        switch parent {
        case nil: return 0
        case .tab(let tab): return (index(of: tab) ?? 0) + 1
        case .node(let node)?:
            if edge == .branch {
                for member in node.members.items.reversed() {
                    if let last = lastTab(of: member) { return (index(of: last) ?? 0) + 1 }
                }
            }
            let item = ListItem.node(node)
            return start(
                ofSlot: siblings(of: item).slot(of: item), below: item.above, item.edge)
        }
    }

    private func firstTab(of node: ListNode) -> Tab? {
        guard node.tabCount > 0 else { return nil }
        for siblings in [node.members, node.branches] {
            for item in siblings.items {
                switch item {
                case .tab(let tab): return tab
                case .node(let inner): if let first = firstTab(of: inner) { return first }
                }
            }
        }
        return nil
    }

    /// Returns the last tab of an item with all that is below it; `nil` if there is none.
    private func lastTab(of item: ListItem) -> Tab? {
        switch item {
        case .tab(let tab):
            guard tab.tabsBelow > 0 else { return tab }
            return tab.branches.items.reversed().lazy.compactMap { lastTab(of: $0) }.first ?? tab
        case .node(let node):
            guard node.tabCount > 0 else { return nil }
            let branch = node.branches.items.reversed().lazy.compactMap { lastTab(of: $0) }.first
            return branch
                ?? node.members.items.reversed().lazy.compactMap { lastTab(of: $0) }.first
        }
    }

    /// Returns where an item is; if it was left behind and not moved since, where it belongs.
    ///
    /// - Parameter index: the index of its first tab, if that is known.
    func formerPlace(of item: ListItem, at index: Int? = nil) -> FormerPlace {
        if let former = item.closedFrom { return former }
        var former = FormerPlace()
        (former.parent, former.edge, former.zone) = (item.parent, item.edge, item.zone)
        (former.place, former.weight) = (item.place, item.weight)
        let siblings = siblings(of: item)
        let slot = siblings.slot(of: item)
        former.previous = slot > 0 ? siblings.items[slot - 1].id : nil
        former.index = index ?? start(of: item)
        return former
    }

    /// Returns the tabs that are out of sight with the one at an index; `nil` if that is in sight.
    func hiddenRange(at index: Int) -> Range<Int>? {
        let tab = tabs[index]
        var hidden = tab.metadata.isHidden ? index..<index + 1 : nil
        guard tab.metadata.parent != nil else { return hidden }
        var below = ListItem.tab(tab)
        for above in ancestors(of: below) {
            if below.edge == .branch ? above.isFolded : above.isCollapsed {
                let siblings = siblings(of: below).items
                let end = siblings.last.map { range(of: $0).upperBound } ?? index + 1
                hidden = range(of: siblings.first ?? below).lowerBound..<end
            }
            below = above
        }
        return hidden
    }

    /// Visits all tabs and nodes, depth first.
    func visit(_ visitor: (ListItem) -> Void) { visit(roots, visitor) }

    /// Visits an item and all below it, depth first.
    func visit(_ item: ListItem, _ visitor: (ListItem) -> Void) {
        visitor(item)
        if case .node(let node) = item { visit(node.members, visitor) }
        if !item.isLeaf { visit(item.children(.branch), visitor) }
    }

    private func visit(_ siblings: SiblingItems, _ visitor: (ListItem) -> Void) {
        for item in siblings.items { visit(item, visitor) }
    }

    /// Returns the zone that an item is in, with what it is below.
    func zone(of item: ListItem) -> NodeZone {
        var top = item
        while let above = top.above, !above.hasZones { top = above }
        return top.zone
    }

    /// Returns the nodes above an item, nearest first.
    func ancestors(of item: ListItem) -> [ListItem] {
        var found: [ListItem] = []
        var next = item.above
        while let above = next {
            found.append(above)
            next = above.above
        }
        return found
    }
}
