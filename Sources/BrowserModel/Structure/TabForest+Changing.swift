import BrowserSessions

/// Single tabs and nodes that come, go and move.
extension TabForest {
    /// The maximum length of a new key; beyond it, all siblings get new ones. A store accepts 128
    /// bytes.
    static let longestPlace = 48

    /// Takes an item to another place, with all that is below it.
    ///
    /// - Parameters:
    ///   - former: where it belongs, if what it was in went; `nil` for what somebody moves.
    ///   - place: its order key there, if that is known.
    mutating func take(
        _ item: any ListItem, to goal: Goal, leaving former: FormerPlace? = nil,
        at place: OrderKey? = nil
    ) {
        let (parent, edge, zone, key) = (item.parent, item.edge, item.zone, item.place)
        let old = range(of: item)
        let moving = remove(item, from: old)
        let place = place ?? goal.former?.place
        if let place { item.put(at: place) }
        let (new, isRenumbered) = put(item, with: moving, at: goal, isBack: place != nil)
        let isLeftBehind = item.closedFrom != former
        item.closedFrom = former
        note(
            item, moving, from: old, to: new,
            isElsewhere: (parent, edge, zone) != (item.parent, goal.edge, goal.zone),
            hasNewPlace: key != item.place || isLeftBehind)
        if isRenumbered { changes.append(.renumbered) }
    }

    /// Takes an item to another place, and ends what has too little in it then.
    mutating func move(_ item: any ListItem, to goal: Goal) {
        let former = item.parent
        take(item, to: goal)
        endIfEmpty(former)
    }

    /// Moves items to a place, where they come to stand in this order.
    mutating func move(_ items: [any ListItem], to goal: Goal) {
        var goal = goal
        for item in items {
            move(item, to: goal)
            goal.position = .sibling(item, isBehind: true)
        }
    }

    private mutating func note(
        _ item: any ListItem, _ tabs: [Tab], from old: Range<Int>, to new: Range<Int>,
        isElsewhere: Bool, hasNewPlace: Bool
    ) {
        let (from, to) = (old.lowerBound, new.lowerBound)
        let isMoved = from != to && !tabs.isEmpty
        if let tab = item.tab, tabs.count == 1 {
            if isMoved { changes.append(.moved(tab, from: from, to: to)) }
            if isElsewhere || hasNewPlace && !isMoved {
                changes.append(.attributesChanged(tab, at: to))
            }
        } else if isMoved || isElsewhere || hasNewPlace {
            changes.append(.subtreeMoved(item.nodeID, tabs, from: from, to: to))
        }
    }

    /// Puts an item into a new node, which takes its place.
    mutating func enclose(_ item: any ListItem, in node: ListNode) {
        let (above, edge, range) = (item.above, item.edge, range(of: item))
        node.setPlace(item.parent, edge, item.zone, item.place)
        node.above = above
        add(node)
        change(above, edge) { $0.replace(item, with: node) }
        item.put(below: node.record.id, .member, .normal, at: item.place)
        (item.above, item.closedFrom) = (node, nil)
        (node.members, node.tabsBelow) = (SiblingItems([item]), range.count)
        note(
            item, Array(tabs[range]), from: range, to: range, isElsewhere: true, hasNewPlace: false)
    }

    /// Puts an item that is not in the forest among its new siblings. It keeps its order key if that fits
    /// there.
    ///
    /// - Parameters:
    ///   - subtree: the tabs in it, as ``remove(_:from:)`` returned them; `nil` for a new item.
    ///   - isBack: whether it was there before, and something may have its order key for the time being.
    /// - Returns: the indexes of its tabs, and whether no key was left and its siblings got new ones.
    mutating func put(
        _ item: any ListItem, with subtree: [Tab]? = nil, at goal: Goal, isBack: Bool = false
    ) -> (range: Range<Int>, isRenumbered: Bool) {
        let slot = goal.slot(in: self)
        let (before, after) = neighbors(ofSlot: slot, at: goal)
        var place = item.place
        var isRenumbered = false
        // What came meanwhile may have the order key of what is back: then that comes directly behind.
        if isBack || goal.former != nil, place == before,
            let behind = place.keysBehind(count: 1)?.first
        {
            place = behind
        }
        if !Self.isBetween(place, before, after) {
            place = .between(before, and: after)
            if !Self.isBetween(place, before, after) || place.length > Self.longestPlace {
                place = renumber(below: goal.parent, goal.edge, leaving: slot)
                isRenumbered = true
            }
        }
        item.put(below: goal.parent?.nodeID, goal.edge, goal.zone, at: place)
        return (insert(item, with: subtree, at: slot, below: goal.parent), isRenumbered)
    }

