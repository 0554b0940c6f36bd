import BrowserSessions

extension Partition {
    /// Takes the present state as a restore point, in place of the one that the last opening took.
    /// Done when a store is opened, never during a save.
    ///
    /// Nothing is taken if nothing was saved since the newest point, and after losses: the points
    /// before may be all that is left of what was lost.
    func takeRestorePoint(at time: Timestamp) throws {
        guard kind == .regular, losses.isEmpty else { return }
        try removeUnusedStates()
        guard index.sequence > index.newestPoint else { return }
        let point = RestorePoint(
            id: RestorePointID(rawValue: index.sequence.value), takenAt: time)
        let expired = index.points.filter {
            $0.record.point.reason == .opening && !$0.record.point.isPinned
        }
        var taking = PointTaking(self, replacing: Set(expired.map(\.number)))
        try taking.run(as: point)
        pointSums = nil
    }

    /// Removes states of tabs that were lost.
    private func removeUnusedStates() throws {
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

/// Takes a restore point: puts a version of each record that changed since the newest point, and
/// removes the versions that no point needs any more.
///
/// Only keys are read of versions that exist. If the engine's limits require it, all is written in
/// parts, in an order in which the earlier point can be read until the new one is there. What an
/// interruption leaves is put right by the next taking.
private struct PointTaking {
    private let partition: Partition
    private let index: PartitionIndex
    /// The number of the new point.
    private let number: StoredNumber
    /// The points that are there afterwards, ascending.
    private let kept: [StoredNumber]
    private let replaced: Set<StoredNumber>

    /// Records that changed, or are gone, since the newest point: the new one gets a version of each.
    private var changed: Set<RecordKey> = []
    private var gone: Set<RecordKey> = []
    /// Versions that no point needs afterwards.
    private var unneeded: [StateKey] = []
    private var sums = Manifest(records: 0, fingerprint: 0)

    private struct Version {
        var point: StoredNumber
        var isGone: Bool
    }

    init(_ partition: Partition, replacing replaced: Set<StoredNumber>) {
        (self.partition, self.replaced) = (partition, replaced)
        index = partition.index
        number = index.sequence
        kept = index.points.map(\.number).filter { !replaced.contains($0) } + [index.sequence]
    }

    mutating func run(as point: RestorePoint) throws {
        let groups = try groups()
        let spared = sessionsToSpare(groups)
        var known: Set<RecordKey> = []
        for (record, versions) in groups {
            known.insert(record)
            if spared.records.contains(record) {
                try keep(record, versions)
            } else {
                compare(record, versions)
            }
        }
        for record in currentRecords() where !known.contains(record) {
            switch record {
            // What is new in such a session is not mixed with what it had.
            case .session(let id), .node(let id, _): if spared.sessions.contains(id) { continue }
            default: break
            }
            put(record)
        }
        try write(point)
    }

    /// Returns the versions of each record, in order.
    private func groups() throws -> [(record: RecordKey, versions: [Version])] {
        var groups: [(record: RecordKey, versions: [Version])] = []
        try partition.store.scanKeys(.state, prefix: StateKey.versions) { key in
            guard case .version(let record, let point, let isGone)? = StateKey(key) else { return }
            let version = Version(point: point, isGone: isGone)
            if groups.last?.record == record {
                groups[groups.count - 1].versions.append(version)
            } else {
                groups.append((record, [version]))
            }
        }
        return groups
    }

    /// Returns the records that stay as they were at the point before: those of sessions that still
    /// exist and lost all their tabs, not only to other sessions.
    private func sessionsToSpare(_ groups: [(record: RecordKey, versions: [Version])])
        -> (sessions: Set<SessionID>, records: Set<RecordKey>)
    {
        let emptied = Set(index.sessions.filter { $0.exists && $0.tabCount == 0 }.map(\.id))
        guard !emptied.isEmpty else { return ([], []) }
        var losers: [SessionID: [TabID]] = [:]
        for case (.tab(let id, let tab), let versions) in groups where emptied.contains(id) {
            if versions.last?.isGone == false { losers[id, default: []].append(tab) }
        }
        losers = losers.filter { $0.value.contains { index.tabs[$0] == nil } }
        let tabs = Set(losers.values.joined().filter { index.tabs[$0] == nil })
        let records = Set(
            groups.map(\.record).filter { record in
                switch record {
                case .session(let id), .node(let id, _): losers[id] != nil
                case .tab(let id, let tab): losers[id] != nil && tabs.contains(tab)
                case .stateEntry(let tab, _): tabs.contains(tab)
                default: false
                }
            })
        return (Set(losers.keys), records)
    }

    private func currentRecords() -> [RecordKey] {
        index.sessions.filter { $0.attributes != nil }.map { .session($0.id) }
            + index.tabs.map { index.key(of: $0.key, $0.value) }
            + index.nodes.map { index.key(of: $0.key, $0.value) }
            + index.states.keys.map { .stateEntry($0.tab, index.stateNames[$0.name]) }
    }

    // MARK: Comparing

    private mutating func put(_ record: RecordKey) {
        changed.insert(record)
        sums.replace(nil, with: index.stamp(of: record)?.fingerprint)
    }

    /// Leaves a record as it was at the point before.
    private mutating func keep(_ record: RecordKey, _ versions: [Version]) throws {
        if let last = versions.last, !last.isGone {
            let key = StateKey.version(record, point: last.point).bytes
            let value = try partition.store.value(of: key, in: .state) ?? []
            let stamp = record.bytes.withUnsafeBytes { key in
                value.withUnsafeBytes { try? RecordFrame($0, key: key).stamp }
            }
            sums.replace(nil, with: stamp?.fingerprint)
        }
        dropUnneeded(of: record, versions)
    }

    private mutating func compare(_ record: RecordKey, _ versions: [Version]) {
        guard let last = versions.last else { return }
        var versions = versions
        if let current = index.stamp(of: record) {
            if last.isGone || current.sequence > last.point {
                put(record)
                versions.append(Version(point: number, isGone: false))
            } else {
                sums.replace(nil, with: current.fingerprint)
            }
        } else if !last.isGone {
            gone.insert(record)
            versions.append(Version(point: number, isGone: true))
        }
        dropUnneeded(of: record, versions)
    }

    /// Notes the versions that no kept point has. A version that says that the record was gone is
    /// needed only after one that has it.
    private mutating func dropUnneeded(of record: RecordKey, _ versions: [Version]) {
        var hasContent = false
        for (place, version) in versions.enumerated() {
            let end = place + 1 < versions.count ? versions[place + 1].point : nil
            let isRead = kept.contains { point in
                point >= version.point && end.map { point < $0 } ?? true
            }
            if isRead && (hasContent || !version.isGone) {
                hasContent = true
            } else if version.point == number, version.isGone {
                gone.remove(record)
            } else {
                unneeded.append(
                    .version(record, point: version.point, isGone: version.isGone))
            }
        }
    }

    // MARK: Writing

    private mutating func write(_ point: RestorePoint) throws {
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
        for old in replaced { records.forgetPoint(old) }
        try records.putPoint(number, PointRecord(point, sums))
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
