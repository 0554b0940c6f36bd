import BrowserSessions

/// Checks that each thing that differs from its last save is itself reported as lost: one reported
/// loss does not excuse others.
struct LossAccount: Sendable {
    private let content: DamagedContent
    private let losses: [Loss]

    init(_ content: DamagedContent) {
        self.content = content
        losses = content.report.losses + content.sessions.values.flatMap(\.losses)
    }

    /// Returns the first thing of the partition that is lost without a report.
    func unexplained(_ trial: DamageTrial, _ partition: StoragePartition) -> String? {
        if content.ids == nil { return nil }
        if partition == .incognito && content.report.discardedIncognitoPartitions > 0 { return nil }
        for session in trial.used.sessions(of: partition) {
            // A store that throws for a session, or cannot name its losses, has reported them.
            if content.unreadable.contains(session.id) || isUnknown(session.id) { continue }
            if let problem = unexplained(in: session) { return problem }
        }
        return nil
    }

    private func isUnknown(_ session: SessionID) -> Bool {
        losses.contains {
            switch $0.kind {
            case .unknownRecords: $0.session == nil || $0.session == session
            case .attributes, .tab, .node, .tabReplacedByEarlier, .nodeReplacedByEarlier:
                $0.session == nil
            case .state, .restorePoint, .unfinishedWrite: false
            }
        }
    }

    private func unexplained(in session: SessionSnapshot) -> String? {
        let own = losses.filter { $0.session == session.id }
        guard let found = content.sessions[session.id] else {
            return own.contains { $0.kind != .state } ? nil : "a session is gone"
        }
        let isRepaired = !found.repairs.isEmpty
        if found.attributes != session.attributes && !isRepaired
            && !own.contains(where: { $0.kind == .attributes })
        {
            return "the attributes of a session are not those that were saved last"
        }
        // A loss without a known tab can be any one.
        if !own.contains(where: { $0.kind == .tab && $0.tab == nil }) {
            let tabs = Dictionary(found.tabs.map { ($0.id, $0) }) { first, _ in first }
            for tab in session.tabs.map(\.metadata) where tabs[tab.id] != tab {
                let isSame = tabs[tab.id]?.url == tab.url && tabs[tab.id]?.title == tab.title
                if isRepaired && isSame { continue }
                if !own.contains(where: { $0.tab == tab.id && $0.kind != .state }) {
                    return tabs[tab.id] == nil ? "a tab is gone" : "a tab is an older one"
                }
            }
        }
        for (key, bytes) in StoreContent([session]).states where content.states[key] != bytes {
            if content.unreadableStates.contains(key) { continue }
            if !losses.contains(where: { $0.kind == .state && [key.tab, nil].contains($0.tab) }) {
                return content.states[key] == nil ? "a state is gone" : "a state is an older one"
            }
        }
        return nil
    }
}
