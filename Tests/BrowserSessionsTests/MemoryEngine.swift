import BrowserSessions
import StorageEngines
import Synchronization

extension StorageBackend {
    /// Sessions in the memory of the engine: gone when the process ends.
    static func memory(_ engine: MemoryEngine) -> StorageBackend {
        StorageBackend(name: engine.name, summary: "nothing is written; for tests") {
            configuration throws(StorageError) in
            try OrderedSessionStorage(opening: configuration, engine: engine)
        }
    }
}

/// Opens stores in memory. A store's directory holds nothing but the name of its records, so that
/// they follow the directory when it is moved or copied, and are gone with it.
final class MemoryEngine: SalvagingFileEngine {
    let name = "memory"
    let formatVersion = 1
    let abilities = EngineAbilities(durability: .powerLoss, limits: .none, findsDamage: true)
    private let stores = Mutex<[[UInt8]: MemoryRecords]>([:])

    func recognizes(_ names: [String]) -> Bool { true }

    func open(_ request: OpenRequest) throws -> any OrderedByteStore {
        MemoryStore(try records(in: request.directory))
    }

    /// There is nothing to rescue that opening would not find.
    func salvage(_ directory: any FileDirectory, _ visit: RecordVisitor) throws -> [String] {
        let store = MemoryStore(try records(in: directory))
        for space in KeySpace.allCases {
            try store.scan(space, prefix: []) { try visit(space, $0, $1) }
        }
        return []
    }

    func records(in directory: any FileDirectory) throws -> MemoryRecords {
        let file = "name"
        if try directory.has(file) {
            let name = try directory.read(file)
            if let records = stores.withLock({ $0[name] }) { return records }
            throw StorageError(.corrupted, "the records ended with the process that had them")
        }
        let (name, records) = (CommitID.random().bytes, MemoryRecords())
        stores.withLock { $0[name] = records }
        try directory.replace(file, with: name)
        return records
    }
}

/// The records of one store, by space and key.
final class MemoryRecords: Sendable {
    let bytes = Mutex<[KeySpace: [[UInt8]: [UInt8]]]>([:])
}

final class MemoryStore: OrderedByteStore {
    private let records: MemoryRecords

    init(_ records: MemoryRecords) { self.records = records }

    func value(of key: [UInt8], in space: KeySpace) throws -> [UInt8]? {
        records.bytes.withLock { $0[space]?[key] }
    }

    func scan(
        _ space: KeySpace,
        prefix: [UInt8],
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
