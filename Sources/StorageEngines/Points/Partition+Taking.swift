import BrowserSessions

// Restore points that come and go.
extension Partition {
    /// Takes the present state as a restore point, if anything was saved since the newest one, and
    /// gives up those that are not kept any more.
    ///
    /// Nothing is taken after losses: the points before may be all that is left of what was lost.
    ///
    /// - Parameter losing: how many tabs are about to go.
    /// - Returns: the point with the present state, unless it is older and no tabs are about to go.
    @discardableResult
    func takeRestorePoint(
        for reason: RestorePoint.Reason, by clock: PointClock, losing: Int = 0
    ) throws -> RestorePoint? {
        guard kind == .regular, losses.isEmpty else { return nil }
        var kept: RestorePoint?
        if index.sequence > index.newestPoint {
            try removeUnusedStates()
            let point = RestorePoint(
                id: RestorePointID(rawValue: index.sequence.value), takenAt: clock.now,
                reason: reason, tabCount: index.openTabs, lostTabCount: losing)
            try take(point, by: clock)
            kept = point
        } else if losing > 0, var newest = index.points.last?.record {
            // The state before the loss is a point already. One with a name keeps its reason, and
            // knows that a loss followed.
            newest.point.lostTabCount = losing
            if newest.point.name.isEmpty { newest.point.reason = reason }
            try put(newest)
            kept = newest.point
        }
        lossGuard = LossGuard(index)
        return kept
    }

    /// Takes the present state as a restore point with a name, durably.
    func takeRestorePoint(
        named name: String, pinned isPinned: Bool, by clock: PointClock
    ) throws -> RestorePoint {
        guard losses.isEmpty else {
            throw StorageError(
                .corrupted,
                """
                no restore point was taken: the store has losses that were not accepted; look at the \
                report of 'check', and call 'repair'
                """)
        }
        let newest = index.points.last { $0.number == index.sequence }
        if let newest, !newest.record.point.name.isEmpty, newest.record.point.name != name {
            // One state has two names: the number of a set says which point is meant.
            try write(RecordBatch(index, sequence: try nextSequence()), durably: false)
        }
        let number = index.sequence
        var point = RestorePoint(
            id: RestorePointID(rawValue: number.value), takenAt: clock.now, reason: .named,
            name: name, isPinned: isPinned, tabCount: index.openTabs)
        if let same = index.points.last(where: { $0.number == number }) {
            point.takenAt = same.record.point.takenAt
            point.lostTabCount = same.record.point.lostTabCount
            try put(PointRecord(point: point, sums: same.record.sums, count: same.record.count))
        } else {
            try removeUnusedStates()
            try take(point, by: clock)
        }
        lossGuard = LossGuard(index)
        try sync()
        return point
    }

    /// Gives up a restore point, if it is kept.
    func releaseRestorePoint(_ id: RestorePointID) throws {
        guard let point = index.points.first(where: { $0.record.point.id == id }) else { return }
        try drop([point.number])
        try sync()
    }

    /// Returns the points with their ages, ascending.
    func candidates(by clock: PointClock) -> [PointRetention.Candidate] {
        index.points.map {
            PointRetention.Candidate(
                number: $0.number, age: clock.age(of: $0.record), point: $0.record.point)
        }
    }

    func drop(_ points: Set<StoredNumber>) throws {
        var change = PointChange(of: self, taking: nil, dropping: points)
        try change.run()
    }

    private func take(_ point: RestorePoint, by clock: PointClock) throws {
        let record = PointRecord(point: point, count: clock.seconds)
        let new = PointRetention.Candidate(
            number: index.sequence, age: 0, point: point)
        var change = PointChange(
            of: self, taking: record,
            dropping: PointRetention.expired(of: candidates(by: clock) + [new]))
        try change.run()
    }

    /// Replaces the description of a point that is there.
    private func put(_ record: PointRecord) throws {
        guard let number = index.points.last(where: { $0.record.point.id == record.point.id })
        else { return }
        var records = upkeep()
        try records.putPoint(number.number, record)
        try write(records, durably: false)
    }

    /// Removes states of tabs that were lost.
    func removeUnusedStates() throws {
        var records = upkeep()
        for slot in index.states.keys where index.tabs[slot.tab] == nil {
            records.removeState(slot.tab, index.stateNames[slot.name])
            try writeIfFull(&records)
        }
        if !records.edits.isEmpty { try write(records, durably: false) }
    }

    /// Writes the collected records if the engine would not accept twice as many.
    func writeIfFull(_ records: inout RecordBatch) throws {
        guard limits.areHalfReached(by: records.batch) else { return }
        try write(records, durably: false)
        records = upkeep()
    }
}
