import BrowserSessions

/// The sums over the records of each restore point, from all versions of records in the store.
struct PointSums {
    private(set) var sums: [StoredNumber: Manifest]
    /// Versions that cannot be read, as they are stored.
    private(set) var damaged: [(key: [UInt8], value: [UInt8])] = []
    /// The entries of states, with their keys.
    private(set) var entries: [(key: StateKey, state: PartitionIndex.State)] = []
    private(set) var bytes = 0

    private let points: [StoredNumber]
    private var group: [(number: StoredNumber, stamp: RecordStamp?)] = []
    private var record: RecordKey?

    init(
        of partition: Partition, unless interruption: CallCancellation? = nil
    ) throws {
        points = partition.index.points.map(\.number)
        sums = Dictionary(
            uniqueKeysWithValues: points.map { ($0, Manifest()) })
        guard !points.isEmpty else { return }
        try partition.store.scan(.state, prefix: StateKey.versions) { key, value in
            try interruption?.poll()
            bytes += value.count
            add(key, value)
        }
        endGroup()
    }

    private mutating func add(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        guard case .version(let record, let number, let isGone)? = StateKey(key),
            let frame = try? RecordFrame(value, key: StateKey.frameKey(key))
        else {
            damaged.append(([UInt8](key), [UInt8](value)))
            return
        }
        if record != self.record { endGroup() }
        self.record = record
        group.append((number, isGone ? nil : frame.stamp))
        if case .stateEntry = record, !isGone, let entry = try? StateEntry(payload: frame.payload) {
            entries.append(
                (
                    .version(record, point: number),
                    .init(checksum: entry.checksum, length: entry.length, stamp: frame.stamp)
                ))
        }
    }

    /// Adds the newest version of the record to each point that is not below it.
    private mutating func endGroup() {
        for point in points {
            guard let version = group.last(where: { $0.number <= point }),
                let stamp = version.stamp
            else { continue }
            sums[point]?.replace(nil, with: stamp)
        }
        group = []
    }
}

extension Partition {
    /// Returns whether all records of a point are there. Reads all points the first time.
    func isWhole(_ point: PartitionIndex.Point) throws -> Bool {
        let sums = try pointSums ?? suspecting { try PointSums(of: self).sums }
        pointSums = sums
        return sums[point.number] == point.record.sums
    }

    /// Writes the sums of points that lost something, so that what is left of them is whole.
    func correctPointSums() throws {
        let found = try PointSums(of: self).sums
        var records = upkeep()
        for point in index.points {
            guard let sums = found[point.number], sums != point.record.sums else { continue }
            var record = point.record
            record.sums = sums
            try records.putPoint(point.number, record)
        }
        if !records.edits.isEmpty { try write(records, durably: true) }
        pointSums = nil
    }
}
