import BrowserSessions

/// Looks, for each thing that is not as it was saved last, for what says so of that thing: one
/// reported loss is no excuse for others.
struct LossAccount: Sendable {
    private let content: DamagedContent
    private let losses: [Loss]

    init(_ content: DamagedContent) {
        self.content = content
        losses = content.report.losses + content.sessions.values.flatMap(\.losses)
    }

    /// The first thing of the side of which nothing says that it is lost.
    func unexplained(_ trial: DamageTrial, _ side: StorageSide) -> String? {
        if content.ids == nil { return nil }
        if side == .incognito && content.report.discardedIncognitoSides > 0 { return nil }
        for session in trial.used.sessions(of: side) {
            // Whoever throws for a session, or cannot tell what is lost of it, has said so.
            if content.unreadable.contains(session.id) || isUnknown(session.id) { continue }
            if let problem = unexplained(in: session) { return problem }
        }
        return nil
    }

    private func isUnknown(_ session: SessionID) -> Bool {
        losses.contains {
            switch $0.kind {
            case .unknownRecords: $0.session == nil || $0.session == session
            case .attributes, .tab, .tabReplacedByEarlier: $0.session == nil
            case .state, .unfinishedWrite: false
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
        // A loss whose tab is not known can be any one.
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
