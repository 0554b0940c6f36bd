import BrowserSessions

/// What can be read of a damaged side that cannot be repaired now, mostly because the disk is full.
///
/// It is filled by ``SideRepair`` and can only be read from then on. Metadata is in memory; a state blob
/// is looked for in the damaged files each time, which is slow, but takes no memory.
final class SalvagedStore: OrderedByteStore {
    private let salvage: RecordSource
    private var metadata = SortedRecords([])
    private var isFilled = false

    /// - Parameter salvage: visits what can be read of the damaged side.
    init(_ salvage: @escaping RecordSource) { self.salvage = salvage }

    /// From now on nothing can be written.
    func endFilling() { isFilled = true }

    func value(of key: [UInt8], in space: KeySpace) throws -> [UInt8]? {
        guard space == .state else { return metadata[key] }
        var newest: (sequence: StoredNumber, value: [UInt8])?
        _ = try salvage { space, found, value in
            guard space == .state, found.elementsEqual(key),
                let frame = try? RecordFrame(value, key: found),
                frame.sequence >= newest?.sequence ?? .zero
            else { return }
            newest = (frame.sequence, [UInt8](value))
        }
        return newest?.value
    }

    func scan(
        _ space: KeySpace, prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        if space == .metadata { try metadata.scan(prefix, visit) }
    }

    func write(_ batch: ByteBatch, durably: Bool) throws {
        guard !isFilled else {
            throw StorageError(
                .corrupted, "the side is damaged and could not be repaired: it can only be read")
        }
        for operation in batch.operations {
            switch operation {
            case .put(.metadata, let key, let value): metadata[key] = value
            case .remove(.metadata, let key): metadata[key] = nil
            case .put(.state, _, _), .remove(.state, _): continue
            }
        }
    }

    func sync() {}
    func close() {}

    func verify() -> [String] { ["the side could not be repaired yet"] }
}
