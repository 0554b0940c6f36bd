import BrowserSessions

/// Changes of one side that no store has acknowledged yet: at most one for each record, the newest.
///
/// All of them are absolute, so a set that may have been applied can be sent again, and newer
/// changes take the place of older ones.
struct PendingChanges {
    private enum TabChange {
        case put(TabMetadata, in: SessionID)
        /// From each of the sessions in which the store may have it.
        case remove(from: [SessionID])
    }

    let side: StorageSide
    /// `nil` removes the session.
    private var sessions: [SessionID: SessionAttributes?] = [:]
    private var tabs: [TabID: TabChange] = [:]
    /// `nil` removes the blob.
    private var states: [TabID: [StateName: [UInt8]?]] = [:]

    init(side: StorageSide) { self.side = side }

    var isEmpty: Bool { sessions.isEmpty && tabs.isEmpty && states.isEmpty }

    mutating func put(_ attributes: SessionAttributes, for session: SessionID) {
        sessions.updateValue(attributes, forKey: session)
    }

    /// The session goes with its tabs, but for those that are put elsewhere.
    mutating func remove(_ session: SessionID) {
        sessions.updateValue(nil, forKey: session)
        for case (let tab, .put(_, session)) in tabs {
            tabs[tab] = nil
            states[tab] = nil
        }
    }

    mutating func put(_ tab: TabMetadata, in session: SessionID) {
        tabs[tab.id] = .put(tab, in: session)
    }

    /// Removes a tab with its state; only forgets it if no session may have it.
    mutating func remove(_ tab: TabID, from sessions: [SessionID]) {
        states[tab] = nil
        tabs[tab] = sessions.isEmpty ? nil : .remove(from: sessions)
    }

    mutating func put(_ state: [UInt8]?, _ name: StateName, of tab: TabID) {
        states[tab, default: [:]].updateValue(state, forKey: name)
    }

    /// Adds older changes where there are no newer ones.
    mutating func add(older: PendingChanges) {
        var gone: Set<TabID> = []
        for case (let tab, .put(_, let session)) in older.tabs where tabs[tab] == nil {
            if case .some(.none) = sessions[session] { gone.insert(tab) }
        }
        sessions.merge(older.sessions) { newer, _ in newer }
        tabs.merge(older.tabs.filter { !gone.contains($0.key) }) { newer, _ in newer }
        for (tab, blobs) in older.states where !gone.contains(tab) {
            if case .remove = tabs[tab] { continue }
            states[tab, default: [:]].merge(blobs) { newer, _ in newer }
        }
    }

    /// A blob that waits to be saved: `.some(nil)` if it waits to be removed, `nil` if neither.
    func state(_ name: StateName, of tab: TabID) -> [UInt8]?? { states[tab]?[name] }

    /// Where tabs are once this is saved; `nil` for those that are removed.
    var placedTabs: [(tab: TabID, session: SessionID?)] {
        tabs.map { tab, change in
            if case .put(_, let session) = change { (tab, session) } else { (tab, nil) }
        }
    }

    /// Whether the tab is to be put somewhere.
    func holds(_ tab: TabID) -> Bool {
        if case .put = tabs[tab] { true } else { false }
    }

    /// How many records it changes.
    var count: Int { sessions.count + tabs.count + states.values.reduce(0) { $0 + $1.count } }

    /// How many bytes of state it has.
    var stateBytes: Int {
        states.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + ($1?.count ?? 0) } }
    }
}

extension PendingChanges {
    /// As one set for a store.
    var asSet: SessionChanges {
        var set = SessionChanges()
        for (session, attributes) in sessions {
            if let attributes { set.put(attributes, for: session) } else { set.remove(session) }
        }
        for tab in tabs.keys { add(tab, to: &set) }
        for tab in states.keys { addStates(of: tab, to: &set) }
        return set
    }

    /// As sets of one session or tab each, for a store that refuses the whole: a tab that is too
    /// large must not keep the others from being saved. Sessions are removed last, when tabs have
    /// moved out of them.
    var inPieces: [PendingChanges] {
        var pieces: [PendingChanges] = []
        var removals: [PendingChanges] = []
        for (session, attributes) in sessions {
            var piece = PendingChanges(side: side)
            piece.sessions.updateValue(attributes, forKey: session)
            if attributes == nil { removals.append(piece) } else { pieces.append(piece) }
        }
        for tab in Set(tabs.keys).union(states.keys) {
            var piece = PendingChanges(side: side)
            piece.tabs[tab] = tabs[tab]
            piece.states[tab] = states[tab]
            pieces.append(piece)
        }
        return pieces + removals
    }

    /// The tab that a piece is about; `nil` if it is about a session.
    var onlyTab: TabID? { tabs.keys.first ?? states.keys.first }

    private func add(_ tab: TabID, to set: inout SessionChanges) {
        switch tabs[tab] {
        case .put(let metadata, let session): set.put(metadata, in: session)
        case .remove(let places): for place in places { set.remove(tab, from: place) }
        case nil: break
        }
    }

    private func addStates(of tab: TabID, to set: inout SessionChanges) {
        for (name, bytes) in states[tab] ?? [:] {
            let key = TabStateKey(tab: tab, name: name, side: side)
            if let bytes { set.put(bytes, for: key) } else { set.remove(key) }
        }
    }
}
