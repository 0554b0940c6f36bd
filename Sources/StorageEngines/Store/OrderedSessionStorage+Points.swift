public import BrowserSessions

// MARK: - Under the lock

extension OrderedSessionStorage.State {
    /// Takes a restore point before a set that takes away many tabs that were not closed on purpose. A failure,
    /// such as a full disk, gives up the point and never the save.
    ///
    /// - Returns: what the set does to open tabs, `nil` if nothing, and the point if one was taken.
    mutating func keepBeforeLoss(_ partition: inout Partition, _ changes: ValidatedChanges)
        -> (effect: LossGuard.Effect?, point: RestorePoint?)
    {
        guard partition.kind == .regular,
            var effect = partition.lossGuard.effect(of: changes, on: partition.index)
        else { return (nil, nil) }
        guard let opened, let losing = partition.lossGuard.loss(by: effect) else {
            return (effect, nil)
        }
        let point: RestorePoint?
        do {
            point = try partition.takeRestorePoint(
                for: .beforeLoss, by: opened.clock, losing: losing)
            points.noteTaken(at: opened.clock.elapsed)
        } catch {
            partition.add(note: "no restore point was taken before a loss of tabs: \(error)")
            // A server that gave no answer shows what it has.
            if let found = try? ready().regular { partition = found }
            return (effect, nil)
        }
        // What goes now is kept, and counts no more.
        effect.isIntended = true
        return (effect, point)
    }

    /// Takes a restore point if the interval is over and something changed.
    ///
    /// - Returns: how long to wait if it is not over yet; `nil` otherwise.
    mutating func takeDuePoint() throws -> Duration? {
        guard let opened else { return nil }
        if let remaining = points.remaining(at: opened.clock.elapsed) { return remaining }
        // After a failure, the next interval tries again.
        points.noteTaken(at: opened.clock.elapsed)
        let partition = try ready().regular
        guard !partition.canOnlyBeRead else { return nil }
        try partition.takeRestorePoint(for: .interval, by: opened.clock)
        return nil
    }

    mutating func takePoint(named name: String, pinned: Bool) throws -> RestorePoint {
        let opened = try ready()
        let point = try opened.regular.takeRestorePoint(
            named: name, pinned: pinned, by: opened.clock)
        points.noteTaken(at: opened.clock.elapsed)
        return point
    }

    mutating func limitPoints() throws {
        guard opened != nil else { return }
        let opened = try ready()
        try opened.regular.limitPoints(to: points.limit, by: opened.clock)
    }
}

// MARK: - On the caller's thread

extension OrderedSessionStorage {
    public func restorePointBytesBlocking() throws(StorageError) -> RestorePointBytes {
        try withState("restore point bytes") { state in
            try state.reading { try $0.ready().regular.restorePointBytes() }
        }
    }

    public func takeRestorePointBlocking(name: String, pinned: Bool) throws(StorageError)
        -> RestorePoint
    {
        try requireWritable("take restore point")
        return try withState("take restore point") { state in
            try state.confirming { try $0.takePoint(named: name, pinned: pinned) }
        }
    }

    public func releaseRestorePointBlocking(_ id: RestorePointID) throws(StorageError) {
        try requireWritable("release restore point")
        try withState("release restore point") { state in
            try state.confirming { try $0.ready().regular.releaseRestorePoint(id) }
        }
    }

    /// Takes a restore point once the interval is over.
    func planPoint(after time: Duration) {
        plan(after: time) { $0.takeDuePoint() }
    }

    /// Takes the restore point that is due, or plans it again.
    func takeDuePoint() {
        let remaining: Duration?
        do {
            remaining = try withState("take restore point") { try $0.takeDuePoint() }
        } catch { return }
        if let remaining { planPoint(after: remaining) } else { planPointLimit() }
    }

    /// Compares the restore points with the limit of their bytes in a while.
    func planPointLimit() {
        plan(after: PointSchedule.limitDelay) {
            // What is too much stays until the next time.
            try? $0.withState("limit restore points") { try $0.limitPoints() }
        }
    }
}

// MARK: - From tasks

extension OrderedSessionStorage {
    public func takeRestorePoint(name: String, pinned: Bool) async throws(StorageError)
        -> RestorePoint
    {
        try await hop("take restore point") {
            try $0.takeRestorePointBlocking(name: name, pinned: pinned)
        }
    }

    public func releaseRestorePoint(_ id: RestorePointID) async throws(StorageError) {
        try await hop("release restore point") { try $0.releaseRestorePointBlocking(id) }
    }
}
