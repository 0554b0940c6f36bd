import BrowserSessions

/// A change set that is being sent to the store.
struct Transfer {
    enum Purpose {
        /// Pending changes, or one record of them.
        case pending(OutgoingChanges, PendingChanges.Record?)
        /// An empty set that makes earlier ones durable.
        case confirmation
        /// The change set of a workflow that has the turn.
        case workflow(Int)
    }

    let changes: SessionChanges
    let durability: Durability
    let purpose: Purpose
    /// The sequence number that the partition's last set must have; `nil` for any.
    var expectedSequence: UInt64?
    /// The owner check or store call that it waits for.
    var waitsFor = 0
}
