import BrowserSessions

extension SessionSnapshot {
    var pinnedCount: Int { tabs.prefix { $0.metadata.isPinned }.count }

    /// Puts the groups where their first tabs are, and in their order.
    mutating func placeGroups() {
        nodes.takePlaces(of: tabs.lazy.map(\.metadata))
        nodes.sort { ($0.place, $0.id) < ($1.place, $1.id) }
    }

    /// Inserts a tab near an index: pinned tabs among the pinned ones, others after them. Between
    /// two tabs of one group, it joins the group. Elsewhere, it keeps its group only next to it.
    mutating func insert(_ tab: TabSnapshot, near wanted: Int) {
        var tab = tab
        let pinned = pinnedCount
        let index = tab.metadata.isPinned ? min(wanted, pinned) : max(wanted, pinned)
        let before = index > 0 ? tabs[index - 1].metadata : nil
        let after = index < tabs.count ? tabs[index].metadata : nil
        if let group = before?.group, group == after?.group {
            tab.metadata.group = group
        } else if tab.metadata.group != before?.group, tab.metadata.group != after?.group {
            tab.metadata.group = nil
        }
        if tab.metadata.isPinned { tab.metadata.group = nil }
        tab.metadata.place = .between(before?.place, and: after?.place)
        tabs.insert(tab, at: index)
    }

    /// Restores the rules of tab lists after tabs are gone: no empty groups, and no openers and no
    /// active tab that the list does not have.
    mutating func tidy() {
        let ids = Set(tabs.map(\.metadata.id))
        let used = Set(tabs.compactMap(\.metadata.group))
        nodes.removeAll { !used.contains($0.id) }
        placeGroups()
        for index in tabs.indices {
            guard let opener = tabs[index].metadata.opener, !ids.contains(opener.tab) else {
                continue
            }
            tabs[index].metadata.opener = nil
        }
        if let active = attributes.activeTab, !ids.contains(active) {
            attributes.activeTab = tabs.last?.metadata.id
        }
    }
}
