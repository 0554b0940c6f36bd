public import BrowserSessions

/// What is certain to be in the store of the regular side since the last of these: even a power cut cannot
/// take it back. For sync and for inspectors.
public struct DurableChanges: Hashable, Sendable {
    /// The number of the last set of these in the store.
    public var sequence: UInt64
    /// In the order in which they came last: of several changes of a tab or a session only the last one, but
    /// for a session that was removed and is there again.
    public var changes: [Change]

    /// One change of a record.
    public enum Change: Hashable, Sendable {
        /// A session is there, with new attributes.
        case session(SessionID)
        /// A session is gone with all the tabs that were in it and are nowhere else.
        case sessionRemoved(SessionID)
        /// A tab is in the session, where its metadata, place or state is new.
        case tab(TabID, in: SessionID)
        /// A tab has another state: its history, or a blob of the host.
        case tabState(TabID)
        /// A tab is gone.
        case tabRemoved(TabID)
    }
}

/// Collects what was acknowledged until it is durable.
final class DurableFeed {
    var tell: (DurableChanges) -> Void = { _ in }
    /// With the number of each among all changes.
    private var pending: [Subject: (number: Int, change: DurableChanges.Change)] = [:]
    private var lastNumber = 0

    private enum Subject: Hashable {
        case session(SessionID)
        /// By itself: a session that is there again has none of the tabs that it had.
        case removal(of: SessionID)
        case tab(TabID)
    }

    /// A set was acknowledged; if it is durable, so is everything before it.
    func acknowledged(_ changes: SessionChanges, _ receipt: SaveReceipt) {
        for change in changes.changes { add(change) }
        guard receipt.durability >= .powerLoss, !pending.isEmpty else { return }
        let changes = pending.values.sorted { $0.number < $1.number }.map(\.change)
        pending = [:]
        tell(DurableChanges(sequence: receipt.sequence, changes: changes))
    }

    /// Another store took the place of the one that acknowledged it.
    func forget() { pending = [:] }

    private func add(_ change: SessionChanges.Change) {
        switch change {
        case .putSession(let id, _):
            if id.kind != .launch { note(.session(id), .session(id)) }
        case .removeSession(let id):
            pending[.session(id)] = nil
            note(.removal(of: id), .sessionRemoved(id))
        case .putTab(let tab, let session): note(.tab(tab.id), .tab(tab.id, in: session))
        case .removeTab(let tab, _): note(.tab(tab), .tabRemoved(tab))
        case .putState(_, let key), .removeState(let key):
            if pending[.tab(key.tab)] == nil { note(.tab(key.tab), .tabState(key.tab)) }
        }
    }

    private func note(_ subject: Subject, _ change: DurableChanges.Change) {
        lastNumber += 1
        pending[subject] = (lastNumber, change)
    }
}
