import BrowserSessions

extension TabList {
    /// Opens an address in a new tab: after its opener, in the opener's group and with its container, or at
    /// the end.
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
        let tab = Tab(
            url: address, engine: engine, container: opener?.container, createdAt: now())
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
        let goal = try goal(of: insertion, tab, opener)
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
        let slot = goal.slot(in: order)
        let new = order.put(
            .tab(tab), at: slot, below: goal.parent, goal.edge, in: goal.zone,
            isBack: goal.former != nil)
        prepare(tab)
        order.noteOpener(of: tab)
        telling { tab.makeFirstPage() }
        tell(.inserted(tab, at: new.range.lowerBound))
        if new.isRenumbered { tell(.renumbered) }
        if tab.isRealized { telling { delegate?.tabList(self, attachHelpersTo: tab) } }
        return new.range.lowerBound
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

    private func goal(
        of insertion: TabInsertion, _ tab: Tab, _ opener: TabOpener?
    ) throws(TabListError) -> Goal {
        if let target = insertion.target {
            let goal = try resolve(target)
            try check(.tab(tab), at: goal)
            return goal
        }
        var goal = Goal(
            parent: nil, edge: .member, zone: insertion.isPinned ? .pinned : .normal,
            position: .index(insertion.index ?? .max))
        if let group = insertion.group {
            guard let node = order.nodes[group] else { throw .unknownNode(group) }
            guard !insertion.isPinned else { throw .pinnedInGroup(tab.id) }
            (goal.parent, goal.zone) = (.node(node), .normal)
            try check(.tab(tab), at: goal)
        }
        guard insertion.index == nil, let opener, let from = self.tab(opener.tab),
            let index = order.index(of: from)
        else { return goal }
        goal.position = .index(Swift.max(order.lastChild(of: opener) ?? index, index) + 1)
        guard insertion.group == nil else { return goal }
        return place(ofTabOpenedBy: from, goal)
    }

    /// Returns where a tab goes that another one opens: below it, or into the same group.
    private func place(ofTabOpenedBy opener: Tab, _ goal: Goal) -> Goal {
        var goal = goal
        if rules.opensBelow, !opener.isPinned, goal.zone == .normal {
            let depth = order.ancestors(of: .tab(opener)).count + 1
            if depth <= SessionForest.maximumDepth {
                return Goal(
                    parent: .tab(opener), edge: .branch, zone: .normal, position: .last)
            }
        }
        // The nearest node that the tab can be in: not a split, and nothing pinned.
        var place = ListItem.tab(opener)
        while let parent = place.above {
            let isFree = place.hasZones || parent.hasZones || order.zone(of: parent) == .normal
            if isFree, parent.kind != .split || place.edge == .branch {
                (goal.parent, goal.edge) = (parent, place.edge)
                if !parent.hasZones { goal.zone = .normal }
                return goal
            }
            place = parent
        }
        (goal.parent, goal.edge) = (nil, .member)
        return goal
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
            if tab.isRealized { delegate?.tabList(self, attachHelpersTo: tab) }
        }
        if removal.wasActive { tellOfActive(previous: old) }
        return old
    }
}
