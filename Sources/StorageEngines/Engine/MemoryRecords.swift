/// The records of one partition or namespace in memory: what every engine without a medium keeps.
package typealias MemoryRecords = [KeySpace: SortedRecords]

extension MemoryRecords {
    /// Visits the records with keys that begin with `prefix`, in order; see
    /// ``OrderedByteStore/scan(_:prefix:_:)``.
    package func scan(
        _ space: KeySpace, prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        try self[space]?.scan(prefix, visit)
    }

    /// Applies the operations of a batch, in their order.
    package mutating func apply(_ operations: [ByteBatch.Operation]) {
        for operation in operations {
            switch operation {
            case .put(let space, let key, let value): self[space, default: .init()][key] = value
            case .remove(let space, let key): self[space]?[key] = nil
            }
        }
    }
}
