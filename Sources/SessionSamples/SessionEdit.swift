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
        var old: [TabID: (session: SessionID, tab: TabSnapshot)] = [:]
        for session in before {
            for tab in session.tabs { old[tab.metadata.id] = (session.id, tab) }
        }
        let attributes = Dictionary(
            before.map { ($0.id, $0.attributes) }, uniquingKeysWith: { first, _ in first })
        var kept: Set<TabID> = []
        for session in after {
            if attributes[session.id] != session.attributes {
                changes.put(session.attributes, for: session.id)
            }
            for tab in session.tabs {
                kept.insert(tab.metadata.id)
                let old = old[tab.metadata.id]
                if old?.session != session.id || old?.tab.metadata != tab.metadata {
                    changes.put(tab.metadata, in: session.id)
                }
                addStates(of: tab, replacing: old?.tab.states ?? [:], in: session.id.partition)
            }
        }
        let sessions = Set(after.map(\.id))
        for session in before {
            guard sessions.contains(session.id) else {
                changes.remove(session.id)
                continue
            }
            for tab in session.tabs where !kept.contains(tab.metadata.id) {
                changes.remove(tab.metadata.id, from: session.id)
            }
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
