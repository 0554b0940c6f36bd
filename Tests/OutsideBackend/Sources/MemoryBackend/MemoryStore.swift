import BrowserSessions
import Synchronization

/// The records of one store, by space and key.
final class MemoryRecords: Sendable {
    let bytes = Mutex<[KeySpace: [[UInt8]: [UInt8]]]>([:])
}

/// An ordered store over records in memory.
final class MemoryStore: OrderedByteStore {
    private let records: MemoryRecords

    init(_ records: MemoryRecords) { self.records = records }

    func value(of key: [UInt8], in space: KeySpace) throws -> [UInt8]? {
        records.bytes.withLock { $0[space]?[key] }
    }

    func scan(
        _ space: KeySpace, prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let found = records.bytes.withLock { $0[space, default: [:]] }
            .filter { $0.key.starts(with: prefix) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        for (key, value) in found {
            try key.withUnsafeBytes { key in try value.withUnsafeBytes { try visit(key, $0) } }
        }
    }

    func write(_ batch: ByteBatch, durably: Bool) throws {
        records.bytes.withLock { bytes in
            for operation in batch.operations {
                switch operation {
                case .put(let space, let key, let value): bytes[space, default: [:]][key] = value
                case .remove(let space, let key): bytes[space]?[key] = nil
                }
            }
        }
    }

    func sync() throws {}
    var wantsMaintenance: Bool { false }
    func maintain() throws {}
    func verify() throws -> [String] { [] }
    var openingNotes: [String] { [] }
    func close() throws {}
}
