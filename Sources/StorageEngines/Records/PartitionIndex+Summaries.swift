import BrowserSessions

extension PartitionIndex {
    /// Returns summaries of the existing sessions, ascending.
    func summaries() -> [SessionSummary] {
        countWhatIsUnknown()
        return sessions.compactMap { id, session in
            guard session.exists else { return nil }
            return SessionSummary(
                id: id, title: session.title, tabCount: session.tabCount,
                lastActiveAt: max(session.lastActiveAt, session.latestTab ?? .unknown),
                byteCount: session.byteCount + (stateBytes?[id] ?? 0))
        }
        .sorted { $0.id < $1.id }
    }

    /// Computes what edits could not keep current: the latest tab of a session that lost its latest
    /// one and, once, the size of the states.
    private func countWhatIsUnknown() {
        let unknown = sessions.filter { $0.value.latestTab == nil && $0.value.tabCount > 0 }
        if !unknown.isEmpty {
            var latest = unknown.mapValues { _ in Timestamp(microseconds: .min) }
            for tab in tabs.values {
                if let known = latest[tab.session] {
                    latest[tab.session] = max(known, tab.lastActiveAt)
                }
            }
            for (id, time) in latest { setLatestTab(time, of: id) }
        }
        guard stateBytes == nil else { return }
        var counted: [SessionID: Int] = [:]
        for (slot, state) in states {
            if let session = tabs[slot.tab]?.session {
                counted[session, default: 0] += state.length
            }
        }
        stateBytes = counted
    }

    /// Updates the sizes of the states when a tab is added, removed or moved.
    func moveStateBytes(of tab: TabID, _ old: SessionID?, _ new: SessionID?) {
        guard stateBytes != nil, old != new else { return }
        let bytes = stateNames.indices.reduce(0) {
            $0 + (states[StateSlot(tab: tab, name: $1)]?.length ?? 0)
        }
        guard bytes > 0 else { return }
        if let old { stateBytes?[old, default: 0] -= bytes }
        if let new { stateBytes?[new, default: 0] += bytes }
    }
}
