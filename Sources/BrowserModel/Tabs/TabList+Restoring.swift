public import BrowserSessions

extension TabList {
    /// Puts tabs that were saved before the ones that are there already, in one batch.
    ///
    /// They keep their order, pins, groups, openers and places; what breaks the rules of a list is
    /// put right. Tabs that were opened meanwhile come behind them and stay active; without one,
    /// the tab `active` becomes active, or none if it is not among the tabs. It is not realized,
    /// nor does it count as shown. A tab whose identifier is in a list already is left out.
    ///
    /// A group that the list has already stays as it is.
    ///
    /// - Returns: the tabs that were inserted.
    @discardableResult
    public func restore(_ saved: [Tab], groups: [TabGroup], active: TabID?) -> [Tab] {
        guard mayChange() else { return [] }
        let restored = admit(saved)
        return performBatch { list in
            list.telling {
                for tab in restored { list.delegate?.tabList(list, willInsert: tab) }
            }
            let before = (restored + list.tabs).map(\.metadata)
            let groupsBefore = list.groupTable
            for tab in restored { list.take(tab) }
            list.groupTable.merge(groups.map { ($0.id, $0) }) { mine, _ in mine }
            list.join(restored)
            list.tidyGroups()
            let ids = Set(restored.map(\.id))
            let isRenumbered = !list.fitPlaces { ids.contains($0.id) }
            list.tellOfRestored(ids, before)
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
        for (index, tab) in tabs.enumerated() where restored.contains(tab.id) {
            tell(.inserted(tab, at: index))
            if before[tab.id] != tab.metadata { tell(.attributesChanged(tab, at: index)) }
            if tab.isRealized { telling { delegate?.tabList(self, attachHelpersTo: tab) } }
        }
        for (index, tab) in tabs.enumerated() where !restored.contains(tab.id) {
            if before[tab.id] != tab.metadata { tell(.attributesChanged(tab, at: index)) }
        }
    }

    func tellOfGroups(before: [TabGroupID: TabGroup]) {
        for group in Set(before.keys).union(groupTable.keys).sorted()
        where before[group] != groupTable[group] {
            tell(.groupChanged(group))
        }
    }

    private func admit(_ saved: [Tab]) -> [Tab] {
        var seen: Set<TabID> = []
        return saved.filter { tab in
            (try? check(tab)) != nil && seen.insert(tab.id).inserted
        }
    }

    /// Pinned tabs first: the restored ones, then those that were there; likewise the others.
    private func join(_ restored: [Tab]) {
        let all = restored + tabs
        tabs = all.filter(\.metadata.isPinned) + all.filter { !$0.metadata.isPinned }
        pinnedCount = tabs.count { $0.metadata.isPinned }
    }

    /// Takes tabs out of groups that are unknown, split, or of pinned tabs; removes openers that
    /// are not here.
    private func tidyGroups() {
        let here = Set(tabs.map(\.id))
        var ended: Set<TabGroupID> = []
        var current: TabGroupID?
        for tab in tabs {
            if let group = tab.metadata.group {
                let fits = groupTable[group] != nil && !tab.metadata.isPinned
                if !fits || (current != group && ended.contains(group)) { tab.metadata.group = nil }
            }
            if let last = current, last != tab.metadata.group { ended.insert(last) }
            current = tab.metadata.group
            if let opener = tab.metadata.opener?.tab, opener == tab.id || !here.contains(opener) {
                tab.metadata.opener = nil
            }
        }
        let used = Set(tabs.compactMap(\.metadata.group))
        groupTable = groupTable.filter { used.contains($0.key) }
    }
}
