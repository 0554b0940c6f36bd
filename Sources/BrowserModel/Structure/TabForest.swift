package import BrowserSessions

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
    /// What was done and is not sent yet, in order.
    var changes: [TabListChange] = []
    let rules: StructureRules
    /// The tabs and nodes of the partition, here and in other lists of the profile.
    let known: TabRegistry.Partition

    init(rules: StructureRules, known: TabRegistry.Partition) {
        (self.rules, self.known) = (rules, known)
    }

    /// Returns what was done since the last call.
    mutating func takeChanges() -> [TabListChange] {
        defer { changes = [] }
        return changes
    }

    // MARK: Finding

    /// Returns a tab or another node; `nil` if it is not here.
    func item(_ id: NodeID) -> (any ListItem)? {
        if let node = nodes[id] { return node }
        guard let tab = known.tab(TabID(id)), index(of: tab) != nil else { return nil }
        return tab
    }

    /// Returns what is directly below an item that is here by an edge; `nil` for the top of the list.
    func children(of parent: (any ListItem)?, _ edge: NodeEdge) -> SiblingItems {
        parent?.children(edge) ?? roots
    }

    /// Returns what is directly below the same node by the same edge as an item that is here.
    func siblings(of item: any ListItem) -> SiblingItems { children(of: item.above, item.edge) }

    /// Visits all tabs and nodes, depth first.
    func visit(_ visitor: (any ListItem) -> Void) {
        for item in roots.items { item.visit(visitor) }
    }

    /// Returns where an item is; if it was left behind and not moved since, where it belongs.
    ///
    /// - Parameter index: the index of its first tab, if that is known.
    func formerPlace(of item: any ListItem, at index: Int? = nil) -> FormerPlace {
        if let former = item.closedFrom { return former }
        var former = FormerPlace()
        (former.parent, former.edge, former.zone) = (item.parent, item.edge, item.zone)
        (former.place, former.weight) = (item.place, item.weight)
        let siblings = siblings(of: item)
        let slot = siblings.slot(of: item)
        former.previous = slot > 0 ? siblings.items[slot - 1].nodeID : nil
        former.index = index ?? start(of: item)
        return former
    }

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

    /// Returns the indexes of the tabs in an item with all that is below it. They may be none.
    func range(of item: any ListItem) -> Range<Int> {
        let start = start(of: item)
        return start..<start + item.tabCount
    }

    /// Returns the index of the first tab of an item, or the one that it would have.
    private func start(of item: any ListItem) -> Int {
        if let first = item.firstTab { return index(of: first) ?? 0 }
        return start(ofSlot: siblings(of: item).slot(of: item), below: item.above, item.edge)
    }

    /// Returns the index of the tab that a new item gets at a slot among its siblings.
    func start(ofSlot slot: Int, below parent: (any ListItem)?, _ edge: NodeEdge) -> Int {
        for sibling in children(of: parent, edge).items[..<slot].reversed() {
            if let last = sibling.lastTab { return (index(of: last) ?? 0) + 1 }
        }
        guard let parent else { return 0 }
        if let tab = parent.tab { return (index(of: tab) ?? 0) + 1 }
        if edge == .branch {
            for member in parent.children(.member).items.reversed() {
                if let last = member.lastTab { return (index(of: last) ?? 0) + 1 }
            }
        }
        return start(
            ofSlot: siblings(of: parent).slot(of: parent), below: parent.above, parent.edge)
    }

    /// Returns the tabs that are out of sight with the one at an index; `nil` if that is in sight.
    func hiddenRange(at index: Int) -> Range<Int>? {
        let tab = tabs[index]
        var hidden = tab.metadata.isHidden ? index..<index + 1 : nil
        var below: any ListItem = tab
        while let above = below.above {
            if below.edge == .branch ? above.isFolded : above.isCollapsed {
                let siblings = siblings(of: below).items
                let end = siblings.last.map { range(of: $0).upperBound } ?? index + 1
                hidden = range(of: siblings.first ?? below).lowerBound..<end
            }
            below = above
        }
        return hidden
    }

    // MARK: Groups as the rules show them

    /// Whether the rules show a node, which is here, as a group.
    func isShown(_ node: ListNode) -> Bool {
        guard node.isGroup else { return false }
        let depth = 1 + node.ancestors.count(where: \.isGroup)
        return depth <= rules.groupDepth && showsGroups(in: node.wholeZone)
    }

    private func showsGroups(in zone: NodeZone) -> Bool { zone == .normal || rules.pinsGroups }

    /// Returns the zone that an item is in, and the innermost group above it that the rules show.
    func surroundings(of item: any ListItem) -> (zone: NodeZone, group: ListNode?) {
        let zone = item.wholeZone
        guard rules.groupDepth > 0, showsGroups(in: zone) else { return (zone, nil) }
        var shown = item.groupAbove
        var (outer, count) = (shown, 0)
        while let group = outer {
            outer = group.groupAbove
            count += 1
            if count > rules.groupDepth { shown = shown?.groupAbove }
        }
        return (zone, shown)
    }
}

/// The tabs and nodes in all lists of a profile. It keeps their identifiers unique in each partition.
package final class TabRegistry {
    private let regular = Partition()
    private let incognito = Partition()

    package init() {}

    package subscript(partition: StoragePartition) -> Partition {
        partition == .regular ? regular : incognito
    }

    /// The tabs and nodes of a partition, in one table for all of its lists, which also find their tabs here.
    package final class Partition {
        private var tabs: [TabID: Tab] = [:]
        // An identifier is that of one node in a partition, which is in one list.
        private var nodes: Set<NodeID> = []

        /// Returns the tab with an identifier in any list of the partition; `nil` if there is none.
        package func tab(_ id: TabID) -> Tab? { tabs[id] }

        /// Returns whether a list of the partition has a tab or another node with the identifier.
        func contains(_ id: NodeID) -> Bool { nodes.contains(id) || tabs[TabID(id)] != nil }

        /// Reserves capacity for additional tabs.
        package func reserve(_ count: Int) { tabs.reserveCapacity(tabs.count + count) }

        /// Registers a tab, with nearly always only one lookup.
        ///
        /// - Returns: `false` if its identifier is registered; then nothing changes.
        @discardableResult
        func insert(_ tab: Tab) -> Bool {
            guard let other = tabs.updateValue(tab, forKey: tab.id) else { return true }
            tabs[tab.id] = other
            return false
        }

        /// Registers the tabs that satisfy the predicate and have new identifiers.
        ///
        /// - Returns: the registered tabs, in their order.
        func insert(_ tabs: [Tab], where mayCome: (Tab) -> Bool) -> [Tab] {
            // Nearly always, all of the tabs are registered.
            guard let first = tabs.firstIndex(where: { !(mayCome($0) && insert($0)) })
            else { return tabs }
            return tabs[..<first] + tabs[(first + 1)...].filter { mayCome($0) && insert($0) }
        }

        func insert(_ node: NodeID) { nodes.insert(node) }
        func remove(_ tab: TabID) { tabs[tab] = nil }
        func remove(_ node: NodeID) { nodes.remove(node) }
    }
}
