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
    ///   - members: what comes into it, in this order.
    ///   - target: where it goes; `nil` for where the first member is, or as near as the ``rules`` allow.
    /// - Throws: ``TabListError/duplicateNode(_:)`` if a list of the profile has the node already;
    ///   ``TabListError/emptyNode(_:)`` for a split or a group without a style that would have nothing in
    ///   it; ``TabListError/unknownTab(_:)`` or ``TabListError/unknownNode(_:)`` for what is not in the
    ///   list; ``TabListError/breaksRule(_:_:)``; ``TabListError/reentrant`` while the list notifies its
    ///   observers. Nothing changes then.
    @discardableResult
    public func create(
        _ node: StructureNode, of members: some Sequence<some NodeReference>,
        at target: NodeTarget? = nil
    ) throws(TabListError) -> Range<Int> {
        guard mayChange() else { throw .reentrant }
        let members = topmost(try items(members))
        return try create(node, of: members, at: target)
    }

    /// Creates a node with nothing in it, such as a folder or a space.
    ///
    /// - Throws: ``TabListError/emptyNode(_:)`` for a split or a group without a style, and the errors of
    ///   ``create(_:of:at:)``. Nothing changes then.
    public func create(_ node: StructureNode, at target: NodeTarget) throws(TabListError) {
        guard mayChange() else { throw .reentrant }
        _ = try create(node, of: [ListItem](), at: target)
    }

    private func create(
        _ record: StructureNode, of members: [ListItem], at target: NodeTarget?
    ) throws(TabListError) -> Range<Int> {
        guard !registry.contains(record.id, offTheRecord: isOffTheRecord) else {
            throw .duplicateNode(record.id)
        }
        let isEmpty = members.isEmpty && (record.isPlainGroup || record.kind == .split)
        guard !isEmpty else { throw .emptyNode(record.id) }
        let node = ListNode(record)
        let goal: Goal
        if let target {
            goal = try resolve(target)
            try check(node, of: members, at: goal)
        } else {
            goal = try self.goal(for: node, of: members)
            if members.count == 1, goal.isPlace(of: members[0]) {
                return enclose(members[0], in: node)
            }
        }
        return performBatch { list in
            list.put(node, at: goal)
            list.gather(members, into: node)
            list.tell(.nodeChanged(record.id))
            return list.range(of: record) ?? 0..<0
        }
    }

    private func enclose(_ item: ListItem, in node: ListNode) -> Range<Int> {
        registry.insert(node.record.id, offTheRecord: isOffTheRecord)
        let relocation = order.enclose(item, in: node)
        var reports: [TabListChange] = []
        report(relocation, &reports)
        tell(reports + [.nodeChanged(node.record.id)])
        return relocation.new
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
        guard mayChange() else { throw .reentrant }
        try move(topmost(try items(nodes)), to: target)
    }

    private func move(_ items: [ListItem], to target: NodeTarget) throws(TabListError) {
        var goal = try resolve(target)
        for (count, item) in items.enumerated() {
            try check(item, at: goal, with: count)
        }
        if case .node(let node)? = goal.parent, goal.edge == .branch, wouldEnd(node, without: items)
        {
            throw .breaksRule(node.record.id, .members)
        }
        if case .sibling(let sibling, _) = goal.position, items.contains(where: sibling.isSame) {
            throw .breaksRule(sibling.id, .belowItself)
        }
        var reports: [TabListChange] = []
        for item in items {
            relocate(item, to: goal, &reports)
            goal.position = .sibling(item, isBehind: true)
        }
        tell(reports)
    }

    /// Moves a tab or node with all that is below it.
    ///
    /// - Throws: the errors of the method for several.
    public func move(
        _ node: some NodeReference, to target: NodeTarget
    ) throws(TabListError) {
        guard mayChange() else { throw .reentrant }
        try move([try item(node)], to: target)
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
        guard mayChange() else { throw .reentrant }
        let item = try item(pane)
        guard item.above?.kind == .split, item.edge.known == .member else {
            throw .breaksRule(item.id, .pane)
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
        let parent = known.record.parent
        var reports: [TabListChange] = []
        report(order.dissolve(known, closing: false), &reports)
        report(order.endIfEmpty(parent), &reports)
        performBatch { list in for report in reports { list.tell(report) } }
    }

    /// Whether a node would have too little in it without some items.
    private func wouldEnd(_ node: ListNode, without items: [ListItem]) -> Bool {
        guard node.record.isPlainGroup || node.record.kind == .split else { return false }
        let leaving = Set(items.map(\.id))
        let staying = node.members.items.count { !leaving.contains($0.id) }
        return staying < (node.record.kind == .split ? 2 : 1)
    }

    // MARK: Steps

    /// Takes an item to a place, and reports this and what ends by it.
    func relocate(_ item: ListItem, to goal: Goal, _ reports: inout [TabListChange]) {
        let former = item.parent
        report(
            order.take(item, below: goal.parent, goal.edge, in: goal.zone, at: goal.former?.place) {
                goal.slot(in: $0)
            },
            &reports)
        report(order.endIfEmpty(former), &reports)
    }

    func report(_ steps: [TabForest.Step], _ reports: inout [TabListChange]) {
        for step in steps {
            switch step {
            case .moved(let relocation): report(relocation, &reports)
            case .ended(let node):
                registry.remove(node.id, offTheRecord: isOffTheRecord)
                reports.append(.nodeEnded(node))
            }
        }
    }

    func report(_ relocation: TabForest.Relocation, _ reports: inout [TabListChange]) {
        let (old, new) = (relocation.old.lowerBound, relocation.new.lowerBound)
        let isMoved = old != new && !relocation.tabs.isEmpty
        switch relocation.item {
        case .tab(let tab) where relocation.tabs.count == 1:
            if isMoved { reports.append(.moved(tab, from: old, to: new)) }
            if relocation.isElsewhere || relocation.hasNewPlace && !isMoved {
                reports.append(.attributesChanged(tab, at: new))
            }
        default:
            if isMoved || relocation.isElsewhere || relocation.hasNewPlace {
                reports.append(
                    .subtreeMoved(relocation.item.id, relocation.tabs, from: old, to: new))
            }
        }
        if relocation.isRenumbered { reports.append(.renumbered) }
    }

    /// Tells what was done, as a batch unless it is one change.
    func tell(_ reports: [TabListChange]) {
        if reports.count < 2 { return reports.forEach { tell($0) } }
        performBatch { list in for report in reports { list.tell(report) } }
    }

    func put(_ node: ListNode, at goal: Goal) {
        registry.insert(node.record.id, offTheRecord: isOffTheRecord)
        let slot = goal.slot(in: order)
        let new = order.put(
            .node(node), at: slot, below: goal.parent, goal.edge, in: goal.zone,
            isBack: goal.former != nil)
        if new.isRenumbered { tell(.renumbered) }
    }

    /// Takes items into a node, behind what is there.
    func gather(_ items: [ListItem], into node: ListNode) {
        let goal = Goal(parent: .node(node), edge: .member, zone: .normal, position: .last)
        for item in items {
            var reports: [TabListChange] = []
            relocate(item, to: goal, &reports)
            for report in reports { tell(report) }
        }
    }

    /// Returns the items, each once, without those that are below others of them.
    func topmost(_ items: [ListItem]) -> [ListItem] {
        guard items.count > 1 else { return items }
        var ids: Set<NodeID> = []
        let items = items.filter { ids.insert($0.id).inserted }
        guard items.contains(where: { !$0.isLeaf }) else { return items }
        return items.filter { item in !order.ancestors(of: item).contains { ids.contains($0.id) } }
    }
}
