import BrowserSessions

/// A copy without what was forgotten.
extension Partition {
    /// Throws `StorageError.Code.corrupted` if a restore point lacks records: they may be what is to be
    /// forgotten, and what is left must not be taken for all of it.
    func requireWholePoints() throws {
        for point in index.points where try !isWhole(point) {
            throw StorageError(
                .corrupted,
                """
                restore point \(point.number) lacks some of its records. Nothing was forgotten; look at \
                the report of 'check', call 'repair', and forget again
                """)
        }
    }

    /// Copies everything current, and restore points as they are to be, to an empty store, durably.
    /// What was removed or replaced before is not in the copy.
    ///
    /// Throws `StorageError.Code.corrupted` unless the copy is complete.
    func copy(to new: any OrderedByteStore, with points: PointForgetting) throws {
        var parts = RecordParts(for: new, limits)
        try putCurrent(to: &parts) { _ in true }
        for (key, value) in points.records { try parts.put(value, for: key, in: .state) }
        for (key, blob) in points.blobs {
            guard let bytes = try blob ?? store.value(of: key.bytes, in: .state) else { continue }
            try parts.put(bytes, for: key.bytes, in: .state)
        }
        try parts.finish()
        let loader = try PartitionLoader(new)
        guard loader.newLosses.isEmpty, loader.damaged.isEmpty, loader.stale.isEmpty,
            loader.index.sequence == index.sequence
        else {
            throw StorageError(
                .corrupted,
                "not everything in the \(kind.rawValue) partition can be read; call 'repair'")
        }
        try Partition(kind, new, loader, limits: limits).correctPointSums()
    }
}
