import BrowserSessions

/// What one look at each of many tabs tells of their order, so that nobody has to look again.
///
/// Looking also tells the tabs where they are.
struct TabSurvey {
    struct Members {
        var count: Int
        /// One of them.
        var anchor: Tab
    }

    private(set) var pinnedCount = 0
    /// How many of the tabs are in a group, and one of them; of a group in several pieces, its last one.
    private(set) var members: [TabGroupID: Members] = [:]
    /// The indexes of the tabs that have an opener.
    private(set) var opened: [Int] = []
    /// Whether pinned tabs come first and are in no group, and each group is in one piece.
    private(set) var isTidy = true
    /// Whether all tabs may keep their places.
    private(set) var hasAscendingPlaces = true

    private var group: (id: TabGroupID, count: Int, first: Tab)?
    private var place: OrderKey?

    init(_ tabs: [Tab]) {
        for (index, tab) in tabs.enumerated() { look(at: tab, index) }
        endGroup()
    }

    // What is asked of the metadata is asked one by one: a copy of all of it takes longer.
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
