import BrowserSessions

extension TabList {
    /// Opens an address in a new tab: behind the tab that has opened it and in its group, or at the end.
    ///
    /// - Parameters:
    ///   - address: the page to show; empty for none.
    ///   - opener: the tab from which it is opened; `nil` if from none.
    ///   - isInBackground: whether the present tab stays in front; the page is loaded all the same.
    ///   - engine: makes its page.
    /// - Returns: the tab. Throws as ``insert(_:_:)`` does.
    @discardableResult
    public func open(
        _ address: String, from opener: Tab? = nil, inBackground isInBackground: Bool = false,
        engine: some WebEngine = PageHistoryEngine()
    ) throws(TabListError) -> Tab {
        let tab = Tab(url: address, engine: engine, createdAt: now())
        try insert(tab, TabInsertion(opener: opener?.id, activates: !isInBackground))
        return tab
    }

    /// Inserts a tab and returns its index. A new tab gets its page.
    ///
    /// The delegate is told before; observers after. Throws a ``TabListError`` and then has changed
    /// nothing.
    @discardableResult
    public func insert(_ tab: Tab, _ insertion: TabInsertion = .automatic) throws(TabListError)
        -> Int
    {
        guard mayChange() else { throw .reentrant }
        try check(tab)
        let opener = try opener(for: insertion)
        let group = try group(for: insertion, tab, opener)
        let isPinned = insertion.isPinned && group == nil
        let index = insertionIndex(insertion, opener, isPinned: isPinned, group: group)
        telling { delegate?.tabList(self, willInsert: tab) }
        take(tab)
        tab.metadata.isPinned = isPinned
        tab.metadata.group = group
        tab.metadata.opener = opener
        order.insert(tab, at: index)
        let isRenumbered = !keepPlace(ofTabAt: index)
        telling { tab.makeFirstPage() }
        tell(.inserted(tab, at: index))
        if isRenumbered { tell(.renumbered) }
        if tab.isRealized { telling { delegate?.tabList(self, attachHelpersTo: tab) } }
        if insertion.activates { setActive(tab) }
        return index
    }

    func check(_ tab: Tab) throws(TabListError) {
        if let refusal = refusal(of: tab) { throw refusal }
        if registry.contains(tab.id, offTheRecord: isOffTheRecord) {
            throw .duplicateIdentifier(tab.id)
        }
    }

    /// Why the tab itself can't come in, whatever its identifier; `nil` if it can.
    func refusal(of tab: Tab) -> TabListError? {
        if isAbandoned { return .windowClosed }
        if tab.isClosed { return .closed(tab.id) }
        guard tab.home != nil else { return nil }
        if tab.list != nil { return .alreadyInserted(tab.id) }
        return foreignness(of: tab)
    }

    /// Of which other side or profile the tab is; `nil` if it is of this list's.
    func foreignness(of tab: Tab) -> TabListError? {
        if let side = tab.isOffTheRecord, side != isOffTheRecord { return .crossesSides(tab.id) }
        guard isOfProfile, let owner = tab.home?.registry, owner !== registry else { return nil }
        return .crossesProfiles(tab.id)
    }

    func take(_ tab: Tab) {
        own(tab)
        registry.insert(tab, offTheRecord: isOffTheRecord)
    }

    /// Makes the tab one of this list, which the registry knows already.
    func own(_ tab: Tab) {
        guard !isOfProfile, let registry = tab.home?.registry else { return tab.enter(home) }
        // It stays one of its profile.
        let guest = TabHome(registry, isOffTheRecord: isOffTheRecord)
        guest.list = self
        tab.enter(guest)
    }

    private func opener(for insertion: TabInsertion) throws(TabListError) -> TabOpener? {
        let opener: Tab?
        if let id = insertion.opener {
            guard let named = tab(id) else { throw .unknownOpener(id) }
            opener = named
        } else {
            opener = insertion.inheritsOpener ? activeTab : nil
        }
        return opener.map {
            TabOpener(tab: $0.id, navigationIndex: Int32(clamping: $0.navigationIndex))
        }
    }

