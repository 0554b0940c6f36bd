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
            let delegate = list.delegate
            if let delegate {
                list.telling { for tab in restored { delegate.tabList(list, willInsert: tab) } }
            }
            let groupsBefore = list.groupTable
            list.telling {
                for tab in restored {
                    list.own(tab)
                    tab.makeFirstPage()
                }
            }
            list.groupTable.merge(groups.map { ($0.id, $0) }) { mine, _ in mine }
            let changed = list.join(restored)
            if !restored.isEmpty { list.tell(.restored(restored)) }
            list.tellOfAttributes(of: changed.indexes)
            if let delegate {
                list.telling {
                    for tab in restored where tab.isRealized {
                        delegate.tabList(list, attachHelpersTo: tab)
                    }
                }
            }
            list.tellOfGroups(before: groupsBefore)
            if changed.isRenumbered { list.tell(.renumbered) }
            if list.activeTab == nil, let tab = active.flatMap({ list.tab($0) }) {
                list.activeTab = tab
                list.tell(.activated(tab, previous: nil))
            }
            return restored
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
    /// - Returns: the indexes of those of which the group, the opener or the place was put right, ascending,
    ///   and whether all got new places.
    private func join(_ restored: [Tab]) -> (indexes: [Int], isRenumbered: Bool) {
        var all = isEmpty ? restored : restored + tabs
        var survey = TabSurvey(all)
        var changed: Set<Int> = []
        if !survey.isTidy || survey.members.keys.contains(where: { groupTable[$0] == nil }) {
            all = all.filter { $0.metadata.isPinned } + all.filter { !$0.metadata.isPinned }
            changed = tidyGroups(of: all)
            survey = TabSurvey(all)
        }
        if survey.members.count != groupTable.count {
            groupTable = groupTable.filter { survey.members[$0.key] != nil }
        }
        changed.formUnion(order.reset(to: all, survey))
        guard !survey.hasAscendingPlaces else { return (changed.sorted(), false) }
        let places = tabs.map(\.metadata.place)
        let ids = Set(restored.lazy.map(\.id))
        let isRenumbered = !fitPlaces { ids.contains($0.id) }
        changed.formUnion(tabs.indices.filter { tabs[$0].metadata.place != places[$0] })
        return (changed.sorted(), isRenumbered)
    }

    /// Takes tabs out of groups that are unknown, split, or of pinned tabs.
    ///
    /// - Returns: the indexes of these tabs.
    private func tidyGroups(of tabs: [Tab]) -> Set<Int> {
        var tidied: Set<Int> = []
        var current: TabGroupID?
        /// Those that were met and fit.
        var used: Set<TabGroupID> = []
        for (index, tab) in tabs.enumerated() {
            let group = tab.metadata.group
            if group == current, !tab.metadata.isPinned { continue }
            current = group
            guard let group else { continue }
            let fits = groupTable[group] != nil && !tab.metadata.isPinned
            if fits, used.insert(group).inserted { continue }
            tab.metadata.group = nil
            tidied.insert(index)
            current = nil
        }
        return tidied
    }
}
