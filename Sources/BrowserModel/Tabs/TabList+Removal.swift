public import BrowserSessions

extension TabList {
    /// Closes a tab. The next active tab is chosen by ``nextActive(afterRemoving:)``.
    public func close(at index: Int, _ reason: ClosingReason = .user) {
        close(at: [index], reason)
    }

    /// Closes several tabs in one batch.
    ///
    /// Observers are told of the last one first, when all of them have left the list already.
    public func close(at indexes: [Int], _ reason: ClosingReason = .user) {
        guard mayChange() else { return }
        remove(indexes, closing: reason)
    }

    /// Closes all tabs in one batch.
    public func closeAll(_ reason: ClosingReason = .user) {
        close(at: Array(tabs.indices), reason)
    }

    /// Takes a tab out to put it into another list of the same side. It keeps its content, if it
    /// has any, and is not realized. Until it is inserted again, a store has it where it was.
    @discardableResult
    public func detach(at index: Int) -> Tab? {
        guard mayChange() else { return nil }
        let tab = tabs[index]
        remove([index], closing: nil)
        return tab
    }

    /// Takes several tabs out in one batch; in the order of the list.
    @discardableResult
    public func detach(at indexes: [Int]) -> [Tab] {
        guard mayChange() else { return [] }
        let tabs = Set(indexes).sorted().map { self.tabs[$0] }
        remove(indexes, closing: nil)
        return tabs
    }

    private func remove(_ indexes: [Int], closing reason: ClosingReason?) {
        let indexes = Set(indexes).sorted()
        guard !indexes.isEmpty else { return }
        let next = nextActive(afterRemoving: Set(indexes)).map { tabs[$0] }
        if indexes.count == 1 {
            removeEach(indexes, next, closing: reason)
        } else {
            performBatch { $0.removeEach(indexes, next, closing: reason) }
        }
    }

    private func removeEach(_ indexes: [Int], _ next: Tab?, closing reason: ClosingReason?) {
        let removals = indexes.map { removal(of: tabs[$0], at: $0, closing: reason) }
        setActive(next)
        let leaving = Set(indexes)
        pinnedCount -= removals.count { $0.isPinned }
        tabs = tabs.indices.filter { !leaving.contains($0) }.map { tabs[$0] }
        for removal in removals { letGo(removal.tab) }
        let orphans = forgetOpeners(Set(removals.map(\.tab.id)))
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
        tab.list = nil
        tab.metadata.isPinned = false
        tab.metadata.group = nil
        tab.metadata.opener = nil
        registry.remove(tab.id, offTheRecord: isOffTheRecord)
    }

    /// Takes those openers from the tabs that have them, without telling.
    ///
    /// - Returns: the indexes of these tabs.
    func forgetOpeners(_ gone: Set<TabID>) -> [Int] {
        tabs.indices.filter { index in
            let metadata = tabs[index].metadata
            guard let opener = metadata.opener?.tab, gone.contains(opener) else { return false }
            tabs[index].metadata.opener = nil
            return true
        }
    }

    func tellOfAttributes(of indexes: some Sequence<Int>) {
        for index in indexes { tell(.attributesChanged(tabs[index], at: index)) }
    }

    /// Ends those of the groups that have no tab, without telling.
    ///
    /// - Returns: the groups that ended.
    func endEmptyGroups(_ candidates: Set<TabGroupID>) -> [TabGroupID] {
        guard !candidates.isEmpty else { return [] }
        let used = Set(tabs.compactMap(\.metadata.group))
        return candidates.subtracting(used).sorted().filter {
            groupTable.removeValue(forKey: $0) != nil
        }
    }

    /// Makes a tab the opener of another, or takes the opener away.
    public func setOpener(_ opener: TabOpener?, at index: Int) throws(TabListError) {
        guard mayChange() else { throw .reentrant }
        let tab = tabs[index]
        if let opener, opener.tab == tab.id || self.tab(opener.tab) == nil {
            throw .unknownOpener(opener.tab)
        }
        guard tab.metadata.opener != opener else { return }
        tab.metadata.opener = opener
        tell(.attributesChanged(tab, at: index))
    }
}

extension TabList {
    /// Lets go of all tabs without telling the list's observers: the window is gone, and what is
    /// saved of its tabs stays.
    func abandon() {
        isAbandoned = true
        activeTab = nil
        let gone = tabs
        tabs = []
        pinnedCount = 0
        groupTable = [:]
        for tab in gone {
            registry.remove(tab.id, offTheRecord: isOffTheRecord)
            tab.list = nil
            tab.end()
        }
    }
}
