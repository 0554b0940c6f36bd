import BrowserSessions

/// The results of one pass over many tabs, so that their order need not be examined again.
///
/// The pass also records each tab's index in the tab.
struct TabSurvey {
    struct Members {
        var count: Int
        /// One tab of the group.
        var anchor: Tab
    }

    private(set) var pinnedCount = 0
    /// Each group's tab count and one of its tabs; for a split group, of its last piece.
    private(set) var members: [TabGroupID: Members] = [:]
    /// The indexes of the tabs that have an opener.
    private(set) var opened: [Int] = []
    /// Whether pinned tabs come first and are not in groups, and each group is in one piece.
    private(set) var isTidy = true
    /// Whether all tabs can keep their order keys.
    private(set) var hasAscendingPlaces = true

    private var group: (id: TabGroupID, count: Int, first: Tab)?
    private var place: OrderKey?

    init(_ tabs: [Tab]) {
        for (index, tab) in tabs.enumerated() { look(at: tab, index) }
        endGroup()
    }

    // Reads single fields of the metadata, because copying all of it takes longer.
    private mutating func look(at tab: Tab, _ index: Int) {
        tab.indexHint = Int32(index)
        let tabGroup = tab.metadata.group
        if tab.metadata.isPinned {
            if pinnedCount < index || tabGroup != nil { isTidy = false }
            pinnedCount += 1
        }
        if tabGroup != group?.id {
            endGroup()
            group = tabGroup.map { ($0, 0, tab) }
        }
        if tabGroup != nil { group?.count += 1 }
        if tab.metadata.opener != nil { opened.append(index) }
        let next = tab.metadata.place
        if !TabList.isBetween(next, place, nil) { hasAscendingPlaces = false }
        place = next
    }

    private mutating func endGroup() {
        guard let (id, count, first) = group else { return }
        if members.updateValue(Members(count: count, anchor: first), forKey: id) != nil {
            isTidy = false
        }
        group = nil
    }
}
