public import BrowserSessions

extension TabList {
    /// Inserts saved tabs before the tabs that are already in the list, in one batch.
    ///
    /// They keep their order, pins, groups, openers and order keys; anything that breaks the rules
    /// of a list is corrected. Tabs that were opened in the meantime come after them, and an active
    /// one stays active. Without one, `active` becomes active if it is in the list. It is not
    /// realized and does not count as shown. A tab that ``insert(_:as:)`` would refuse is omitted.
    ///
    /// A group that is already in the list stays unchanged.
    ///
    /// - Returns: the tabs that were inserted.
    @discardableResult
    public func restore(_ saved: [Tab], groups: [StructureNode], active: TabID?) -> [Tab] {
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
            list.groupTable.merge(groups.map { ($0.id, $0.asGroupOfList) }) { mine, _ in mine }
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

    func tellOfGroups(before: [TabGroupID: StructureNode]) {
        for group in Set(before.keys).union(groupTable.keys).sorted()
        where before[group] != groupTable[group] {
            tell(.groupChanged(group))
        }
    }

    /// Returns the tabs that can enter the list, without duplicates, and registers them.
    private func admit(_ saved: [Tab]) -> [Tab] {
        registry.insert(saved, offTheRecord: isOffTheRecord) { refusal(of: $0) == nil }
    }

    /// Puts pinned tabs first: the restored ones, then the existing ones; likewise for the others.
    ///
    /// - Returns: the ascending indexes of the tabs with a corrected group, opener or order key,
    ///   and whether all tabs got new order keys.
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

    /// Removes pinned tabs from all groups, and tabs from groups that are unknown or split.
    ///
    /// - Returns: the indexes of these tabs.
    private func tidyGroups(of tabs: [Tab]) -> Set<Int> {
        var tidied: Set<Int> = []
        var current: TabGroupID?
        /// The valid groups found so far.
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
