import BrowserSessions

/// Takes a restore point, or gives some up: puts a version of each record that changed since the
/// newest point, and removes the versions that no point needs any more.
///
/// Only keys are read of versions that exist. If the engine's limits require it, all is written in
/// parts, in an order in which the kept points can be read at any time. What an interruption leaves
/// is put right by the next change.
struct PointChange {
    private let partition: Partition
    private let index: PartitionIndex
    /// The point to take; `nil` if points are only given up.
    private let point: PointRecord?
    /// The points that are there afterwards, ascending.
    private let kept: [StoredNumber]
    private let dropped: Set<StoredNumber>
    /// The number of the new point: that of the last change set.
    private var number: StoredNumber { index.sequence }

    /// Records that changed, or are gone, since the newest point: the new one gets a version of each.
    private var changed: Set<RecordKey> = []
    private var gone: Set<RecordKey> = []
    /// Versions that no point needs afterwards.
    private var unneeded: [StateKey] = []
    private var sums = Manifest()

    /// - Parameters:
    ///   - point: describes the present state, which becomes a point; `nil` for none.
    ///   - dropped: the points to give up.
    init(
        of partition: Partition, taking point: PointRecord?, dropping dropped: Set<StoredNumber>
    ) {
        (self.partition, self.point, self.dropped) = (partition, point, dropped)
        index = partition.index
        let rest = index.points.map(\.number).filter { !dropped.contains($0) }
        kept = point == nil || rest.last == index.sequence ? rest : rest + [index.sequence]
    }

    mutating func run() throws {
        let groups = try RecordVersions.all(of: partition)
        if point != nil {
            var known: Set<RecordKey> = []
            for var group in groups {
                known.insert(group.record)
                if let new = compare(group) { group.add(new) }
                dropUnneeded(of: group)
            }
            for record in index.sessionRecords where !known.contains(record) { put(record) }
        } else {
            for group in groups { dropUnneeded(of: group) }
        }
        try write()
        partition.pointSums = nil
    }

    // MARK: Comparing

    private mutating func put(_ record: RecordKey) {
        changed.insert(record)
        sums.replace(nil, with: index.stamp(of: record))
    }

    /// Returns the version that the new point gets of a record; `nil` if it is as it was.
    private mutating func compare(_ group: RecordVersions) -> RecordVersions.Version? {
        guard let last = group.versions.last else { return nil }
        if let current = index.stamp(of: group.record) {
            if last.isGone || current.sequence > last.point {
                put(group.record)
                return .init(point: number, isGone: false)
            }
            sums.replace(nil, with: current)
        } else if !last.isGone {
            gone.insert(group.record)
            return .init(point: number, isGone: true)
        }
        return nil
    }

    private mutating func dropUnneeded(of group: RecordVersions) {
        for place in group.unneeded(keeping: kept) {
            let version = group.versions[place]
            if version.point == number, version.isGone, gone.remove(group.record) != nil {
                continue
            }
            unneeded.append(
                .version(group.record, point: version.point, isGone: version.isGone))
        }
    }

    // MARK: Writing

    private func write() throws {
        var records = partition.upkeep()
        for (record, frame) in try changedRecords() {
            records.put(frame, for: .version(record, point: number))
            try partition.writeIfFull(&records)
        }
        for record in gone {
            let sealed = RecordFrame.seal(.gone, number, NoContent(), key: record.bytes)
            records.put(sealed.bytes, for: .version(record, point: number, isGone: true))
            try partition.writeIfFull(&records)
        }
        for old in dropped { records.forgetPoint(old) }
        if var point {
            point.sums = sums
            try records.putPoint(number, point)
        }
        for key in unneeded {
            if let blob = try blob(ofUnneeded: key) { records.remove(blob) }
            records.remove(key)
            try partition.writeIfFull(&records)
        }
        if !records.batch.isEmpty { try partition.write(records, durably: false) }
    }

    /// Returns the present records that get a version. Nothing is written while the engine
    /// visits records.
    private func changedRecords() throws -> [(RecordKey, [UInt8])] {
        var found: [(RecordKey, [UInt8])] = []
        if changed.count < 64 {
            for record in changed {
                guard let frame = try partition.store.value(of: record.bytes, in: .metadata) else {
                    continue
                }
                found.append((record, frame))
            }
            return found
        }
        try partition.store.scan(.metadata, prefix: []) { key, value in
            guard let record = RecordKey(key), changed.contains(record) else { return }
            found.append((record, [UInt8](value)))
        }
        return found
    }

    /// Returns the blob that only this version names; `nil` if there is none.
    private func blob(ofUnneeded key: StateKey) throws -> StateKey? {
        guard case .version(.stateEntry(let tab, let name), let point, false) = key else {
            return nil
        }
        let record = RecordKey.stateEntry(tab, name)
        let bytes = StateKey.version(record, point: point).bytes
        guard let value = try partition.store.value(of: bytes, in: .state),
            let entry = PartitionIndex.State(record, value),
            index.state(tab, name)?.stamp.sequence != entry.stamp.sequence
        else { return nil }
        return .blob(tab, name, set: entry.stamp.sequence)
    }
}
