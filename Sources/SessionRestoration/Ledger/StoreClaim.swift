import BrowserSessions

/// Whether this restorer is the last one that began to use the store: another one makes it stop.
///
/// Each set of the regular side names the number of the set before it, so whoever else saves is noticed
/// by the store, before anything of theirs is replaced and at no cost. Whether that was another restorer
/// its note of the launch tells; only then, when no number is known, and before a set of the other side,
/// it is read.
final class StoreClaim {
    /// Whether another restorer has noted its launch in the store since this one did.
    var isReplaced: () async -> Bool = { false }
    /// Told once.
    var onLoss: () -> Void = {}
    private(set) var isLost = false
    /// The number of the regular side's last set; `nil` if it is not known.
    private var sequence: UInt64?

    /// Throws `conflict` if another restorer uses the store by now, which is never asked again then.
    func check() async throws(StorageError) {
        if !isLost, await isReplaced(), !isLost {
            isLost = true
            onLoss()
        }
        guard isLost else { return }
        throw StorageError(.conflict, "another restorer uses the store", operation: "save")
    }

    /// The number that the side's last set must have for the next one to be taken; `nil` for any.
    func lastSet(of side: StorageSide) async throws(StorageError) -> UInt64? {
        if side == .regular, !isLost, let sequence { return sequence }
        try await check()
        return nil
    }

    func taken(_ receipt: SaveReceipt, _ side: StorageSide) {
        if side == .regular { sequence = receipt.sequence }
    }

    /// Whether a set was refused for its number alone: nothing is expected of the next one.
    func wasOvertaken(_ error: StorageError, _ side: StorageSide, _ expected: UInt64?) -> Bool {
        let wasOvertaken = error.code == .conflict && expected != nil
        if side == .regular, wasOvertaken || error.effect != .notApplied { sequence = nil }
        return wasOvertaken
    }

    /// Another store took the place of the one that is known.
    func forgetStore() { sequence = nil }
}
