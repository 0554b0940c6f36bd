public import BrowserSessions

extension TabList {
    /// Closes a tab. ``nextActive(afterRemoving:)`` chooses the next active tab. What branches from the
    /// tab takes its place.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if it is not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    public func close(
        _ tab: some TabReference, reason: ClosingReason = .user
    ) throws(TabListError) {
        guard mayChange() else { throw .reentrant }
        remove([try place(of: tab)], closing: reason)
    }

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
    ) throws(TabListError) {
        guard mayChange() else { throw .reentrant }
        remove(try places(of: tabs), closing: reason)
    }

    package func close(at index: Int, reason: ClosingReason = .user) {
        close(at: [index], reason: reason)
    }

    package func close(at indexes: [Int], reason: ClosingReason = .user) {
        guard mayChange() else { return }
        remove(indexes, closing: reason)
    }

    /// Closes a tab or node with all that is below it. A session restorer can undo this if it has a tab in it.
    ///
    /// - Throws: ``TabListError/unknownNode(_:)`` or ``TabListError/unknownTab(_:)`` if it is not in
    ///   the list; ``TabListError/reentrant`` while the list notifies its observers.
    public func closeAll(
        in node: some NodeReference, reason: ClosingReason = .user
    ) throws(TabListError) {
        guard mayChange() else { throw .reentrant }
        let item = try item(node)
        let tabs = Array(order.range(of: item))
        let isUndoable = reason.isUndoable
        var nodes: [ListNode] = []
        order.visit(item) { if case .node(let node) = $0 { nodes.append(node) } }
        performBatch { list in
            list.remove(tabs, closing: reason)
            list.end(nodes, closing: isUndoable)
        }
    }

    /// Closes all tabs in one batch.
    public func closeAll(reason: ClosingReason) {
        guard mayChange() else { return }
        remove(Array(tabs.indices), closing: reason)
    }

    /// Removes a tab from the list so that it can enter another list of the same partition and
    /// profile. The tab keeps its page if it has one, and is not realized. Until the tab is
    /// inserted again, a store keeps it at its former position.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if it is not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    @discardableResult
    public func detach(_ tab: some TabReference) throws(TabListError) -> Tab {
        guard mayChange() else { throw .reentrant }
        let (detached, index) = (try resolve(tab), try place(of: tab))
        remove([index], closing: nil)
        return detached
    }

    /// Removes several tabs in one batch and returns them in the order of the list. If one of the
    /// tabs is not in the list, none is removed.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if one of them is not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    @discardableResult
    public func detach(_ tabs: some Sequence<some TabReference>) throws(TabListError) -> [Tab] {
        guard mayChange() else { throw .reentrant }
        return detach(at: try places(of: tabs))
    }

    @discardableResult
    package func detach(at index: Int) -> Tab? { detach(at: [index]).first }

    @discardableResult
    package func detach(at indexes: [Int]) -> [Tab] {
        guard mayChange() else { return [] }
        let tabs = Set(indexes).sorted().map { self.tabs[$0] }
        remove(indexes, closing: nil)
        return tabs
    }

    private func remove(_ indexes: [Int], closing reason: ClosingReason?) {
        let indexes = indexes.count > 1 ? Set(indexes).sorted() : indexes
        guard !indexes.isEmpty else { return }
        let next = nextActive(afterRemovingSorted: indexes).map { tabs[$0] }
        if indexes.count == 1, tabs[indexes[0]].metadata.parent == nil,
            !tabs[indexes[0]].hasBranches
        {
            removeEach(indexes, next, closing: reason)
        } else {
            performBatch { $0.removeEach(indexes, next, closing: reason) }
        }
    }

    private func removeEach(_ indexes: [Int], _ next: Tab?, closing reason: ClosingReason?) {
        let leaving = indexes.map { tabs[$0] }
        let isUndoable = reason?.isUndoable == true
        var reports = liftBranches(of: leaving, closing: isUndoable)
        let indexes =
            reports.isEmpty ? indexes : leaving.compactMap { order.index(of: $0) }.sorted()
        for report in reports { tell(report) }
        let removals = indexes.map { removal(of: tabs[$0], at: $0, closing: reason) }
        let parents = removals.compactMap(\.tab.metadata.parent)
        setActive(next)
        order.remove(removals.map(\.tab))
        order.forgetOpeners(ofLeaving: removals.map(\.tab))
        for removal in removals { letGo(removal.tab) }
        let orphans = order.forgetOpeners(removals.lazy.map(\.tab)).map { tabs[$0] }
        reports = endEmptyNodes(parents, closing: isUndoable)
        for removal in removals.reversed() {
            tell(.removed(removal))
            telling {
                delegate?.tabList(self, didRemove: removal.tab)
                if reason != nil { removal.tab.end() }
            }
        }
        for report in reports { tell(report) }
        tellOfAttributes(of: orphans.compactMap { order.index(of: $0) })
    }

    /// Takes what branches from tabs, but does not leave with them, out of their branches.
    private func liftBranches(
        of leaving: [Tab], closing isClosing: Bool
    ) -> [TabListChange] {
        guard leaving.contains(where: \.hasBranches) else { return [] }
        let ids = Set(leaving.map { NodeID($0.id) })
        var reports: [TabListChange] = []
        for tab in leaving.reversed() where tab.hasBranches {
            let staying = tab.branches.items.filter { !ids.contains($0.id) }
            report(order.lift(staying, outOf: .tab(tab), closing: isClosing), &reports)
        }
        return reports
    }

    func removal(of tab: Tab, at index: Int, closing reason: ClosingReason?) -> TabRemoval {
        let (zone, group) = surroundings(of: .tab(tab))
        return TabRemoval(
            tab: tab, index: index, isPinned: zone != .normal, group: group?.record,
            formerPlace: order.formerPlace(of: .tab(tab), at: index), opener: tab.metadata.opener,
            wasActive: tab === activeTab, closing: reason)
    }

    func letGo(_ tab: Tab) {
        tab.leaveList()
        (tab.metadata.parent, tab.metadata.edge) = (nil, .member)
        (tab.metadata.zone, tab.metadata.opener) = (.normal, nil)
        ListItem.tab(tab).closedFrom = nil
        registry.remove(tab.id, offTheRecord: isOffTheRecord)
    }

    func tellOfAttributes(of indexes: some Sequence<Int>) {
        for index in indexes { tell(.attributesChanged(tabs[index], at: index)) }
    }

    /// Ends the nodes among these that have too little in them, and returns what to tell of it.
    func endEmptyNodes(
        _ candidates: [NodeID], closing isClosing: Bool = false
    ) -> [TabListChange] {
        var reports: [TabListChange] = []
        let candidates = candidates.count > 1 ? Set(candidates).sorted() : candidates
        for id in candidates where order.nodes[id] != nil {
            report(order.endIfEmpty(id, closing: isClosing), &reports)
        }
        return reports
    }

    /// Ends nodes, and leaves what else is in them; those that are below others of them come later.
    func end(_ nodes: [ListNode], closing isClosing: Bool = false) {
        var reports: [TabListChange] = []
        for node in nodes.reversed() where order.nodes[node.record.id] === node {
            let parent = node.record.parent
            report(order.dissolve(node, closing: isClosing), &reports)
            report(order.endIfEmpty(parent, closing: isClosing), &reports)
        }
        for report in reports { tell(report) }
    }

    /// Tells of tabs and nodes with records that changed.
    func tellOfItems(_ items: [ListItem]) {
        for item in items {
            switch item {
            case .tab(let tab):
                if let index = order.index(of: tab) { tell(.attributesChanged(tab, at: index)) }
            case .node(let node): tell(.nodeChanged(node.record.id))
            }
        }
    }

    /// Sets the opener of a tab, or removes it.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if the tab is not in the list;
    ///   ``TabListError/unknownOpener(_:)`` if the opener is the tab itself or not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    public func setOpener(
        _ opener: TabOpener?, of tab: some TabReference
    ) throws(TabListError) {
        guard mayChange() else { throw .reentrant }
        try setOpener(opener, at: try place(of: tab))
    }

    package func setOpener(_ opener: TabOpener?, at index: Int) throws(TabListError) {
        guard mayChange() else { throw .reentrant }
        let tab = tabs[index]
        if let opener, opener.tab == tab.id || self.tab(opener.tab) == nil {
            throw .unknownOpener(opener.tab)
        }
        guard tab.opener != opener else { return }
        order.setOpener(opener, of: tab)
        tell(.attributesChanged(tab, at: index))
    }
}

extension TabList {
    /// Releases all tabs without notifying the list's observers: the window is closed, and the
    /// saved state of its tabs remains.
    func abandon() {
        isAbandoned = true
        activeTab = nil
        let gone = tabs
        for tab in gone { tab.forgetChildren() }
        for node in order.nodes.keys { registry.remove(node, offTheRecord: isOffTheRecord) }
        order.removeAll()
        for tab in gone {
            registry.remove(tab.id, offTheRecord: isOffTheRecord)
            tab.leaveList()
        }
        for tab in gone { tab.end() }
    }
}
