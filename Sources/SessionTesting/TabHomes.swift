import BrowserSessions

/// The sessions in which tabs were saved or restored last, as far as they were seen.
///
/// The key of a state names its tab alone: this is how a call that reads or saves it is known to
/// concern a session. A tab that is removed is remembered, since its state may be read once more.
struct TabHomes: Sendable {
    private struct Place: Hashable {
        var tab: TabID
        var side: StorageSide
    }

    private var homes: [Place: SessionID] = [:]

    /// A set was applied.
    mutating func note(_ changes: SessionChanges) {
        for case .putTab(let tab, let id) in changes.changes {
            homes[Place(tab: tab.id, side: id.side)] = id
        }
    }

    /// Sessions were restored. An earlier generation says nothing of a tab of which more is known.
    mutating func note(_ restored: [RestoredSession], _ generation: SessionGeneration) {
        for session in restored {
            for tab in session.tabs {
                let place = Place(tab: tab.id, side: session.id.side)
                guard generation == .current || homes[place] == nil else { continue }
                homes[place] = session.id
            }
        }
    }

    /// The states of a session were listed.
    mutating func note(_ keys: [TabStateKey], in session: SessionID) {
        for key in keys { homes[Place(tab: key.tab, side: key.side)] = session }
    }

    /// Whether a call reads or changes a session: it names the session, or a tab that is there.
    func concerns(_ call: StorageCall, _ session: SessionID) -> Bool {
        if call.sessionIDs.contains(session) { return true }
        return switch call {
        case .state(let keys): keys.contains { has($0.tab, $0.side, session) }
        case .save(let changes, _): changes.changes.contains { concerns($0, session) }
        default: false
        }
    }

    private func concerns(_ change: SessionChanges.Change, _ session: SessionID) -> Bool {
        switch change {
        // Out of the session in which it was until now.
        case .putTab(let tab, let id): has(tab.id, id.side, session)
        case .putState(_, let key), .removeState(let key): has(key.tab, key.side, session)
        case .putSession, .removeSession, .removeTab: false
        }
    }

    private func has(_ tab: TabID, _ side: StorageSide, _ session: SessionID) -> Bool {
        homes[Place(tab: tab, side: side)] == session
    }
}