    private func group(
        for insertion: TabInsertion, _ tab: Tab, _ opener: TabOpener?
    ) throws(TabListError) -> TabGroupID? {
        if let group = insertion.group {
            guard groupTable[group] != nil else { throw .unknownGroup(group) }
            guard !insertion.isPinned else { throw .pinnedInGroup(tab.id) }
            return group
        }
        guard insertion.index == nil, let opener else { return nil }
        return self.tab(opener.tab)?.metadata.group
    }

    private func insertionIndex(
        _ insertion: TabInsertion, _ opener: TabOpener?, isPinned: Bool, group: TabGroupID?
    ) -> Int {
        let allowed = allowedRange(isPinned: isPinned, group: group)
        if let index = insertion.index {
            guard allowed.contains(index) else { return nearestEnd(index, of: allowed) }
            return outsideOfGroups(index, except: group)
        }
        guard let opener, let openerIndex = index(of: opener.tab) else { return allowed.upperBound }
        let last = order.lastChild(of: opener).map { $0 > openerIndex ? $0 : openerIndex }
        let index = (last ?? openerIndex) + 1
        guard allowed.contains(index) else { return nearestEnd(index, of: allowed) }
        return outsideOfGroups(index, except: group)
    }

    func nearestEnd(_ index: Int, of range: ClosedRange<Int>) -> Int {
        index < range.lowerBound ? range.lowerBound : range.upperBound
    }

    /// The indexes at which a tab of that kind may be inserted.
    func allowedRange(isPinned: Bool, group: TabGroupID?) -> ClosedRange<Int> {
        if isPinned { return 0...pinnedCount }
        if let group, let range = range(of: group) { return range.lowerBound...range.upperBound }
        return pinnedCount...count
    }

    /// The index itself, or the end of the group that it would split.
    func outsideOfGroups(_ index: Int, except group: TabGroupID?) -> Int {
        guard index > 0, index < count, let before = tabs[index - 1].metadata.group,
            before == tabs[index].metadata.group, before != group
        else { return index }
        return range(of: before)?.upperBound ?? index
    }

    /// Puts a new tab in the place of one, which is closed: a prerendered page for the page that
    /// led to it. The new one inherits place, pin, group and opener, and is active if the old was.
    ///
    /// Tabs that the old one opened lose their opener. Throws a ``TabListError`` and then has
    /// changed nothing.
    /// - Returns: the old tab, which is closed.
    @discardableResult
    public func replace(_ old: some TabReference, with tab: Tab) throws(TabListError) -> Tab {
        guard mayChange() else { throw .reentrant }
        return try replace(at: try place(of: old), with: tab)
    }

    @discardableResult
    package func replace(at index: Int, with tab: Tab) throws(TabListError) -> Tab {
        guard mayChange() else { throw .reentrant }
        try check(tab)
        let old = tabs[index]
        let removal = removal(of: old, at: index, closing: .replacement)
        telling { delegate?.tabList(self, willInsert: tab) }
        take(tab)
        tab.metadata.place = old.metadata.place
        tab.metadata.isPinned = old.metadata.isPinned
        tab.metadata.group = old.metadata.group
        tab.metadata.opener = old.metadata.opener
        order.remove(at: index)
        order.insert(tab, at: index)
        letGo(old)
        telling { tab.makeFirstPage() }
        if removal.wasActive { activeTab = tab }
        let orphans = order.forgetOpeners([old])
        tell(.replaced(removal, with: tab))
        tellOfAttributes(of: orphans)
        telling {
            delegate?.tabList(self, didRemove: old)
            old.end()
            if tab.isRealized { delegate?.tabList(self, attachHelpersTo: tab) }
        }
        if removal.wasActive { tellOfActive(previous: old) }
        return old
    }
}
