import BrowserSessions

/// The ownership of the store. The last restorer that began to use the store owns it; others stop.
///
/// Each set of the regular partition contains the sequence number of the set before it. The store therefore
/// detects a save of another restorer before it replaces anything, at no cost. The launch note shows whether
/// it was another restorer. It is read only in this case, while no number is known, and before a set of the
/// incognito partition.
struct StoreOwnership {
    var isLost = false
    /// The sequence number of the regular partition's last set; `nil` if it is not known.
    var sequence: UInt64?

    var conflict: StorageError {
        StorageError(.conflict, "another restorer uses the store", operation: "save")
    }

    /// Returns whether the store refused a set only for its number, and forgets a number that may be wrong.
    mutating func wasOvertaken(
        _ error: StorageError, _ partition: StoragePartition, _ expected: UInt64?
    ) -> Bool {
        let wasOvertaken = error.code == .conflict && expected != nil
        if partition == .regular, wasOvertaken || error.effect != .notApplied { sequence = nil }
        return wasOvertaken
    }

    /// Forgets the sequence number, because another storage is used.
    mutating func forgetStore() { sequence = nil }
}
