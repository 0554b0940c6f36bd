package import BrowserSessions

/// A tab or node that was closed and comes back.
package struct ReturningItem {
    /// What comes back.
    package enum Content {
        case tab(Tab)
        case node(StructureNode)
    }

    /// What comes back.
    let content: Content
    /// Where it goes. A parent that the list does not have counts as none.
    let place: FormerPlace
    /// Where it belongs when what it was in is back, too; `nil` if it comes there.
    let later: FormerPlace?

    /// Creates what comes back to its place.
    package init(
        _ content: Content, at place: FormerPlace, waitingFor later: FormerPlace? = nil
    ) {
        (self.content, self.place, self.later) = (content, place, later)
    }

    fileprivate var id: NodeID {
        switch content {
        case .tab(let tab): NodeID(tab.id)
        case .node(let node): node.id
        }
    }
}

/// What was closed comes back.
extension TabList {
    /// Puts closed tabs and nodes back where they were among what is there now, in one batch. A node takes
    /// back what it lost when it ended, and a tab what branched from it, unless somebody moved that since.
    ///
    /// What the ``rules`` do not allow comes as near to its place as they do.
    ///
    /// - Parameter items: what comes back, each behind what it is in.
    /// - Throws: ``TabListError/closed(_:)``, ``TabListError/alreadyInserted(_:)``,
    ///   ``TabListError/duplicateIdentifier(_:)``, ``TabListError/crossesPartitions(_:)``,
    ///   ``TabListError/crossesProfiles(_:)`` or ``TabListError/windowClosed`` if a tab cannot enter the
    ///   list; ``TabListError/duplicateNode(_:)`` if a list of the profile has a node already;
    ///   ``TabListError/reentrant`` while the list notifies its observers. What came before stays.
    package func putBack(_ items: [ReturningItem]) throws(TabListError) {
        guard mayChange() else { throw .reentrant }
        try performBatch { list throws(TabListError) in
            for item in items { try list.putBack(item) }
            list.reclaim(for: Set(items.map(\.id)))
            // A split with one pane waits until another one is back.
            var ended: [TabListChange] = []
            for case .node(let node) in items.map(\.content) {
                list.report(list.order.endIfEmpty(node.id, closing: true), &ended)
            }
            for report in ended { list.tell(report) }
        }
    }

    private func putBack(_ returning: ReturningItem) throws(TabListError) {
        switch returning.content {
        case .tab(let tab):
            try check(tab)
            if let place = returning.place.place { tab.metadata.place = place }
            let goal = goal(of: returning, .tab(tab))
            enter(tab, opener: nil, at: goal) { tab in
                self.complete(.tab(tab), returning)
            }
        case .node(var record):
            guard !registry.contains(record.id, offTheRecord: isOffTheRecord) else {
                throw .duplicateNode(record.id)
            }
            if let place = returning.place.place { record.place = place }
            let node = ListNode(record)
            put(node, at: goal(of: returning, .node(node)))
            complete(.node(node), returning)
            tell(.nodeChanged(record.id))
        }
    }

    private func complete(_ item: ListItem, _ returning: ReturningItem) {
        if item.above?.kind == .split { item.weight = returning.place.weight }
        item.closedFrom = returning.later
    }

    /// Returns where an item comes that was closed: its place, or the nearest above that may have it.
    private func goal(of returning: ReturningItem, _ item: ListItem) -> Goal {
        let former = returning.place
        var goal = Goal(
            parent: former.parent.flatMap { order.item($0) }, edge: former.edge.known,
            zone: former.zone, position: .former(former))
        if goal.parent == nil { goal.edge = .member }
        while brokenRule(by: item, below: goal.parent, goal.edge, in: goal.zone) != nil {
            guard let parent = goal.parent else {
                goal.zone = .normal
                break
            }
            goal = Goal(
                parent: parent.above, edge: parent.edge.known, zone: parent.zone,
                position: .sibling(parent, isBehind: true))
        }
        return goal
    }

    /// Takes what tabs and nodes lost when they were closed back to them.
    private func reclaim(for parents: Set<NodeID>) {
        var left: [(item: ListItem, former: FormerPlace)] = []
        order.visit { item in
            if let former = item.closedFrom, former.parent.map(parents.contains) == true {
                left.append((item, former))
            }
        }
        for (item, former) in left {
            guard let parent = former.parent.flatMap({ order.item($0) }),
                brokenRule(by: item, below: parent, former.edge, in: former.zone) == nil
            else { continue }
            var reports: [TabListChange] = []
            relocate(
                item,
                to: Goal(
                    parent: parent, edge: former.edge.known, zone: former.zone,
                    position: .former(former)), &reports)
            if item.above?.kind == .split { item.weight = former.weight }
            for report in reports { tell(report) }
        }
    }
}
