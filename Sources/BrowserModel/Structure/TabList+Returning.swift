package import BrowserSessions

/// A tab or node that was closed and comes back.
package struct ReturningItem {
    /// What comes back: a tab, or a node that no list has.
    let item: any ListItem
    /// Where it goes. A parent that the list does not have counts as none.
    let place: FormerPlace
    /// Where it belongs when what it was in is back, too; `nil` if it comes there.
    let later: FormerPlace?

    /// Creates a tab that comes back to its place.
    package init(_ tab: Tab, at place: FormerPlace, waitingFor later: FormerPlace? = nil) {
        (item, self.place, self.later) = (tab, place, later)
    }

    /// Creates another node that comes back to its place.
    package init(
        _ node: StructureNode, at place: FormerPlace, waitingFor later: FormerPlace? = nil
    ) {
        (item, self.place, self.later) = (ListNode(node), place, later)
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
            var (ids, nodes): (Set<NodeID>, [NodeID]) = ([], [])
            for returning in items {
                let item = try list.putBack(returning)
                ids.insert(item.nodeID)
                if item.tab == nil { nodes.append(item.nodeID) }
            }
            list.reclaim(for: ids)
            // A split with one pane waits until another one is back.
            for node in nodes { list.order.endIfEmpty(node, closing: true) }
            list.tellChanges()
        }
    }

    private func putBack(_ returning: ReturningItem) throws(TabListError) -> any ListItem {
        func complete(_ item: any ListItem) {
            if item.above?.kind == .split { item.weight = returning.place.weight }
            item.closedFrom = returning.later
        }
        let item = returning.item
        if let tab = item.tab {
            try check(tab)
            if let place = returning.place.place { tab.metadata.place = place }
            enter(tab, opener: nil, at: goal(of: tab, from: returning.place)) { complete($0) }
        } else if let node = item.node {
            guard !order.known.contains(node.nodeID) else { throw .duplicateNode(node.nodeID) }
            if let place = returning.place.place { node.record.place = place }
            put(node, at: goal(of: node, from: returning.place))
            complete(node)
            tell(.nodeChanged(node.nodeID))
        }
        return item
    }

    /// Returns where an item comes that was closed: its place, or the nearest above that may have it.
    private func goal(of item: any ListItem, from former: FormerPlace) -> Goal {
        var goal = Goal(
            parent: former.parent.flatMap { order.item($0) }, edge: former.edge.known,
            zone: former.zone, position: .former(former))
        if goal.parent == nil { goal.edge = .member }
        while order.brokenRule(by: item, at: goal) != nil {
            guard let parent = goal.parent else {
                goal.zone = .normal
                break
            }
            goal = Goal(behind: parent)
        }
        return goal
    }

    /// Takes what tabs and nodes lost when they were closed back to them.
    private func reclaim(for parents: Set<NodeID>) {
        var left: [(item: any ListItem, former: FormerPlace)] = []
        order.visit { item in
            if let former = item.closedFrom, former.parent.map(parents.contains) == true {
                left.append((item, former))
            }
        }
        for (item, former) in left {
            guard let parent = former.parent.flatMap({ order.item($0) }) else { continue }
            let goal = Goal(
                parent: parent, edge: former.edge.known, zone: former.zone,
                position: .former(former))
            guard order.brokenRule(by: item, at: goal) == nil else { continue }
            order.move(item, to: goal)
            if item.above?.kind == .split { item.weight = former.weight }
            tellChanges()
        }
    }
}
