public import BrowserSessions

extension TabList {
    /// Puts tabs that were saved before the ones that are there already, in one batch.
    ///
    /// They keep their order, pins, groups, openers and places; what breaks the rules of a list is
    /// put right. Tabs that were opened meanwhile come behind them and stay active; without one, the
    /// tab `active` becomes active, or none if it is not among the tabs. It is not realized, nor does
    /// it count as shown. A tab whose identifier is in a list already is left out.
    ///
    /// - Returns: the tabs that were inserted.
    @discardableResult
    public func restore(_ saved: [Tab], groups: [TabGroup], active: TabID?) -> [Tab] {
        guard mayChange() else { return [] }
        let restored = admit(saved)
        let saved = restored.map(\.metadata)
        return performBatch { list in
            for tab in restored {
                list.telling { list.delegate?.tabList(list, willInsert: tab) }
                list.take(tab)
            }
            list.groupTable.merge(groups.map { ($0.id, $0) }) { mine, _ in mine }
            list.join(restored)
            list.tidyGroups()
            list.tidyPlaces(Set(restored.map(\.id)))
            list.tellOfRestored(restored, saved)
            if list.activeTab == nil, let tab = active.flatMap({ list.tab($0) }) {
                list.activeTab = tab
                list.tell(.activated(tab, previous: nil))
            }
            return restored
        }
    }

    private func tellOfRestored(_ restored: [Tab], _ saved: [TabMetadata]) {
        let before = Dictionary(
            zip(restored.map(\.id), saved), uniquingKeysWith: { first, _ in first })
        for (index, tab) in tabs.enumerated() {
            guard let before = before[tab.id] else { continue }
            tell(.inserted(tab, at: index))
            if before != tab.metadata { tell(.attributesChanged(tab, at: index)) }
            if tab.isRealized { telling { delegate?.tabList(self, attachHelpersTo: tab) } }
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

    /// Takes tabs out of groups that are unknown, split, or of pinned tabs; removes openers that are
    /// not here.
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

    /// Makes the places ascend; those of restored tabs change only where they must.
    private func tidyPlaces(_ restored: Set<TabID>) {
        var following = [OrderKey?](repeating: nil, count: count + 1)
        for index in tabs.indices.reversed() {
            let isRestored = restored.contains(tabs[index].id)
            following[index] = isRestored ? tabs[index].metadata.place : following[index + 1]
        }
        var previous: OrderKey?
        for (index, tab) in tabs.enumerated() {
            let ascends = previous.map { $0 < tab.metadata.place } ?? true
            if !ascends || !restored.contains(tab.id) {
                tab.metadata.place = .between(previous, following[index + 1])
            }
            previous = tab.metadata.place
        }
    }
}
