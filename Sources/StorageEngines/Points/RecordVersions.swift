import BrowserSessions

/// The versions that restore points have of one record, in the order of their points.
struct RecordVersions {
    let record: RecordKey
    private(set) var versions: [Version]

    struct Version {
        var point: StoredNumber
        var isGone: Bool
        /// What the version takes in the store, with a blob that only it names; 0 if not measured.
        var bytes = 0
    }

    /// Returns the versions of all records of a partition, from their keys alone.
    static func all(of partition: Partition) throws -> [RecordVersions] {
        var found: [RecordVersions] = []
        try partition.store.scanKeys(.state, prefix: StateKey.versions) { key in
            guard case .version(let record, let point, let isGone)? = StateKey(key) else { return }
            found.add(Version(point: point, isGone: isGone), of: record)
        }
        return found
    }

    mutating func add(_ version: Version) { versions.append(version) }

    /// Returns which versions no point needs any more, by their places, if only these points are
    /// kept. A version that says that the record was gone is needed only after one that has it.
    ///
    /// - Parameter kept: ascending.
    func unneeded(keeping kept: [StoredNumber]) -> [Int] {
        var unneeded: [Int] = []
        var hasContent = false
        for (place, version) in versions.enumerated() {
            let end = place + 1 < versions.count ? versions[place + 1].point : nil
            let first = kept.first { $0 >= version.point }
            let isRead = first.map { first in end.map { first < $0 } ?? true } ?? false
            if isRead && (hasContent || !version.isGone) {
                hasContent = true
            } else {
                unneeded.append(place)
            }
        }
        return unneeded
    }
}

extension [RecordVersions] {
    /// Adds a version that comes in the order of keys.
    mutating func add(_ version: RecordVersions.Version, of record: RecordKey) {
        if let last = indices.last, self[last].record == record {
            self[last].add(version)
        } else {
            append(RecordVersions(record: record, versions: [version]))
        }
    }
}
