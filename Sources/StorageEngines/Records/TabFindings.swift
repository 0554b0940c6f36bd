import BrowserSessions

/// What is known of a session's tabs once they are read, so that repairing need not look at each again.
struct TabFindings {
    private(set) var hasParents = false
    private(set) var hasZones = false
    private var hasNegativeCounts = false
    /// The tabs that have an opener, with it.
    private var openers: [(tab: TabID, opener: TabID)] = []

    init() {}

    init(of tabs: [TabMetadata]) {
        for tab in tabs { note(tab) }
    }

    mutating func note(_ tab: TabMetadata) {
        if tab.parent != nil { hasParents = true }
        if tab.isPinned { hasZones = true }
        if tab.navigationItemCount < 0 { hasNegativeCounts = true }
        if let opener = tab.opener { openers.append((tab.id, opener.tab)) }
    }

    /// Whether a tab may break a rule that concerns it alone.
    func mayBreakRules(_ contains: (TabID) -> Bool) -> Bool {
        hasNegativeCounts
            || openers.contains { $0.tab == $0.opener || !contains($0.opener) }
    }
}
