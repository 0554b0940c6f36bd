import BrowserSessions

/// The readable part of a damaged partition that cannot be repaired now: usually the disk is full.
///
/// ``PartitionRecovery`` fills it; after that it is read-only. Metadata is in memory. A state record
/// is searched for in the damaged files each time, which is slow but uses no memory.
final class SalvagedStore: OrderedByteStore {
    private let salvage: RecordSource
    private var metadata = SortedRecords([])
    private var isFilled = false

    /// - Parameter salvage: visits what can be read of the damaged partition.
    init(_ salvage: @escaping RecordSource) { self.salvage = salvage }

    /// Makes the store read-only.
    func endFilling() { isFilled = true }

    func value(of key: [UInt8], in space: KeySpace) throws -> [UInt8]? {
        guard space == .state else { return metadata[key] }
        return try states { $0.elementsEqual(key) }[key]
    }

    /// Returns the sound state records that are meant; the latest of those under one key.
    private func states(_ isMeant: (_ key: UnsafeRawBufferPointer) -> Bool) throws
        -> SortedRecords
    {
        var newest: [[UInt8]: StoredNumber] = [:]
        var records = SortedRecords()
        _ = try salvage { space, found, value in
            guard space == .state, isMeant(found),
                let frame = try? RecordFrame(value, key: StateKey.frameKey(found))
            else { return }
            let key = [UInt8](found)
            if let known = newest[key], known > frame.sequence { return }
            newest[key] = frame.sequence
            records[key] = [UInt8](value)
        }
        return records
    }

    func scan(
        _ space: KeySpace, prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        switch space {
        case .metadata: try metadata.scan(prefix, visit)
        case .state: try states { $0.starts(with: prefix) }.scan(prefix, visit)
        }
    }

    func write(_ batch: ByteBatch, durably: Bool) throws {
        guard !isFilled else {
            throw StorageError(
                .corrupted,
                "the partition is damaged and could not be repaired: it can only be read")
        }
        metadata.apply(batch.operations, of: .metadata)
    }

    func sync() {}
    func close() {}

    func verify() -> [String] { ["the partition could not be repaired yet"] }
}
