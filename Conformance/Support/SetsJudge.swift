import BrowserSessions

/// Judges a store of numbered sets after any event: it is as after one set that may be the last,
/// nothing reads as damage, it stays so, and it takes the next set.
struct SetsJudge {
    let sets: NumberedSets
    let open: () async throws -> any SessionStorage

    /// Opens the store three times, and saves one set.
    ///
    /// - Returns: the last set that was there; throws a ``Violation`` if something is wrong.
    @discardableResult
    func judge(_ progress: SaveProgress) async throws -> Int {
        let found = try await lastSet(pointsAfter: progress)
        try require(
            found >= progress.certain,
            "set \(progress.certain) was acknowledged at powerLoss, \(found) is there")
        try require(
            found >= progress.acknowledged,
            "set \(progress.acknowledged) was acknowledged, \(found) is there without a power cut")
        try require(
            found <= progress.begun,
            "set \(found) is there, and only the sets up to \(progress.begun) may be")
        let again = try await lastSet(saving: found + 1)
        try requireEqual(again, found, "the last set when the store is opened once more")
        let next = try await lastSet()
        try requireEqual(next, found + 1, "the last set after one more was saved")
        return found
    }

    private func lastSet(saving next: Int? = nil, pointsAfter progress: SaveProgress? = nil)
        async throws -> Int
    {
        let store = try await requireSuccess("the store cannot be opened") { try await open() }
        do {
            let found = try await sets.lastApplied(in: store)
            if let progress, sets.pointsEach != nil {
                try await sets.checkPoints(in: store, progress)
            }
            let report = try await store.check()
            try require(report.isHealthy, "what is no damage reads as damage: \(report.losses)")
            if let next {
                let level = store.traits.durability.max() ?? .memory
                _ = try await store.save(sets.changes(next), durability: level)
            }
            try await store.close()
            return found
        } catch {
            try? await store.close()
            throw error as? Violation ?? Violation("\(error)")
        }
    }
}
