import BrowserSessions

/// What a user wants to have removed: whole sessions, and single tabs of others.
struct RemovalPlan {
    /// The sessions that go with all their tabs, in the order of a store.
    private(set) var sessions: [RestoredSession] = []
    /// The tabs that go from sessions that stay, by session.
    private(set) var tabs: [(session: RestoredSession, tabs: [TabMetadata])] = []

    /// The number of tabs that go.
    var tabCount: Int {
        sessions.reduce(0) { $0 + $1.tabs.count } + tabs.reduce(0) { $0 + $1.tabs.count }
    }

    /// Plans a removal. A window goes with its companions, such as its unused tabs. A session that
    /// would be left without tabs goes as a whole.
    ///
    /// - Parameters:
    ///   - items: what was named; anything may be there twice.
    ///   - all: all sessions of the store.
    init(_ items: [StoreItem], of all: [RestoredSession]) {
        var whole: Set<SessionID> = []
        var single: [SessionID: Set<TabID>] = [:]
        for item in items {
            switch item {
            case .session(let id): whole.insert(id)
            case .tab(let tab, let session): single[session, default: []].insert(tab)
            }
        }
        for session in all where single[session.id]?.count == session.tabs.count {
            whole.insert(session.id)
        }
        let windows = Set(whole.filter { $0.kind.role == .window }.map(\.window))
        for session in all {
            let isCompanion = session.id.kind.role == .companion
            if whole.contains(session.id) || isCompanion && windows.contains(session.id.window) {
                sessions.append(session)
            } else if let wanted = single[session.id] {
                tabs.append((session, session.tabs.filter { wanted.contains($0.id) }))
            }
        }
    }

    /// The change sets, one for each partition in which something goes. All are marked as intended.
    var changes: [SessionChanges] {
        StoragePartition.allCases.compactMap { partition in
            var changes = SessionChanges()
            changes.isIntended = true
            for session in sessions where session.id.partition == partition {
                changes.remove(session.id)
            }
            for (session, tabs) in tabs where session.id.partition == partition {
                TabRemoval(of: tabs, from: session).add(to: &changes)
            }
            return changes.isEmpty ? nil : changes
        }
    }
}

/// Something in a store that a user named.
enum StoreItem: Hashable {
    case session(SessionID)
    case tab(TabID, in: SessionID)
}
