import BrowserSessions

/// Where items go among their siblings, and the order keys that say so.
extension TabForest {
    /// How an item was taken to another place.
    struct Relocation {
        let item: ListItem
        /// The tabs in the item with all that is below it.
        let tabs: [Tab]
        /// The indexes of the tabs before and after.
        let old, new: Range<Int>
        /// Whether its parent, edge or zone is another one.
        let isElsewhere: Bool
        /// Whether its order among its siblings, or what is noted of its former place, is another one.
        let hasNewPlace: Bool
        /// Whether its siblings got new order keys.
        let isRenumbered: Bool
    }

    /// The maximum length of a new key; beyond it, all siblings get new ones. A store accepts 128
    /// bytes.
    static let longestPlace = 48

    /// Returns the slot at which an item would begin at an index of the tabs, or the nearest one that
    /// its zone allows. An item that is not among the siblings comes behind one that the index is in.
    func slot(
        at index: Int, below parent: ListItem?, _ edge: NodeEdge, in zone: NodeZone
    ) -> Int {
        let siblings = children(of: parent, edge)
        // Nearly always, the tab before is in one of the siblings.
        if index > 0, index <= tabs.count,
            let before = item(with: tabs[index - 1], directlyBelow: parent, edge)
        {
            let slot = siblings.slot(of: before) + 1
            return before.zone == zone ? slot : siblings.clamp(slot, in: zone)
        }
        let allowed = siblings.slots(of: zone)
        var (low, high) = (allowed.lowerBound, allowed.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if range(of: siblings.items[middle]).lowerBound < index {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// Returns the item directly below a node that a tab is in; `nil` if there is none.
    private func item(
        with tab: Tab, directlyBelow parent: ListItem?, _ edge: NodeEdge
    ) -> ListItem? {
        var item = ListItem.tab(tab)
        while let above = item.above {
            if let parent, above.isSame(parent), item.edge.known == edge.known { return item }
            item = above
        }
        return parent == nil ? item : nil
    }

    /// Takes an item to another place, with all that is below it.
    ///
    /// - Parameters:
    ///   - former: where it belongs, if what it was in went; `nil` for what somebody moves.
    ///   - place: its order key there, if that is known.
    ///   - slot: where it goes among its new siblings, when it has left its place.
    mutating func take(
        _ item: ListItem, below parent: ListItem?, _ edge: NodeEdge, in zone: NodeZone,
        leaving former: FormerPlace? = nil, at place: OrderKey? = nil, slot: (TabForest) -> Int
    ) -> Relocation {
        let (wasBelow, wasEdge, wasIn, wasAt) = (item.parent, item.edge, item.zone, item.place)
        let old = range(of: item)
        let moving = remove(item, from: old)
        if let place { item.put(below: wasBelow, wasEdge, wasIn, at: place) }
        let new = put(
            item, with: moving, at: slot(self), below: parent, edge, in: zone, isBack: place != nil)
        let isLeftBehind = item.closedFrom != former
        item.closedFrom = former
        return Relocation(
            item: item, tabs: moving, old: old, new: new.range,
            isElsewhere: (wasBelow, wasEdge, wasIn) != (item.parent, edge, zone),
            hasNewPlace: wasAt != item.place || isLeftBehind, isRenumbered: new.isRenumbered)
    }

    /// Puts an item into a new node, which takes its place.
    mutating func enclose(_ item: ListItem, in node: ListNode) -> Relocation {
        let (new, above, edge, range) = (
            ListItem.node(node), item.above, item.edge, range(of: item)
        )
        new.put(below: item.parent, edge, item.zone, at: item.place)
        new.above = above
        nodes[node.record.id] = node
        change(above, edge) { $0.replace(item, with: new) }
        item.put(below: node.record.id, .member, .normal, at: item.place)
        (item.above, item.closedFrom) = (new, nil)
        (node.members, node.tabCount) = (SiblingItems([item]), range.count)
        return Relocation(
            item: item, tabs: Array(tabs[range]), old: range, new: range, isElsewhere: true,
            hasNewPlace: false, isRenumbered: false)
    }

    /// Puts an item that is not in the forest at a slot among its new siblings. It keeps its order key
    /// if that fits there.
    ///
    /// - Parameters:
    ///   - subtree: the tabs in it, as ``remove(_:)`` returned them; `nil` for a new item.
    ///   - isBack: whether it was there before, and something may have its order key for the time being.
    /// - Returns: the indexes of its tabs, and whether no key was left and its siblings got new ones.
    @discardableResult
    mutating func put(
        _ item: ListItem, with subtree: [Tab]? = nil, at slot: Int, below parent: ListItem?,
        _ edge: NodeEdge, in zone: NodeZone, isBack: Bool = false
    ) -> (range: Range<Int>, isRenumbered: Bool) {
        let (before, after) = neighbors(ofSlot: slot, below: parent, edge, in: zone)
        var place = item.place
        var isRenumbered = false
        // What came meanwhile may have the order key of what is back: then that comes directly behind.
        if isBack, place == before, let behind = place.keysBehind(count: 1)?.first {
            place = behind
        }
        if !Self.isBetween(place, before, after) {
            place = .between(before, and: after)
            if !Self.isBetween(place, before, after) || place.length > Self.longestPlace {
                place = renumber(below: parent, edge, leaving: slot)
                isRenumbered = true
            }
        }
        item.put(below: parent?.id, edge, zone, at: place)
        return (insert(item, with: subtree, at: slot, below: parent), isRenumbered)
    }

    /// Returns the order keys before and after a slot, as far as they are of its zone. Siblings that are
    /// still referred to while one comes would all be copied.
    private func neighbors(
        ofSlot slot: Int, below parent: ListItem?, _ edge: NodeEdge, in zone: NodeZone
    ) -> (before: OrderKey?, after: OrderKey?) {
        let siblings = children(of: parent, edge).items
        func place(at index: Int) -> OrderKey? {
            guard siblings.indices.contains(index) else { return nil }
            return siblings[index].zone == zone ? siblings[index].place : nil
        }
        return (place(at: slot - 1), place(at: slot))
    }

    /// Returns whether an order key is between those of the neighbors and can be saved.
    static func isBetween(_ place: OrderKey, _ before: OrderKey?, _ after: OrderKey?) -> Bool {
        guard place.length <= OrderKey.maximumLength else { return false }
        return (before.map { $0 < place } ?? true) && (after.map { place < $0 } ?? true)
    }

    /// Gives all children of a node new keys, and returns one for another child at a slot.
    private func renumber(below parent: ListItem?, _ edge: NodeEdge, leaving slot: Int) -> OrderKey
    {
        let siblings = children(of: parent, edge).items
        let places = OrderKey.evenlySpaced(count: siblings.count + 1)
        for (index, sibling) in siblings.enumerated() {
            let place = places[index < slot ? index : index + 1]
            sibling.put(below: sibling.parent, sibling.edge, sibling.zone, at: place)
        }
        return places[slot]
    }
}
