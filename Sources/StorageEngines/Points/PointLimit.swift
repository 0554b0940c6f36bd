import BrowserSessions

/// What restore points take in a store beside the present state.
struct PointBytes {
    private var groups: [RecordVersions] = []

    /// Reads the records of all points, and no blob.
    init(of partition: Partition) throws {
        var blobs: Set<StateKey> = []
        try partition.store.scan(.state, prefix: StateKey.versions) { key, value in
            guard case .version(let record, let point, let isGone)? = StateKey(key) else { return }
            var bytes = key.count + value.count
            if case .stateEntry(let tab, let name) = record, !isGone,
                let frame = try? RecordFrame(value, key: StateKey.frameKey(key)),
                let entry = try? StateEntry(payload: frame.payload),
                partition.index.state(tab, name)?.stamp.sequence != frame.sequence,
                blobs.insert(.blob(tab, name, set: frame.sequence)).inserted
            {
                bytes += entry.length
            }
            groups.add(.init(point: point, isGone: isGone, bytes: bytes), of: record)
        }
    }

    /// Returns the bytes that these points need. A blob counts once, with the first version that
    /// names it.
    ///
    /// - Parameter points: ascending.
    func needed(by points: [StoredNumber]) -> Int {
        groups.reduce(0) { sum, group in
            let unneeded = group.unneeded(keeping: points).reduce(0) {
                $0 + group.versions[$1].bytes
            }
            return sum + group.versions.reduce(0) { $0 + $1.bytes } - unneeded
        }
    }
}

extension Partition {
    /// Returns what all points take, and what each would give back.
    func restorePointBytes() throws -> RestorePointBytes {
        let points = index.points.map(\.number)
        guard kind == .regular, !points.isEmpty else { return .none }
        let taken = try suspecting { try PointBytes(of: self) }
        let all = taken.needed(by: points)
        var released: [RestorePointID: Int] = [:]
        for point in index.points {
            let rest = taken.needed(by: points.filter { $0 != point.number })
            released[point.record.point.id] = all - rest
        }
        return RestorePointBytes(all: all, released: released)
    }

    /// Gives up the oldest restore points that no term keeps, until the rest takes no more than the
    /// limit, and says so in the report of `check`. The newest point stays in any case.
    func limitPoints(to bytes: Int, by clock: PointClock) throws {
        guard kind == .regular, index.points.count > 1, !canOnlyBeRead else { return }
        let taken = try suspecting { try PointBytes(of: self) }
        var kept = index.points.map(\.number)
        var dropped: Set<StoredNumber> = []
        let candidates = candidates(by: clock)
        let terms = PointRetention.withTerm(candidates)
        for candidate in candidates.dropLast()
        where !terms.contains(candidate.number) && taken.needed(by: kept) > bytes {
            kept.removeAll { $0 == candidate.number }
            dropped.insert(candidate.number)
        }
        guard !dropped.isEmpty else { return }
        try drop(dropped)
        add(
            note: """
                restore points that were given up because all took more than \(bytes) bytes, the \
                option 'restorePointBytes': \(dropped.count)
                """)
    }
}
