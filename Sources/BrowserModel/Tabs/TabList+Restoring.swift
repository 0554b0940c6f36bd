public import BrowserSessions

extension TabList {
    /// Puts tabs that were saved before the ones that are there already, in one batch.
    ///
    /// They keep their order, pins, groups, openers and places; what breaks the rules of a list is
    /// put right. Tabs that were opened meanwhile come behind them and stay active; without one,
    /// the tab `active` becomes active, or none if it is not among the tabs. It is not realized,
    /// nor does it count as shown. A tab that ``insert(_:_:)`` would refuse is left out.
    ///
    /// A group that the list has already stays as it is.
    ///
    /// - Returns: the tabs that were inserted.
    @discardableResult
    public func restore(_ saved: [Tab], groups: [TabGroup], active: TabID?) -> [Tab] {
        guard mayChange() else { return [] }
        let restored = admit(saved)
        return performBatch { list in
            if let delegate = list.delegate {
                list.telling { for tab in restored { delegate.tabList(list, willInsert: tab) } }
            }
            let groupsBefore = list.groupTable
            // In an empty list all are restored: nobody has to look which.
            let ids = list.isEmpty ? nil : Set(restored.lazy.map(\.id))
            for tab in restored { list.own(tab) }
            list.groupTable.merge(groups.map { ($0.id, $0) }) { mine, _ in mine }
            let tidied = list.join(restored)
            let places = list.hasAscendingPlaces ? nil : list.tabs.map(\.metadata.place)
            let isRenumbered =
                places != nil && !list.fitPlaces { ids?.contains($0.id) ?? true }
            list.tellOfRestored(ids) { tab, index in
                places.map { $0[index] != tab.metadata.place } ?? false || tidied.contains(index)
            }
            list.tellOfGroups(before: groupsBefore)
            if isRenumbered { list.tell(.renumbered) }
            if list.activeTab == nil, let tab = active.flatMap({ list.tab($0) }) {
                list.activeTab = tab
                list.tell(.activated(tab, previous: nil))
            }
            return restored
        }
    }

    func tellOfRestored(_ restored: Set<TabID>, _ before: [TabMetadata]) {
        let before = Dictionary(before.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        tellOfRestored(restored) { tab, _ in before[tab.id] != tab.metadata }
    }

    /// - Parameter restored: `nil` for all tabs of the list.
    private func tellOfRestored(_ restored: Set<TabID>?, _ hasChanged: (Tab, Int) -> Bool) {
        for (index, tab) in tabs.enumerated() where restored?.contains(tab.id) ?? true {
            tell(.inserted(tab, at: index))
            if hasChanged(tab, index) { tell(.attributesChanged(tab, at: index)) }
            if tab.isRealized { telling { delegate?.tabList(self, attachHelpersTo: tab) } }
        }
        guard let restored else { return }
        for (index, tab) in tabs.enumerated() where !restored.contains(tab.id) {
            if hasChanged(tab, index) { tell(.attributesChanged(tab, at: index)) }
        }
    }

    func tellOfGroups(before: [TabGroupID: TabGroup]) {
        for group in Set(before.keys).union(groupTable.keys).sorted()
        where before[group] != groupTable[group] {
            tell(.groupChanged(group))
        }
    }

    /// Those that may come into the list, none twice. From now on the registry knows them.
    private func admit(_ saved: [Tab]) -> [Tab] {
        registry.insert(saved, offTheRecord: isOffTheRecord) { refusal(of: $0) == nil }
    }

    /// Pinned tabs first: the restored ones, then those that were there; likewise the others.
    ///
    /// - Returns: the indexes of those of which the group or the opener was put right.
    private func join(_ restored: [Tab]) -> Set<Int> {
        var all = isEmpty ? restored : restored + tabs
        if !Self.hasPinnedFirst(all) {
            all = all.filter { $0.metadata.isPinned } + all.filter { !$0.metadata.isPinned }
        }
        let tidied = tidyGroups(of: all)
        return tidied.union(order.reset(to: all))
    }

    private static func hasPinnedFirst(_ tabs: [Tab]) -> Bool {
        let end = tabs.firstIndex { !$0.metadata.isPinned } ?? tabs.count
        return tabs[end...].allSatisfy { !$0.metadata.isPinned }
    }

    /// Takes tabs out of groups that are unknown, split, or of pinned tabs; ends groups without tabs.
    ///
    /// - Returns: the indexes of these tabs.
    private func tidyGroups(of tabs: [Tab]) -> Set<Int> {
        var tidied: Set<Int> = []
        var current: TabGroupID?
        /// Those that were met and fit.
        var used: Set<TabGroupID> = []
        for (index, tab) in tabs.enumerated() {
            let group = tab.metadata.group
            // A group that goes on needs no look into a table.
            if group == current, group == nil || !tab.metadata.isPinned { continue }
            current = group
            guard let group else { continue }
            let fits = groupTable[group] != nil && !tab.metadata.isPinned
            if fits, used.insert(group).inserted { continue }
            tab.metadata.group = nil
            tidied.insert(index)
            current = nil
        }
        if used.count != groupTable.count {
            groupTable = groupTable.filter { used.contains($0.key) }
        }
        return tidied
    }
}
