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
        let (restored, ids) = admit(saved)
        return performBatch { list in
            list.telling {
                for tab in restored { list.delegate?.tabList(list, willInsert: tab) }
            }
            let groupsBefore = list.groupTable
            for tab in restored { list.take(tab) }
            list.groupTable.merge(groups.map { ($0.id, $0) }) { mine, _ in mine }
            let tidied = list.join(restored, ids)
            let places = list.hasAscendingPlaces ? nil : list.tabs.map(\.metadata.place)
            let isRenumbered = !list.fitPlaces { ids.contains($0.id) }
            list.tellOfRestored(ids) { tab, index in
                places.map { $0[index] != tab.metadata.place } ?? false || tidied.contains(tab.id)
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

    private func tellOfRestored(_ restored: Set<TabID>, _ hasChanged: (Tab, Int) -> Bool) {
        let areAll = restored.count == count
        for (index, tab) in tabs.enumerated() where areAll || restored.contains(tab.id) {
            tell(.inserted(tab, at: index))
            if hasChanged(tab, index) { tell(.attributesChanged(tab, at: index)) }
            if tab.isRealized { telling { delegate?.tabList(self, attachHelpersTo: tab) } }
        }
        guard !areAll else { return }
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

    private func admit(_ saved: [Tab]) -> (tabs: [Tab], ids: Set<TabID>) {
        var seen = Set<TabID>(minimumCapacity: saved.count)
        let tabs = saved.filter { tab in
            (try? check(tab)) != nil && seen.insert(tab.id).inserted
        }
        return (tabs, seen)
    }

    /// Pinned tabs first: the restored ones, then those that were there; likewise the others.
    ///
    /// - Returns: those of which the group or the opener was put right.
    private func join(_ restored: [Tab], _ ids: Set<TabID>) -> Set<TabID> {
        var all = restored + tabs
        all = all.filter(\.isPinned) + all.filter { !$0.isPinned }
        let tidied = tidyGroups(of: all, here: isEmpty ? ids : ids.union(tabs.map(\.id)))
        order.reset(to: all)
        return tidied
    }

    /// Takes tabs out of groups that are unknown, split, or of pinned tabs; removes openers that
    /// are not here.
    private func tidyGroups(of tabs: [Tab], here: Set<TabID>) -> Set<TabID> {
        var tidied: Set<TabID> = []
        var ended: Set<TabGroupID> = []
        var current: TabGroupID?
        for tab in tabs {
            if let group = tab.metadata.group {
                let fits = groupTable[group] != nil && !tab.metadata.isPinned
                if !fits || (current != group && ended.contains(group)) {
                    tab.metadata.group = nil
                    tidied.insert(tab.id)
                }
            }
            if let last = current, last != tab.metadata.group { ended.insert(last) }
            current = tab.metadata.group
            if let opener = tab.metadata.opener?.tab, opener == tab.id || !here.contains(opener) {
                tab.metadata.opener = nil
                tidied.insert(tab.id)
            }
        }
        let used = Set(tabs.compactMap(\.metadata.group))
        groupTable = groupTable.filter { used.contains($0.key) }
        return tidied
    }
}
