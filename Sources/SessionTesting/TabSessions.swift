import BrowserSessions

/// The sessions in which tabs were last saved or restored, as far as observed.
///
/// The key of a state names only its tab. This type determines which session a call with such a key
/// concerns. Removed tabs are remembered, because their state may be read again.
struct TabSessions: Sendable {
    private struct Place: Hashable {
        var tab: TabID
        var partition: StoragePartition
    }

    private var homes: [Place: SessionID] = [:]

    /// Records a change set that was applied.
    mutating func note(_ changes: SessionChanges) {
        for case .put(.tab(let tab, let id)) in changes.changes {
            homes[Place(tab: tab.id, partition: id.partition)] = id
        }
    }

    /// Records restored sessions. A restore point does not override a known session.
    mutating func note(_ restored: [RestoredSession], _ version: SessionVersion) {
        for session in restored {
            for tab in session.tabs {
                let place = Place(tab: tab.id, partition: session.id.partition)
                guard version == .current || homes[place] == nil else { continue }
                homes[place] = session.id
            }
        }
    }

    /// Records the listed states of a session.
    mutating func note(_ keys: [TabStateKey], in session: SessionID) {
        for key in keys { homes[Place(tab: key.tab, partition: key.partition)] = session }
    }

    /// Returns whether a call reads or changes a session: it names the session or a tab in it.
    func concerns(_ call: StorageCall, _ session: SessionID) -> Bool {
        if call.sessionIDs.contains(session) { return true }
        guard let changes = call.changes else {
            return call.keys.contains { has($0.tab, $0.partition, session) }
        }
        return changes.changes.contains { concerns($0, session) }
    }

    private func concerns(_ change: SessionChanges.Change, _ session: SessionID) -> Bool {
        switch change {
        // Moves the tab out of its former session.
        case .put(.tab(let tab, let id)): has(tab.id, id.partition, session)
        case .putState(_, let key), .removeState(let key): has(key.tab, key.partition, session)
        case .put, .remove: false
        }
    }

    private func has(_ tab: TabID, _ partition: StoragePartition, _ session: SessionID) -> Bool {
        homes[Place(tab: tab, partition: partition)] == session
    }
}
