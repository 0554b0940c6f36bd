public import BrowserSessions

extension TabList {
    /// Closes a tab. ``nextActive(afterRemoving:)`` chooses the next active tab.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if it is not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    public func close(
        _ tab: some TabReference, reason: ClosingReason = .user
    ) throws(TabListError) { try close([tab], reason: reason) }

    /// Closes several tabs in one batch.
    ///
    /// Observers are notified of the last tab first, after all of the tabs have left the list. If
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
        if indexes.count == 1 {
            removeEach(indexes, next, closing: reason)
        } else {
            performBatch { $0.removeEach(indexes, next, closing: reason) }
        }
    }

    private func removeEach(_ indexes: [Int], _ next: Tab?, closing reason: ClosingReason?) {
        let removals = indexes.map { removal(of: tabs[$0], at: $0, closing: reason) }
        setActive(next)
        order.remove(at: indexes)
        for removal in removals { letGo(removal.tab) }
        let orphans = order.forgetOpeners(removals.lazy.map(\.tab))
        let ended = endEmptyGroups(Set(removals.compactMap { $0.group?.id }))
        for removal in removals.reversed() {
            tell(.removed(removal))
            telling {
                delegate?.tabList(self, didRemove: removal.tab)
                if reason != nil { removal.tab.end() }
            }
        }
        tellOfAttributes(of: orphans)
        for group in ended { tell(.groupChanged(group)) }
    }

    func removal(of tab: Tab, at index: Int, closing reason: ClosingReason?) -> TabRemoval {
        TabRemoval(
            tab: tab, index: index, isPinned: tab.metadata.isPinned,
            group: tab.metadata.group.flatMap { groupTable[$0] }, opener: tab.metadata.opener,
            wasActive: tab === activeTab, closing: reason)
    }

    func letGo(_ tab: Tab) {
        tab.leaveList()
        tab.metadata.isPinned = false
        tab.metadata.group = nil
        tab.metadata.opener = nil
        registry.remove(tab.id, offTheRecord: isOffTheRecord)
    }

    func tellOfAttributes(of indexes: some Sequence<Int>) {
        for index in indexes { tell(.attributesChanged(tabs[index], at: index)) }
    }

    /// Removes the groups that have no tab, without notifying observers.
    ///
    /// - Returns: the groups that ended.
    func endEmptyGroups(_ candidates: Set<TabGroupID>) -> [TabGroupID] {
        candidates.filter { order.memberCount(of: $0) == 0 }.sorted().filter {
            groupTable.removeValue(forKey: $0) != nil
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
        order.removeAll()
        groupTable = [:]
        for tab in gone {
            registry.remove(tab.id, offTheRecord: isOffTheRecord)
            tab.leaveList()
        }
        for tab in gone { tab.end() }
    }
}
