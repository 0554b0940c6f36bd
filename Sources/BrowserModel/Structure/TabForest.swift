import BrowserSessions

/// The tabs and other nodes of a list, with the tabs in order.
///
/// The order is depth first: a node, its members, its branches. It relies on the records of its tabs
/// and nodes: while one is in it, change its parent, edge, zone and place only through this type.
/// Callers see to it that the rules of a forest hold: a parent is there and may have such children,
/// no node is below itself, and nothing is too deep. Only its extensions change its properties.
struct TabForest {
    var tabs: [Tab] = []
    var roots = SiblingItems()
    /// The nodes that are no tabs.
    var nodes: [NodeID: ListNode] = [:]
    /// How many tabs are essential or pinned, by themselves or with what they are in.
    var pinnedCount = 0
    private let registry: TabRegistry
    private let isOffTheRecord: Bool

    init(registry: TabRegistry, isOffTheRecord: Bool) {
        self.registry = registry
        self.isOffTheRecord = isOffTheRecord
    }

    // MARK: Finding

    /// Returns the tab with an identifier, here or in another list of the profile.
    func tab(_ id: TabID) -> Tab? { registry.tab(id, offTheRecord: isOffTheRecord) }

    /// Returns a tab or another node; `nil` if it is not here.
    func item(_ id: NodeID) -> ListItem? {
        if let node = nodes[id] { return .node(node) }
        guard let tab = tab(TabID(id)), index(of: tab) != nil else { return nil }
        return .tab(tab)
    }

    /// Returns what is directly below a node by an edge; `nil` for the top of the list.
    func children(of parent: NodeID?, _ edge: NodeEdge = .member) -> SiblingItems {
        guard let parent else { return roots }
        return item(parent)?.children(edge) ?? SiblingItems()
    }

    /// Returns what is directly below an item that is here by an edge; `nil` for the top of the list.
    func children(of parent: ListItem?, _ edge: NodeEdge) -> SiblingItems {
        guard let parent else { return roots }
        return parent.children(edge)
    }

    /// Returns what is directly below the same node by the same edge as an item that is here.
    func siblings(of item: ListItem) -> SiblingItems { children(of: item.above, item.edge) }

    // MARK: Indexes

    /// Returns the index of a tab that is here; `nil`, after a search of all tabs, for any other.
    func index(of tab: Tab) -> Int? {
        let hint = Int(tab.indexHint)
        if tabs.indices.contains(hint), tabs[hint] === tab { return hint }
        return search(for: tab, near: min(max(hint, 0), max(tabs.count - 1, 0)))
    }

    /// Searches in both directions: each change of the list moves a tab only a little.
    private func search(for tab: Tab, near hint: Int) -> Int? {
        for distance in 0..<tabs.count {
            let (before, after) = (hint - distance, hint + distance)
            let isBefore = before >= 0 && tabs[before] === tab
            guard isBefore || (after < tabs.count && tabs[after] === tab) else { continue }
            let index = isBefore ? before : after
            tab.indexHint = Int32(index)
            if distance > Self.farthestHint { renewHints() }
            return index
        }
        return nil
    }

    /// The largest distance from a hint that does not renew all hints.
    private static let farthestHint = 256

    func renewHints() {
        for (index, tab) in tabs.enumerated() { tab.indexHint = Int32(index) }
    }
}

// MARK: - Changing

extension TabForest {
    /// Adds an item with all that is below it, where its record says.
    ///
    /// - Parameters:
    ///   - subtree: the tabs below it, in order; it is one of them if it is a tab.
    ///   - slot: where it comes among its siblings, if that is known.
    ///   - above: what it comes below; `nil` for the top.
    /// - Returns: the indexes of its tabs.
    @discardableResult
    mutating func insert(
        _ item: ListItem, with subtree: [Tab]? = nil, at slot: Int? = nil, below above: ListItem?
    ) -> Range<Int> {
        item.above = above
        let slot = slot ?? siblings(of: item).slot(of: item)
        let start = start(ofSlot: slot, below: above, item.edge)
        if case .node(let node) = item { nodes[node.record.id] = node }
        change(above, item.edge) { $0.insert(item, at: slot) }
        let coming: [Tab]
        switch item {
        case .tab(let tab): coming = subtree ?? [tab]
        case .node: coming = subtree ?? []
        }
        if coming.count == 1 {
            tabs.insert(coming[0], at: start)
        } else {
            tabs.insert(contentsOf: coming, at: start)
        }
        for (offset, tab) in coming.enumerated() { tab.indexHint = Int32(start + offset) }
        count(coming.count, above: item)
        return start..<start + coming.count
    }

    /// Takes an item out with all that is below it, which stays below it.
    ///
    /// - Parameter range: the indexes of its tabs, if they are known.
    /// - Returns: its tabs, in order.
    mutating func remove(_ item: ListItem, from range: Range<Int>? = nil) -> [Tab] {
        let range = range ?? self.range(of: item)
        let leaving: [Tab]
        if range.count == 1 {
            leaving = [tabs.remove(at: range.lowerBound)]
        } else {
            leaving = Array(tabs[range])
            tabs.removeSubrange(range)
        }
        count(-leaving.count, above: item)
        change(item.above, item.edge) { $0.remove(item) }
        item.above = nil
        return leaving
    }

    /// Puts a tab in the place of another one, with what branches from that.
    ///
    /// - Returns: what branches from it.
    mutating func replace(_ old: Tab, with tab: Tab) -> [ListItem] {
        let branches = old.branches
        let (weight, above, start) = (old.metadata.weight, old.above.item, index(of: old) ?? 0)
        let below = remove(ListItem.tab(old))
        old.forgetBranches()
        ListItem.tab(tab).put(
            below: old.metadata.parent, old.metadata.edge, old.metadata.zone, at: old.metadata.place
        )
        tab.metadata.weight = weight
        tab.metadata.isFolded = old.metadata.isFolded
        insert(.tab(tab), with: [tab] + below.dropFirst(), below: above)
        assert(index(of: tab) == start)
        if !branches.items.isEmpty {
            for branch in branches.items {
                branch.put(below: NodeID(tab.id), .branch, branch.zone, at: branch.place)
            }
            set(branches, below: .tab(tab), .branch)
            tab.tabsBelow = below.count - 1
        }
        noteOpener(of: tab)
        forgetOpener(of: old)
        return branches.items
    }

    /// Forgets a node that was taken out and has nothing below it.
    mutating func forget(_ node: ListNode) { nodes[node.record.id] = nil }

    /// Changes what is directly below an item, or at the top of the list.
    mutating func change(
        _ parent: ListItem?, _ edge: NodeEdge, _ work: (inout SiblingItems) -> Void
    ) {
        switch parent {
        case nil: work(&roots)
        case .tab(let tab): work(&tab.branches)
        case .node(let node) where edge == .branch: work(&node.branches)
        case .node(let node): work(&node.members)
        }
    }

    /// Adds to the number of tabs of every node above an item.
    mutating func count(_ change: Int, above item: ListItem) {
        guard change != 0 else { return }
        var top = item
        while let above = top.above {
            switch above {
            case .tab(let tab): tab.tabsBelow += change
            case .node(let node): node.tabCount += change
            }
            top = above
        }
        if top.zone.rank < NodeZone.normal.rank { pinnedCount += change }
    }
}
