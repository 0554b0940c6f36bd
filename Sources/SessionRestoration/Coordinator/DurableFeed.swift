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
        /// A session exists, with new attributes; or a tab is in the session with new metadata, or a
        /// new place or state.
        case put(SessionItem, in: SessionID)
        /// A tab has a new state: its history or a blob of the host.
        case state(of: TabID)
        /// A tab was removed, or a session with all tabs that were only in it.
        case removed(SessionItem)
    }
}

/// Collects acknowledged changes until they are durable.
struct DurableFeed {
    /// The collected changes, with the number of each among all changes.
    private var pending: [Subject: (number: Int, change: DurableChanges.Change)] = [:]
    private var lastNumber = 0

    private struct Subject: Hashable {
        var item: SessionItem
        /// A separate subject, because a session that is created again has none of its former tabs.
        var isRemovedSession = false
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
        // A group is durable when its tabs are.
        case .put(.node), .remove(.node, _): break
        case .put(.session(let id, _)) where id.kind == .launch: break
        case .put(let record): note(record.item, .put(record.item, in: record.session))
        case .remove(let item, _):
            if case .session = item { pending[Subject(item: item)] = nil }
            note(item, .removed(item))
        case .putState(_, let key), .removeState(let key):
            let tab = SessionItem.tab(key.tab)
            if pending[Subject(item: tab)] == nil { note(tab, .state(of: key.tab)) }
        }
    }

    private mutating func note(_ item: SessionItem, _ change: DurableChanges.Change) {
        lastNumber += 1
        var subject = Subject(item: item)
        if case .removed(.session) = change { subject.isRemovedSession = true }
        pending[subject] = (lastNumber, change)
    }
}
