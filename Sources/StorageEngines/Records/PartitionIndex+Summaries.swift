import BrowserSessions

extension PartitionIndex {
    /// Returns summaries of the existing sessions, ascending.
    func summaries() -> [SessionSummary] {
        countWhatIsUnknown()
        return sessions.compactMap { session in
            guard session.exists else { return nil }
            return SessionSummary(
                id: session.id, title: session.title, tabCount: session.tabCount,
                lastActiveAt: max(session.lastActiveAt, session.latestTab ?? .unknown),
                byteCount: session.byteCount + (stateBytes?[session.id] ?? 0))
        }
        .sorted { $0.id < $1.id }
    }

    /// Computes what edits could not keep current: the latest tab of a session that lost its latest
    /// one and, once, the size of the states.
    private func countWhatIsUnknown() {
        let unknown = sessions.indices.filter {
            sessions[$0].latestTab == nil && sessions[$0].tabCount > 0
        }
        if !unknown.isEmpty {
            var latest = Dictionary(
                uniqueKeysWithValues: unknown.map { ($0, Timestamp(microseconds: .min)) })
            for tab in tabs.values {
                if let known = latest[tab.session] {
                    latest[tab.session] = max(known, tab.lastActiveAt)
                }
            }
            for (number, time) in latest { setLatestTab(time, of: number) }
        }
        guard stateBytes == nil else { return }
        var counted: [SessionID: Int] = [:]
        for (slot, state) in states {
            if let session = session(of: slot.tab) { counted[session, default: 0] += state.length }
        }
        stateBytes = counted
    }

    /// Updates the sizes of the states when a tab is added, removed or moved.
    func moveStateBytes(of tab: TabID, _ old: SessionID?, _ new: SessionID?) {
        let bytes = stateNames.indices.reduce(0) {
            $0 + (states[StateSlot(tab: tab, name: $1)]?.length ?? 0)
        }
        guard bytes > 0 else { return }
        if let old { stateBytes?[old, default: 0] -= bytes }
        if let new { stateBytes?[new, default: 0] += bytes }
    }
}
