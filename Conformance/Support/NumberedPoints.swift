import BrowserSessions

/// Restore points among numbered sets: after each so many sets one is taken, with the number of the set
/// as its name, and the last but two is released. The next set begins once that is done.
extension NumberedSets {
    /// Takes and releases what is due after a set.
    func keepPoints(after number: Int, in store: any SessionStorage) async throws {
        guard let pointsEach, number.isMultiple(of: pointsEach) else { return }
        let name = "\(number)"
        if try await !store.restorePoints().contains(where: { $0.name == name }) {
            _ = try await store.takeRestorePoint(name: name, pinned: number.isMultiple(of: 4))
        }
        let old = "\(number - 2 * pointsEach)"
        for point in try await store.restorePoints() where point.name == old {
            try await store.releaseRestorePoint(point.id)
        }
    }

    /// Throws a ``Violation`` unless each restore point shows exactly the sets up to one, a named one
    /// those of its name, and those are there that were taken and not released.
    func checkPoints(in store: any SessionStorage, _ progress: SaveProgress) async throws {
        var names: Set<Int> = []
        for point in try await store.restorePoints() {
            let place = "at a restore point (\(point.reason.rawValue))"
            let shown: Int
            do {
                shown = try await lastApplied(in: store, at: .point(point.id))
            } catch { throw Violation("\(place): \(error)") }
            guard let name = Int(point.name) else { continue }
            names.insert(name)
            try requireEqual(shown, name, "\(place): the last set")
        }
        guard let pointsEach, progress.begun > 0 else { return }
        for number in stride(from: pointsEach, to: progress.begun, by: pointsEach) {
            // The set after a point began when the point was there, and the one before released.
            let isReleased = number + 2 * pointsEach < progress.begun
            let isBeingReleased = number + 2 * pointsEach == progress.begun
            if isReleased {
                try require(!names.contains(number), "a restore point that was released is there")
            } else if !isBeingReleased {
                try require(names.contains(number), "a restore point that was taken is gone")
            }
        }
    }
}
