import BrowserSessions

/// The position of tabs that move from another list.
public enum TabTransferPlace: Hashable, Sendable {
    /// Before the existing tabs: pinned tabs before the pinned ones, others directly after the
    /// pinned ones.
    case front
    /// After the existing tabs: pinned tabs after the pinned ones, others at the end.
    case end
}

extension TabList {
    /// Moves tabs to another list of the same partition and profile, in one batch of each list.
    ///
    /// The tabs keep their order, page, pins and groups, and the nodes that move with all tabs in them. They
    /// keep their order keys as far as possible, and any openers that move with them or are already there.
    /// Of a group that moves only in part, the other list gets another one that is alike, or the tabs join
    /// the one that it has already from there. If the
    /// other list has no active tab, the tab that was active here becomes active there, and is
    /// realized only if that list realizes its active tab. No other tab is realized.
    ///
    /// - Returns: the tabs that moved, in order; none if both lists are the same.
    /// - Throws: ``TabListError/unknownTab(_:)`` if one of them is not in this list;
    ///   ``TabListError/crossesPartitions(_:)`` or ``TabListError/crossesProfiles(_:)`` if the
    ///   other list is of another partition or profile; ``TabListError/duplicateIdentifier(_:)`` if
    ///   the lists do not share a profile; ``TabListError/windowClosed`` if the window of the
    ///   other list was closed; ``TabListError/reentrant`` while one of the lists notifies its
    ///   observers. Nothing changes then.
    @discardableResult
    public func transfer(
        _ tabs: some Sequence<some TabReference>, to other: TabList,
        at place: TabTransferPlace = .end
    ) throws(TabListError) -> [Tab] {
        let moving = try indexes(of: tabs).map { self[$0] }
        return try carry(moving, chosen: [], to: other, at: place) { _ in }
    }

    /// Moves tabs and nodes to another list of the same partition and profile, each with all that is below
    /// it, in one batch of each list. The nodes keep their identifiers.
    ///
    /// - Parameters:
    ///   - nodes: what moves; they come to stand in this order.
    ///   - other: the list that they go to.
    ///   - target: where they go there.
    /// - Returns: the tabs that moved, in order; none if both lists are the same.
    /// - Throws: the errors of the method for tabs; ``TabListError/unknownNode(_:)`` if one of them is not
    ///   in this list, or the target not in the other one; ``TabListError/breaksRule(_:_:)``. Nothing
    ///   changes then.
    @discardableResult
    public func transfer(
        _ nodes: some Sequence<some NodeReference>, to other: TabList, at target: NodeTarget
    ) throws(TabListError) -> [Tab] {
        let items = try items(of: nodes)
        guard other !== self else { return [] }
        let moving = items.flatMap { tabs[order.range(of: $0)] }
        try check(moving, mayMoveTo: other)
        let goal = try other.order.goal(target)
        try other.order.check(items, at: goal, isForeign: true)
        let ids = items.map(\.nodeID)
        return try carry(moving, chosen: Set(ids), to: other, at: .end) { other in
            other.order.move(ids.compactMap { other.order.item($0) }, to: goal)
            other.tellChanges()
        }
    }

    private func check(_ moving: [Tab], mayMoveTo other: TabList) throws(TabListError) {
        guard other.mayChange() else { throw .reentrant }
        guard !other.isAbandoned else { throw .windowClosed }
        for tab in moving {
            if let foreignness = other.foreignness(of: tab) { throw foreignness }
            if order.known !== other.order.known, other.order.known.contains(tab.nodeID) {
                throw .duplicateIdentifier(tab.id)
            }
        }
    }

    /// - Parameter place: moves what came to the other list to its place there.
    private func carry(
        _ moving: [Tab], chosen: Set<NodeID>, to other: TabList, at front: TabTransferPlace,
        then place: (TabList) -> Void
    ) throws(TabListError) -> [Tab] {
        guard other !== self, !moving.isEmpty || !chosen.isEmpty else { return [] }
        try check(moving, mayMoveTo: other)
        let transfer = order.transfer(moving, chosen: chosen, to: other.order)
        let active = activeTab
        performBatch { list in
            list.remove(moving.compactMap { list.order.index(of: $0) }.sorted(), closing: nil)
            list.end(transfer.leaving)
            other.performBatch { other in
                other.accept(transfer, at: front, active: active)
                place(other)
            }
        }
        return moving
    }

    private func accept(_ transfer: Transfer, at place: TabTransferPlace, active: Tab?) {
        telling { for tab in transfer.tabs { delegate?.tabList(self, willInsert: tab) } }
        for case (let tab as Tab, let record?) in transfer.coming {
            take(tab)
            tab.metadata = record
        }
        let coming = transfer.coming.map(\.item)
        let ids = Set(coming.map(\.nodeID))
        // Either those that come or those that are here get new order keys, whichever are fewer.
        let movedMore = coming.count > order.tabs.count + order.nodes.count
        let corrections = order.merge(coming, sorted: true, atFront: place == .front) {
            ids.contains($0) == movedMore
        }
        // What was in a group may have joined one that is here.
        order.endIfEmpty(transfer.nodes)
        for (index, tab) in tabs.enumerated() where ids.contains(tab.nodeID) {
            tell(.inserted(tab, at: index))
            attachHelpers(to: [tab])
        }
        tellOfAttributes(of: corrections.tabs.filter { !ids.contains(tabs[$0].nodeID) })
        for node in Set(transfer.nodes + corrections.nodes).sorted() { tell(.nodeChanged(node)) }
        if corrections.isRenumbered { tell(.renumbered) }
        tellChanges()
        if activeTab == nil, let active, ids.contains(active.nodeID) { setActive(active) }
    }
}