    /// Returns the order keys before and after a slot, as far as they are of its zone. Siblings that are
    /// still referred to while one comes would all be copied.
    private func neighbors(ofSlot slot: Int, at goal: Goal) -> (before: OrderKey?, after: OrderKey?)
    {
        let siblings = children(of: goal.parent, goal.edge).items
        func place(at index: Int) -> OrderKey? {
            guard siblings.indices.contains(index) else { return nil }
            return siblings[index].zone == goal.zone ? siblings[index].place : nil
        }
        return (place(at: slot - 1), place(at: slot))
    }

    /// Returns whether an order key is between those of the neighbors and can be saved.
    static func isBetween(_ place: OrderKey, _ before: OrderKey?, _ after: OrderKey?) -> Bool {
        guard place.length <= OrderKey.maximumLength else { return false }
        return (before.map { $0 < place } ?? true) && (after.map { place < $0 } ?? true)
    }

    /// Gives all children of a node new keys, and returns one for another child at a slot.
    private func renumber(
        below parent: (any ListItem)?, _ edge: NodeEdge, leaving slot: Int
    ) -> OrderKey {
        let siblings = children(of: parent, edge).items
        let places = OrderKey.evenlySpaced(count: siblings.count + 1)
        for (index, sibling) in siblings.enumerated() {
            sibling.put(at: places[index < slot ? index : index + 1])
        }
        return places[slot]
    }

