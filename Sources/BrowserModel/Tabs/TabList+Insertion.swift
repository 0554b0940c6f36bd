import BrowserSessions

extension TabList {
    /// Opens an address in a new tab: after its opener and in the opener's group, or at the end.
    ///
    /// - Parameters:
    ///   - address: the page to show; empty for none.
    ///   - opener: the tab that opens the new one; `nil` if there is none.
    ///   - isInBackground: whether the active tab stays in front. The page loads in any case.
    ///   - engine: the engine that makes the page.
    /// - Returns: the new tab.
    /// - Throws: ``TabListError/unknownOpener(_:)`` if the opener is not in the list;
    ///   ``TabListError/windowClosed`` if the window of the list was closed;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    @discardableResult
    public func open(
        _ address: String, from opener: Tab? = nil, inBackground isInBackground: Bool = false,
        engine: some WebEngine = PageHistoryEngine()
    ) throws(TabListError) -> Tab {
        let tab = Tab(url: address, engine: engine, createdAt: now())
        try insert(tab, as: TabInsertion(opener: opener?.id, activates: !isInBackground))
        return tab
    }

    /// Inserts a tab and returns its index. A new tab gets its page.
    ///
    /// The delegate is called before the insertion, and observers after it.
    ///
    /// - Throws: ``TabListError/closed(_:)``, ``TabListError/alreadyInserted(_:)``,
    ///   ``TabListError/duplicateIdentifier(_:)``, ``TabListError/crossesPartitions(_:)`` or
    ///   ``TabListError/crossesProfiles(_:)`` if the tab cannot enter the list;
    ///   ``TabListError/windowClosed`` if the window of the list was closed;
    ///   ``TabListError/unknownOpener(_:)``, ``TabListError/unknownGroup(_:)`` or
    ///   ``TabListError/pinnedInGroup(_:)`` if the insertion does not fit;
    ///   ``TabListError/reentrant`` while the list notifies its observers. Nothing changes then.
    @discardableResult
    public func insert(_ tab: Tab, as insertion: TabInsertion = .automatic) throws(TabListError)
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

    /// Returns why the list refuses the tab, whatever its identifier; `nil` if it does not.
    func refusal(of tab: Tab) -> TabListError? {
        if isAbandoned { return .windowClosed }
        if tab.isClosed { return .closed(tab.id) }
        guard tab.membership != nil else { return nil }
        if tab.list != nil { return .alreadyInserted(tab.id) }
        return foreignness(of: tab)
    }

    /// Returns an error if the tab is from another partition or profile; otherwise `nil`.
    func foreignness(of tab: Tab) -> TabListError? {
        if let partition = tab.isOffTheRecord, partition != isOffTheRecord {
            return .crossesPartitions(tab.id)
        }
        guard isOfProfile, let owner = tab.membership?.registry, owner !== registry else {
            return nil
        }
        return .crossesProfiles(tab.id)
    }

    func take(_ tab: Tab) {
        own(tab)
        registry.insert(tab, offTheRecord: isOffTheRecord)
    }

    /// Makes this list the tab's list. The registry must already contain the tab.
    func own(_ tab: Tab) {
        guard !isOfProfile, let registry = tab.membership?.registry else {
            return tab.enter(membership)
        }
        // The tab still belongs to its profile.
        let guest = TabMembership(registry, isOffTheRecord: isOffTheRecord)
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

    /// The indexes at which a tab with this pin and group can be inserted.
    func allowedRange(isPinned: Bool, group: TabGroupID?) -> ClosedRange<Int> {
        if isPinned { return 0...pinnedCount }
        if let group, let range = range(of: group) { return range.lowerBound...range.upperBound }
        return pinnedCount...count
    }

    /// Returns the index, or the end of the group that an insertion there would split.
    func outsideOfGroups(_ index: Int, except group: TabGroupID?) -> Int {
        guard index > 0, index < count, let before = tabs[index - 1].metadata.group,
            before == tabs[index].metadata.group, before != group
        else { return index }
        return range(of: before)?.upperBound ?? index
    }

    /// Replaces a tab and closes it, for example to show a prerendered page. The new tab inherits
    /// the order key, pin, group and opener, and is active if the old tab was.
    ///
    /// Tabs that the old tab opened lose their opener.
    /// - Returns: the old, closed tab.
    /// - Throws: ``TabListError/unknownTab(_:)`` if the old tab is not in the list;
    ///   ``TabListError/closed(_:)``, ``TabListError/alreadyInserted(_:)``,
    ///   ``TabListError/duplicateIdentifier(_:)``, ``TabListError/crossesPartitions(_:)`` or
    ///   ``TabListError/crossesProfiles(_:)`` if the new tab cannot enter the list;
    ///   ``TabListError/windowClosed`` if the window of the list was closed;
    ///   ``TabListError/reentrant`` while the list notifies its observers. Nothing changes then.
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
