public import BrowserSessions

/// A user's action on tabs: the changes to save, and the sessions that must then be restored.
public struct SessionEdit: Hashable, Sendable {
    /// What the user did.
    public var kind: Kind
    /// The change set for all sessions that the edit concerns.
    public var changes: SessionChanges
    /// All sessions after the edit, without closed ones.
    public var expected: [SessionSnapshot]

    /// The kind of action.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Adds a new tab anywhere in the list.
        case insert
        /// Closes a tab.
        case close
        /// Moves a tab in its list, including into and out of groups.
        case move
        /// Makes a tab active.
        case activate
        /// Pins a tab, or unpins a pinned one.
        case pin
        /// Groups neighboring tabs, or dissolves a group.
        case group
        /// Goes to another page, which lengthens the history.
        case navigate
        /// Moves a tab to another window of the same partition.
        case moveToWindow
        /// Opens a window with up to five tabs.
        case openWindow
        /// Closes a window with all its tabs.
        case closeWindow
    }

    /// Creates the edit that turns `before` into `after`. All sessions are in one partition.
    public init(_ kind: Kind, from before: [SessionSnapshot], to after: [SessionSnapshot]) {
        self.kind = kind
        expected = after
        changes = SessionChanges()
        let attributes = Dictionary(
            before.map { ($0.id, $0.attributes) }, uniquingKeysWith: { first, _ in first })
        let (tabs, nodes) = (Records(before, \.tabs, \.metadata.id), Records(before, \.nodes, \.id))
        for session in after {
            if attributes[session.id] != session.attributes {
                changes.put(session.attributes, for: session.id)
            }
            for node in session.nodes where !nodes.has(node, node.id, in: session.id) {
                changes.put(node, in: session.id)
            }
            for tab in session.tabs {
                let old = tabs.places[tab.metadata.id]
                if old?.session != session.id || old?.record.metadata != tab.metadata {
                    changes.put(tab.metadata, in: session.id)
                }
                addStates(of: tab, replacing: old?.record.states ?? [:], in: session.id.partition)
            }
        }
        remove(from: before, to: after)
    }

    private mutating func remove(from before: [SessionSnapshot], to after: [SessionSnapshot]) {
        let sessions = Set(after.map(\.id))
        let (tabs, nodes) = (Records(after, \.tabs, \.metadata.id), Records(after, \.nodes, \.id))
        for session in before {
            guard sessions.contains(session.id) else {
                changes.remove(session.id)
                continue
            }
            for tab in session.tabs where tabs.places[tab.metadata.id] == nil {
                changes.remove(tab.metadata.id, from: session.id)
            }
            for node in session.nodes where nodes.places[node.id] == nil {
                changes.remove(node.id, from: session.id)
            }
        }
    }

    /// The tabs or nodes of sessions.
    private struct Records<ID: Hashable, Record: Equatable> {
        var places: [ID: (session: SessionID, record: Record)] = [:]

        init(
            _ sessions: [SessionSnapshot], _ records: (SessionSnapshot) -> [Record],
            _ id: (Record) -> ID
        ) {
            for session in sessions {
                for record in records(session) { places[id(record)] = (session.id, record) }
            }
        }

        func has(_ record: Record, _ id: ID, in session: SessionID) -> Bool {
            places[id].map { $0.session == session && $0.record == record } ?? false
        }
    }

    private mutating func addStates(
        of tab: TabSnapshot, replacing old: [StateName: [UInt8]], in partition: StoragePartition
    ) {
        let names = Set(tab.states.keys).union(old.keys)
        for name in names.sorted(by: { $0.rawValue < $1.rawValue }) {
            let key = TabStateKey(tab: tab.metadata.id, name: name, partition: partition)
            guard let bytes = tab.states[name] else {
                changes.remove(key)
                continue
            }
            if old[name] != bytes { changes.put(bytes, for: key) }
        }
    }
}