    /// Adds an item with all that is below it, where its record says.
    ///
    /// - Parameters:
    ///   - subtree: the tabs below it, in order; it is one of them if it is a tab.
    ///   - slot: where it comes among its siblings.
    ///   - above: what it comes below; `nil` for the top.
    /// - Returns: the indexes of its tabs.
    private mutating func insert(
        _ item: any ListItem, with subtree: [Tab]?, at slot: Int, below above: (any ListItem)?
    ) -> Range<Int> {
        item.above = above
        let start = start(ofSlot: slot, below: above, item.edge)
        change(above, item.edge) { $0.items.insert(item, at: slot) }
        let coming = subtree ?? item.tab.map { [$0] } ?? []
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
    /// - Parameter range: the indexes of its tabs.
    /// - Returns: its tabs, in order.
    @discardableResult
    mutating func remove(_ item: any ListItem, from range: Range<Int>) -> [Tab] {
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
    mutating func replace(_ old: Tab, with tab: Tab) -> [any ListItem] {
        let (branches, metadata, above) = (old.branches, old.metadata, old.above)
        let slot = siblings(of: old).slot(of: old)
        let below = remove(old, from: range(of: old))
        old.forgetBranches()
        tab.put(below: metadata.parent, metadata.edge, metadata.zone, at: metadata.place)
        tab.metadata.weight = metadata.weight
        tab.metadata.isFolded = metadata.isFolded
        _ = insert(tab, with: [tab] + below.dropFirst(), at: slot, below: above)
        if !branches.items.isEmpty {
            for branch in branches.items {
                branch.put(below: NodeID(tab.id), .branch, branch.zone, at: branch.place)
            }
            set(branches, below: tab, .branch)
            tab.tabsBelow = below.count - 1
        }
        noteOpener(of: tab)
        forgetOpener(of: old)
        return branches.items
    }

    /// Adds a node that is not among its siblings yet.
    mutating func add(_ node: ListNode) {
        nodes[node.record.id] = node
        known.insert(node.record.id)
    }

    /// Changes what is directly below an item, or at the top of the list.
    mutating func change(
        _ parent: (any ListItem)?, _ edge: NodeEdge, _ work: (inout SiblingItems) -> Void
    ) {
        if let parent { parent.change(edge, work) } else { work(&roots) }
    }

    /// Adds to the number of tabs of every node above an item.
    mutating func count(_ change: Int, above item: any ListItem) {
        guard change != 0 else { return }
        var top = item
        while let above = top.above {
            above.tabsBelow += change
            top = above
        }
        if top.zone.rank < NodeZone.normal.rank { pinnedCount += change }
    }

    // MARK: Nodes that end, and what was below them

    /// Takes children of an item out of it: behind it, in their order. What cannot be a pane comes below the
    /// split that the item is a pane of.
    ///
    /// - Parameter isClosing: whether the item is closed, and gets them back if that is undone.
    mutating func lift(
        _ children: [any ListItem], outOf item: any ListItem, closing isClosing: Bool
    ) {
        guard let split = item.above, split.kind == .split
        else { return takeBehind(item, children, closing: isClosing) }
        let former = children.map { isClosing ? formerPlace(of: $0) : nil }
        var goal = Goal(parent: split, edge: .branch, position: .first)
        for (child, former) in zip(children, former) {
            take(child, to: goal, leaving: former)
            goal.position = .sibling(child, isBehind: true)
        }
    }

    /// Takes items directly behind another one, in their order. What is left behind comes before what was
    /// closed behind it.
    private mutating func takeBehind(
        _ item: any ListItem, _ items: [any ListItem], closing isClosing: Bool
    ) {
        let former = items.map { isClosing ? formerPlace(of: $0) : nil }
        let keys = isClosing && !items.isEmpty ? item.place.keysBehind(count: items.count) : nil
        for index in items.indices.reversed() {
            take(items[index], to: Goal(behind: item), leaving: former[index], at: keys?[index])
        }
    }

    /// Ends a node. What is in it takes its place, with what branches from it.
    ///
    /// - Parameter isClosing: whether it ends because what was in it is closed.
    mutating func dissolve(_ node: ListNode, closing isClosing: Bool) {
        let branches = node.children(.branch).items
        if node.record.kind == .split, let last = node.members.items.last {
            for branch in branches {
                take(
                    branch, to: Goal(parent: last, edge: .branch),
                    leaving: isClosing ? formerPlace(of: branch) : nil)
            }
            let panes = node.members.items
            takeBehind(node, panes, closing: isClosing)
            if panes.count == 1 { panes[0].weight = node.record.weight }
        } else {
            lift(node.members.items + branches, outOf: node, closing: isClosing)
        }
        var record = node.record
        record.closedFrom = formerPlace(of: node)
        remove(node, from: range(of: node))
        nodes[record.id] = nil
        known.remove(record.id)
        changes.append(.nodeEnded(record))
    }

    /// Ends nodes that have too little in them, from one upward: a group without members and without a style,
    /// and a split with less than two panes.
    mutating func endIfEmpty(_ id: NodeID?, closing isClosing: Bool = false) {
        var next = id
        while let id = next, let node = nodes[id], isTooLittle(node.members.items.count, in: node) {
            next = node.record.parent
            dissolve(node, closing: isClosing)
        }
    }

    /// Whether a node ends that has only so many members.
    func isTooLittle(_ members: Int, in node: ListNode) -> Bool {
        node.record.kind == .split ? members < 2 : node.record.isPlainGroup && members == 0
    }

    /// Ends nodes, and leaves what else is in them; those that are below others of them come later.
    mutating func end(_ ending: [ListNode], closing isClosing: Bool = false) {
        for node in ending.reversed() where nodes[node.record.id] === node {
            let parent = node.record.parent
            dissolve(node, closing: isClosing)
            endIfEmpty(parent, closing: isClosing)
        }
    }

    /// Ends the nodes among these that have too little in them.
    mutating func endIfEmpty(_ candidates: [NodeID], closing isClosing: Bool = false) {
        for id in candidates.count > 1 ? Set(candidates).sorted() : candidates {
            endIfEmpty(id, closing: isClosing)
        }
    }
}
