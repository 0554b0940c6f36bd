public import BrowserSessions

/// Changes of a list's structure: each is one call, and each but the making of a node one record.
extension TabList {
    /// Creates a node of tabs and other nodes and returns the indexes of the tabs in it, which are none for
    /// an empty folder.
    ///
    /// What is in it leaves the nodes that it was in and gathers in it, each with all that is below it.
    /// Nodes that have too little in them after this end.
    ///
    /// - Parameters:
    ///   - node: the node. Its place comes from the target.
    ///   - members: what comes into it, in this order; by default nothing, as in a new folder or space.
    ///   - target: where it goes; `nil` for where the first member is, or as near as the ``rules`` allow.
    /// - Throws: ``TabListError/duplicateNode(_:)`` if a list of the profile has the node already;
    ///   ``TabListError/emptyNode(_:)`` for a split or a group without a style that would have nothing in
    ///   it; ``TabListError/unknownTab(_:)`` or ``TabListError/unknownNode(_:)`` for what is not in the
    ///   list; ``TabListError/breaksRule(_:_:)``; ``TabListError/reentrant`` while the list notifies its
    ///   observers. Nothing changes then.
    @discardableResult
    public func create<Members: Sequence>(
        _ node: StructureNode, of members: Members = [NodeID](), at target: NodeTarget? = nil
    ) throws(TabListError) -> Range<Int> where Members.Element: NodeReference {
        let (members, new) = (try items(of: members), ListNode(node))
        guard !order.known.contains(node.id) else { throw .duplicateNode(node.id) }
        guard !members.isEmpty || !order.isTooLittle(0, in: new) else { throw .emptyNode(node.id) }
        let goal: Goal
        if let target {
            goal = try order.goal(target)
            try order.check(new, of: members, at: goal)
        } else {
            goal = try order.goal(for: new, of: members)
        }
        if target == nil, members.count == 1, goal.isPlace(of: members[0]) {
            order.enclose(members[0], in: new)
            order.changes.append(.nodeChanged(node.id))
            tellChangesTogether()
        } else {
            performBatch { list in
                list.put(new, at: goal)
                list.order.move(members, to: Goal(parent: new))
                list.tellChanges()
                list.tell(.nodeChanged(node.id))
            }
        }
        return range(of: node) ?? 0..<0
    }

    /// Creates a split of tabs and other splits, which are its panes.
    ///
    /// - Parameters:
    ///   - panes: what is shown together, in this order.
    ///   - weights: the shares of the panes, compared with each other; the mean for those that have none.
    ///   - axis: how the panes run.
    ///   - target: where it goes; `nil` for where the first pane is, or as near as the ``rules`` allow.
    /// - Returns: the split.
    /// - Throws: the errors of ``create(_:of:at:)``. Nothing changes then.
    @discardableResult
    public func split(
        _ panes: some Sequence<some NodeReference>, weights: [Int32] = [], axis: SplitAxis = .row,
        at target: NodeTarget? = nil
    ) throws(TabListError) -> StructureNode {
        let split = StructureNode.split(axis: axis)
        try performBatch { list throws(TabListError) in
            try list.create(split, of: panes, at: target)
            for (pane, weight) in zip(list.children(of: split.id), weights) {
                try list.setWeight(weight, of: pane)
            }
        }
        return node(split.id) ?? split
    }

    /// Moves tabs and nodes, each with all that is below it.
    ///
    /// Nodes that have too little in them after this end: a group without a style when it is empty, and a
    /// split when it has one pane.
    ///
    /// - Parameters:
    ///   - nodes: what moves; they come to stand in this order.
    ///   - target: where they go.
    /// - Throws: ``TabListError/unknownTab(_:)`` or ``TabListError/unknownNode(_:)`` for what is not in the
    ///   list; ``TabListError/breaksRule(_:_:)``; ``TabListError/reentrant`` while the list notifies its
    ///   observers. Nothing changes then.
    public func move(
        _ nodes: some Sequence<some NodeReference>, to target: NodeTarget
    ) throws(TabListError) {
        let items = try items(of: nodes)
        let goal = try order.goal(target)
        try order.check(items, at: goal)
        if let node = goal.parent?.node, goal.edge == .branch {
            let staying = node.members.items.count { member in !items.contains { $0 === member } }
            if order.isTooLittle(staying, in: node) { throw .breaksRule(node.record.id, .members) }
        }
        if case .sibling(let sibling, _) = goal.position, items.contains(where: { $0 === sibling })
        {
            throw .breaksRule(sibling.nodeID, .belowItself)
        }
        order.move(items, to: goal)
        tellChangesTogether()
    }

    /// Moves a tab or node with all that is below it.
    ///
    /// - Throws: the errors of the method for several.
    public func move(_ node: some NodeReference, to target: NodeTarget) throws(TabListError) {
        try move([node], to: target)
    }

    /// Moves a tab or node into a group, split, space or view, behind what is there.
    ///
    /// - Throws: the errors of the method with a target.
    public func move(
        _ node: some NodeReference, into parent: some NodeReference
    ) throws(TabListError) { try move([node], to: .inside(parent.nodeID)) }

