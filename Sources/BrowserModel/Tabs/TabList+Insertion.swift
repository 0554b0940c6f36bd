public import BrowserSessions

extension TabList {
    /// Opens an address in a new tab: after its opener, in the opener's group and with its container, or at
    /// the end.
    ///
    /// - Parameters:
    ///   - address: the page to show; empty for none.
    ///   - opener: the tab that opens the new one; `nil` if there is none.
    ///   - isInBackground: whether the active tab stays in front. The page loads in any case.
    /// - Returns: the new tab.
    /// - Throws: ``TabListError/unknownOpener(_:)`` if the opener is not in the list;
    ///   ``TabListError/windowClosed`` if the window of the list was closed;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    @discardableResult
    public func open(
        _ address: String, from opener: Tab? = nil, inBackground isInBackground: Bool = false
    ) throws(TabListError) -> Tab {
        let tab = Tab(url: address, container: opener?.container, createdAt: now())
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
    ///   ``TabListError/unknownOpener(_:)``, ``TabListError/unknownNode(_:)``,
    ///   ``TabListError/pinnedInGroup(_:)`` or ``TabListError/breaksRule(_:_:)`` if the insertion does
    ///   not fit;
    ///   ``TabListError/reentrant`` while the list notifies its observers. Nothing changes then.
    @discardableResult
    public func insert(_ tab: Tab, as insertion: TabInsertion = .automatic) throws(TabListError)
        -> Int
    {
        guard mayChange() else { throw .reentrant }
        try check(tab)
        let opener = try opener(for: insertion)
        let goal = try order.goal(of: insertion, for: tab, openedBy: opener)
        let index = enter(tab, opener: opener, at: goal) { _ in }
        if insertion.activates { setActive(tab) }
        return index
    }

    /// Puts a tab that may enter at a place.
    ///
    /// - Parameter prepare: completes the tab's record before observers hear of it.
    @discardableResult
    func enter(
        _ tab: Tab, opener: TabOpener?, at goal: Goal, _ prepare: (Tab) -> Void
    ) -> Int {
        telling { delegate?.tabList(self, willInsert: tab) }
        take(tab)
        tab.metadata.opener = opener
        let new = order.put(tab, at: goal)
        prepare(tab)
        order.noteOpener(of: tab)
        telling { tab.makeFirstPage() }
        tell(.inserted(tab, at: new.range.lowerBound))
        if new.isRenumbered { tell(.renumbered) }
        attachHelpers(to: [tab])
        return new.range.lowerBound
    }

    func check(_ tab: Tab) throws(TabListError) {
        if let refusal = refusal(of: tab) { throw refusal }
        if order.known.contains(NodeID(tab.id)) { throw .duplicateIdentifier(tab.id) }
    }

    /// Returns why the list refuses the tab, whatever its identifier; `nil` if it does not.
    func refusal(of tab: Tab) -> TabListError? {
        if isAbandoned { return .windowClosed }
        if tab.isClosed { return .closed(tab.id) }
        guard tab.membership != nil else { return nil }
        if tab.owner != nil { return .alreadyInserted(tab.id) }
        return foreignness(of: tab)
    }

    /// Returns an error if the tab is from another partition or profile; otherwise `nil`.
    func foreignness(of tab: Tab) -> TabListError? {
        if let partition = tab.isIncognito, partition != isIncognito {
            return .crossesPartitions(tab.id)
        }
        guard let profile = membership.profile, let other = tab.membership?.profile,
            other !== profile
        else { return nil }
        return .crossesProfiles(tab.id)
    }

    func take(_ tab: Tab) {
        own(tab)
        order.known.insert(tab)
    }

    /// Makes this list the tab's list. The tab must already be known.
    func own(_ tab: Tab) {
        guard membership.profile == nil, let profile = tab.membership?.profile else {
            return tab.enter(membership)
        }
        // The tab still belongs to its profile.
        let guest = TabMembership(profile, isIncognito: isIncognito, engine: membership.engine)
        guest.owner = self
        tab.enter(guest)
    }

    private func opener(for insertion: TabInsertion) throws(TabListError) -> TabOpener? {
        var opener = insertion.inheritsOpener ? activeTab : nil
        if let id = insertion.opener {
            guard let named = tab(id) else { throw .unknownOpener(id) }
            opener = named
        }
        return opener.map {
            TabOpener(tab: $0.id, navigationIndex: Int32(clamping: $0.navigationIndex))
        }
    }

    /// Replaces a tab and closes it, for example to show a prerendered page. The new tab inherits
    /// the place, the opener and what branches from it, and is active if the old tab was.
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
        let old = try resolve(old)
        try check(tab)
        let removal = removal(of: old, at: order.index(of: old) ?? 0, closing: .replacement)
        telling { delegate?.tabList(self, willInsert: tab) }
        take(tab)
        tab.metadata.opener = old.metadata.opener
        let branches = order.replace(old, with: tab)
        letGo(old)
        telling { tab.makeFirstPage() }
        if removal.wasActive { activeTab = tab }
        let orphans = order.forgetOpeners([old])
        tell(.replaced(removal, with: tab))
        tellOfItems(branches)
        tellOfAttributes(of: orphans)
        telling {
            delegate?.tabList(self, didRemove: old)
            old.end()
        }
        attachHelpers(to: [tab])
        if removal.wasActive { tellOfActive(previous: old) }
        return old
    }

    /// Sets the opener of a tab, or removes it.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if the tab is not in the list;
    ///   ``TabListError/unknownOpener(_:)`` if the opener is the tab itself or not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    public func setOpener(
        _ opener: TabOpener?, of tab: some TabReference
    ) throws(TabListError) {
        let tab = try resolve(tab)
        if let opener, opener.tab == tab.id || self.tab(opener.tab) == nil {
            throw .unknownOpener(opener.tab)
        }
        guard tab.opener != opener else { return }
        order.setOpener(opener, of: tab)
        tellOfItems([tab])
    }
}
