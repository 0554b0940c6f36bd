import BrowserSessions

extension TabList {
    /// Closes a tab. The next active tab is chosen as Chromium does: another pane, a tab that it opened, a
    /// neighbor. What branches from the tab takes its place.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if it is not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    public func close(
        _ tab: some TabReference, reason: ClosingReason = .user
    ) throws(TabListError) { try close([tab], reason: reason) }

    /// Closes several tabs in one batch.
    ///
    /// What branches from one of the tabs and stays takes its place first, and observers are notified of
    /// that. Then they are notified of the last tab first, after all of the tabs have left the list. If
    /// one of the tabs is not in the list, none is closed.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if one of them is not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    public func close(
        _ tabs: some Sequence<some TabReference>, reason: ClosingReason = .user
    ) throws(TabListError) { remove(try indexes(of: tabs), closing: reason) }

    /// Closes a tab or node with all that is below it. A session restorer can undo this if it has a tab in it.
    ///
    /// - Throws: ``TabListError/unknownNode(_:)`` or ``TabListError/unknownTab(_:)`` if it is not in
    ///   the list; ``TabListError/reentrant`` while the list notifies its observers.
    public func closeAll(
        in node: some NodeReference, reason: ClosingReason = .user
    ) throws(TabListError) {
        let item = try item(node)
        var nodes: [ListNode] = []
        item.visit { if let node = $0.node { nodes.append(node) } }
        performBatch { list in
            list.remove(Array(list.order.range(of: item)), closing: reason)
            list.end(nodes, closing: reason.isUndoable)
        }
    }

    /// Closes all tabs in one batch.
    public func closeAll(reason: ClosingReason) {
        if mayChange() { remove(Array(indices), closing: reason) }
    }

    /// Removes a tab from the list so that it can enter another list of the same partition and
    /// profile. The tab keeps its page if it has one, and is not realized. Until the tab is
    /// inserted again, a store keeps it at its former position.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if it is not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    @discardableResult
    public func detach(_ tab: some TabReference) throws(TabListError) -> Tab {
        let found = try resolve(tab)
        try detach([found])
        return found
    }

    /// Removes several tabs in one batch and returns them in the order of the list. If one of the
    /// tabs is not in the list, none is removed.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if one of them is not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    @discardableResult
    public func detach(_ tabs: some Sequence<some TabReference>) throws(TabListError) -> [Tab] {
        let indexes = try indexes(of: tabs)
        let detached = indexes.map { self[$0] }
        remove(indexes, closing: nil)
        return detached
    }

    /// - Parameter indexes: ascending, without duplicates.
    func remove(_ indexes: [Int], closing reason: ClosingReason?) {
        guard let first = indexes.first else { return }
        let next = nextActive(afterRemoving: indexes)
        if indexes.count == 1, tabs[first].parent == nil, tabs[first].isLeaf {
            removeEach(indexes, next, closing: reason)
        } else {
            performBatch { $0.removeEach(indexes, next, closing: reason) }
        }
    }

    private func removeEach(_ indexes: [Int], _ next: Tab?, closing reason: ClosingReason?) {
        let leaving = indexes.map { tabs[$0] }
        let isUndoable = reason?.isUndoable == true
        liftBranches(of: leaving, closing: isUndoable)
        let indexes =
            order.changes.isEmpty
            ? indexes : leaving.compactMap { order.index(of: $0) }.sorted()
        tellChanges()
        let removals = indexes.map { removal(of: tabs[$0], at: $0, closing: reason) }
        let parents = removals.compactMap(\.tab.parent)
        setActive(next)
        order.remove(removals.map(\.tab))
        order.forgetOpeners(ofLeaving: removals.map(\.tab))
        for removal in removals { letGo(removal.tab) }
        let orphans = order.forgetOpeners(removals.lazy.map(\.tab)).map { tabs[$0] }
        order.endIfEmpty(parents, closing: isUndoable)
        for removal in removals.reversed() {
            tell(.removed(removal))
            telling {
                delegate?.tabList(self, didRemove: removal.tab)
                if reason != nil { removal.tab.end() }
            }
        }
        tellChanges()
        tellOfItems(orphans)
    }

    /// Takes what branches from tabs, but does not leave with them, out of their branches.
    private func liftBranches(of leaving: [Tab], closing isClosing: Bool) {
        guard leaving.contains(where: { !$0.isLeaf }) else { return }
        let ids = Set(leaving.map(\.nodeID))
        for tab in leaving.reversed() where !tab.isLeaf {
            let staying = tab.branches.items.filter { !ids.contains($0.nodeID) }
            order.lift(staying, outOf: tab, closing: isClosing)
        }
    }

    func removal(of tab: Tab, at index: Int, closing reason: ClosingReason?) -> TabRemoval {
        let (zone, group) = order.surroundings(of: tab)
        return TabRemoval(
            tab: tab, index: index, isPinned: zone != .normal, group: group?.record,
            formerPlace: order.formerPlace(of: tab, at: index), opener: tab.opener,
            wasActive: tab === activeTab, closing: reason)
    }

    func letGo(_ tab: Tab) {
        tab.leaveList()
        (tab.metadata.parent, tab.metadata.edge) = (nil, .member)
        (tab.metadata.zone, tab.metadata.opener) = (.normal, nil)
        tab.closedFrom = nil
        order.known.remove(tab.id)
    }

    /// Ends nodes, and leaves what else is in them; those that are below others of them come later.
    func end(_ nodes: [ListNode], closing isClosing: Bool = false) {
        order.end(nodes, closing: isClosing)
        tellChanges()
    }

    /// Releases all tabs without notifying the list's observers: the window is closed, and the
    /// saved state of its tabs remains.
    func abandon() {
        isAbandoned = true
        activeTab = nil
        let gone = removeAll()
        for tab in gone { tab.leaveList() }
        for tab in gone { tab.end() }
    }
}
