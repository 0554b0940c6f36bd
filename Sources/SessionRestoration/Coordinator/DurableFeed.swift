public import BrowserSessions

/// The changes in the store's regular partition that became durable since the previous value, so
/// that even a power cut cannot revert them. For sync and inspectors.
public struct DurableChanges: Hashable, Sendable {
    /// The sequence number of the last of these change sets.
    public var sequence: UInt64
    /// The changes in the order of their last occurrence. Only the last of several changes of a tab
    /// or session is included, except for a session that was removed and created again.
    public var changes: [Change]

    /// A change of one record.
    public enum Change: Hashable, Sendable {
        /// A session exists, with new attributes.
        case session(SessionID)
        /// A session was removed with all tabs that were only in it.
        case sessionRemoved(SessionID)
        /// A tab is in the session with new metadata, or a new place or state.
        case tab(TabID, in: SessionID)
        /// A tab has a new state: its history or a blob of the host.
        case tabState(TabID)
        /// A tab was removed.
        case tabRemoved(TabID)
    }
}

/// Collects acknowledged changes until they are durable.
struct DurableFeed {
    /// The collected changes, with the number of each among all changes.
    private var pending: [Subject: (number: Int, change: DurableChanges.Change)] = [:]
    private var lastNumber = 0

    private enum Subject: Hashable {
        case session(SessionID)
        /// A separate subject, because a session that is created again has none of its former tabs.
        case removal(of: SessionID)
        case tab(TabID)
    }

    /// Adds an acknowledged change set. If it is durable, everything before it is durable as well.
    ///
    /// - Returns: the changes that became durable; `nil` if there are none.
    mutating func acknowledged(
        _ changes: SessionChanges, _ receipt: SaveReceipt
    ) -> DurableChanges? {
        for change in changes.changes { add(change) }
        guard receipt.durability >= .powerLoss, !pending.isEmpty else { return nil }
        let changes = pending.values.sorted { $0.number < $1.number }.map(\.change)
        pending = [:]
        return DurableChanges(sequence: receipt.sequence, changes: changes)
    }

    /// Forgets all changes, because another store replaced the one that acknowledged them.
    mutating func forget() { pending = [:] }

    private mutating func add(_ change: SessionChanges.Change) {
        switch change {
        case .put(.session(let id, _)):
            if id.kind != .launch { note(.session(id), .session(id)) }
        case .remove(.session(let id), _):
            pending[.session(id)] = nil
            note(.removal(of: id), .sessionRemoved(id))
        case .put(.tab(let tab, let session)): note(.tab(tab.id), .tab(tab.id, in: session))
        case .remove(.tab(let tab), _): note(.tab(tab), .tabRemoved(tab))
        // A group is durable when its tabs are.
        case .put(.node), .remove(.node, _): break
        case .putState(_, let key), .removeState(let key):
            if pending[.tab(key.tab)] == nil { note(.tab(key.tab), .tabState(key.tab)) }
        }
    }

    private mutating func note(_ subject: Subject, _ change: DurableChanges.Change) {
        lastNumber += 1
        pending[subject] = (lastNumber, change)
    }
}