    /// Moves a tab or node below a tab or node that it then branches from, behind what does already.
    ///
    /// - Throws: the errors of the method with a target.
    public func move(
        _ node: some NodeReference, under parent: some NodeReference
    ) throws(TabListError) { try move([node], to: .below(parent.nodeID)) }

    /// Moves a tab or node so that its first tab gets an index, and returns that tab's new index.
    ///
    /// It stays in its zone and in its group or other node, with what is below it: an index beyond the list,
    /// the pinned tabs or the group becomes the nearest allowed one. What would split a group comes after it.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` or ``TabListError/unknownNode(_:)`` if it is not in the
    ///   list; ``TabListError/reentrant`` while the list notifies its observers.
    @discardableResult
    public func move(_ node: some NodeReference, to index: Int) throws(TabListError) -> Int {
        let item = try item(node)
        order.move(
            item,
            to: Goal(parent: item.above, edge: item.edge, zone: item.zone, position: .index(index)))
        tellChangesTogether()
        return order.range(of: item).lowerBound
    }

    /// Pins a tab and returns its new index, which is the end of the pinned tabs. The tab leaves
    /// its group and what else it is in, and what branches from it stays. A pinned tab stays where it is.
    /// To pin more together, move it to a target in the zone.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if it is not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    @discardableResult
    public func pin(_ tab: some TabReference) throws(TabListError) -> Int {
        setPinned(true, try resolve(tab))
    }

    /// Unpins a tab and returns its new index, directly after the pinned tabs. It leaves what it is in. A
    /// tab that is not pinned stays where it is.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if it is not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    @discardableResult
    public func unpin(_ tab: some TabReference) throws(TabListError) -> Int {
        setPinned(false, try resolve(tab))
    }

    private func setPinned(_ isPinned: Bool, _ tab: Tab) -> Int {
        if tab.isPinned != isPinned {
            order.lift(tab.branches.items, outOf: tab, closing: false)
            order.move(
                tab,
                to: isPinned ? Goal(zone: .pinned) : Goal(position: .first))
            tellChanges()
        }
        return order.index(of: tab) ?? 0
    }

    /// Removes tabs from their groups and moves each directly after its group. A group that loses
    /// its last tab ends.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if one of them is not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    public func ungroup(_ tabs: some Sequence<some TabReference>) throws(TabListError) {
        let tabs = try indexes(of: tabs).map { self[$0] }
        performBatch { list in
            for tab in tabs.reversed() {
                guard let group = list.order.surroundings(of: tab).group else { continue }
                list.order.move(tab, to: Goal(behind: group))
                list.tellChanges()
            }
        }
    }

    /// Updates what a node that is no tab is called, how it looks, and what is hidden in it. Its kind and its
    /// place stay.
    ///
    /// - Throws: ``TabListError/unknownNode(_:)`` if the list does not have it;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    public func update(_ node: StructureNode) throws(TabListError) {
        guard mayChange() else { throw .reentrant }
        guard let known = order.nodes[node.id] else { throw .unknownNode(node.id) }
        var node = node
        let old = known.record
        (node.kind, node.place, node.parent) = (old.kind, old.place, old.parent)
        (node.edge, node.zone) = (old.edge, old.zone)
        if old.isPlainGroup != node.isPlainGroup, known.members.items.isEmpty {
            node.style = old.style
        }
        guard old != node else { return }
        known.record = node
        tell(.nodeChanged(node.id))
    }

    /// Sets the share that a pane has in its split.
    ///
    /// - Parameters:
    ///   - weight: the share, compared with those of the other panes; 0 or less for that of the mean.
    ///   - pane: a tab or a split that is in a split.
    /// - Throws: ``TabListError/unknownTab(_:)`` or ``TabListError/unknownNode(_:)`` if it is not in the
    ///   list; ``TabListError/breaksRule(_:_:)`` if it is no pane; ``TabListError/reentrant`` while the
    ///   list notifies its observers.
    public func setWeight(
        _ weight: Int32, of pane: some NodeReference
    ) throws(TabListError) {
        let item = try item(pane)
        guard item.above?.kind == .split, item.edge.known == .member else {
            throw .breaksRule(item.nodeID, .pane)
        }
        guard item.weight != Swift.max(weight, 0) else { return }
        item.weight = Swift.max(weight, 0)
        tellOfItems([item])
    }

    /// Ends a node. What is in it takes its place.
    ///
    /// - Throws: ``TabListError/unknownNode(_:)`` if the list does not have it;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    public func dissolve(_ node: NodeID) throws(TabListError) {
        guard mayChange() else { throw .reentrant }
        guard let known = order.nodes[node] else { throw .unknownNode(node) }
        order.end([known])
        tellChangesTogether()
    }

    /// Puts a new node at a place, and does not tell of it.
    func put(_ node: ListNode, at goal: Goal) {
        order.add(node)
        if order.put(node, at: goal).isRenumbered { tell(.renumbered) }
    }
}
