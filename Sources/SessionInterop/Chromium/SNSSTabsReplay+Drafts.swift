import BrowserSessions

extension SNSSTabsReplay {
    /// Returns one session for single tabs and tabs of groups, and one for each closed window.
    func drafts(_ identity: SourceIdentity, _ reading: inout SourceReading) -> [SessionDraft] {
        let window: WindowID = identity.identifier("closed tabs")
        var single = SessionDraft(
            id: SessionID(window: window, kind: .recentlyClosed), location: "closed tabs")
        var singles: [Tab] = []
        var drafts: [SessionDraft] = []
        for (index, entry) in entries.enumerated() where !entry.isReopened {
            let tabs = entry.tabs.filter { !$0.isReopened }
            if tabs.count < entry.expected {
                reading.log.note(
                    at: "entry \(index)",
                    "\(tabs.count) of \(entry.expected) tabs of a closed window are there")
            }
            guard entry.isWindow else {
                singles += tabs
                continue
            }
            let window: WindowID = identity.identifier("closed window", String(index))
            var draft = SessionDraft(
                id: SessionID(window: window), location: "closed window \(index)")
            draft.attributes.properties = entry.properties
            draft.attributes.closedAt = Timestamp(windowsMicroseconds: entry.closedAt)
            let title = draft.attributes.properties.removeValue(forKey: "chromium.user-title")
            draft.attributes.title = title ?? ""
            append(tabs, to: &draft, identity, &reading)
            let selected = Int(entry.selected)
            if draft.tabs.indices.contains(selected) {
                draft.attributes.activeTab = draft.tabs[selected].metadata.id
            }
            if !draft.tabs.isEmpty { drafts.append(draft) }
        }
        append(singles, to: &single, identity, &reading)
        if !single.tabs.isEmpty { drafts.insert(single, at: 0) }
        reading.counts.distinctNavigations = drafts.reduce(0) { $0 + $1.counts.closedEntries }
        return drafts
    }

    private func append(
        _ tabs: [Tab], to draft: inout SessionDraft, _ identity: SourceIdentity,
        _ reading: inout SourceReading
    ) {
        var groups = Set(draft.nodes.map(\.id))
        for tab in tabs {
            let location = "closed tab \(tab.ordinal)"
            guard !tab.entries.isEmpty else {
                reading.log.loss(at: location, "the tab has no history entry and is left out")
                continue
            }
            guard reading.nextTab(at: location) != nil else { return }
            draft.tabs.append(self.draft(tab, identity, location))
            guard let group = tab.group, groups.insert(group.id).inserted else { continue }
            draft.nodes.append(group)
        }
    }

    private func draft(_ tab: Tab, _ identity: SourceIdentity, _ location: String) -> TabDraft {
        var draft = TabDraft(
            id: identity.identifier("tab", String(tab.ordinal)), location: location)
        draft.metadata.isPinned = tab.isPinned
        draft.metadata.group = tab.group?.id
        draft.metadata.properties = tab.properties
        draft.metadata.lastActiveAt = Timestamp(windowsMicroseconds: tab.closedAt)
        var history = NavigationHistory(entries: tab.entries)
        history.currentIndex = min(max(Int(tab.selected), 0), tab.entries.count - 1)
        draft.history = history
        draft.adoptHistory()
        return draft
    }
}
