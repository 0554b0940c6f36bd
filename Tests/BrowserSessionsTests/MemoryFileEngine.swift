import BrowserSessions
import Expectations
import Synchronization

@testable import StorageEngines

extension StorageBackend {
    /// Sessions in the memory of the engine: gone when the process ends.
    static func memory(_ engine: MemoryFileEngine) -> StorageBackend {
        StorageBackend(name: engine.name, summary: "nothing is written; for tests") {
            configuration throws(StorageError) in
            try OrderedSessionStorage(opening: configuration, engine: engine)
        }
    }
}

/// Opens records in memory as if they were files. A store's directory has only their name, so that they
/// follow the directory when it is moved or copied, and are gone with it.
final class MemoryFileEngine: SalvagingFileEngine {
    let name = "memory"
    let formatVersion = 1
    let abilities: EngineAbilities
    let rules: MemoryRules
    private let stores = Mutex<[[UInt8]: MemoryByteStore]>([:])

    init(durability: Durability = .powerLoss, limits: EngineLimits = .none) {
        abilities = EngineAbilities(durability: durability, limits: limits, findsDamage: true)
        rules = MemoryRules(limits)
    }

    func recognizes(_ names: [String]) -> Bool { true }

    func open(_ request: OpenRequest) throws -> any OrderedByteStore {
        try records(in: request.directory)
    }

    /// There is nothing to rescue that opening would not find.
    func salvage(_ directory: any FileDirectory, _ visit: RecordVisitor) throws -> [String] {
        let store = try records(in: directory)
        for space in KeySpace.allCases {
            try store.scan(space, prefix: []) { try visit(space, $0, $1) }
        }
        return []
    }

    func records(in directory: any FileDirectory) throws -> MemoryByteStore {
        let file = "name"
        if try directory.has(file) {
            let name = try directory.read(file)
            if let store = stores.withLock({ $0[name] }) { return store }
            throw StorageError(.corrupted, "the records ended with the process that had them")
        }
        let (name, store) = (CommitID.random().bytes, MemoryByteStore(rules))
        stores.withLock { $0[name] = store }
        try directory.replace(file, with: name)
        return store
    }
}

/// What holds for all records of an engine.
final class MemoryRules: Sendable {
    private let limits: EngineLimits
    /// The most operations that a batch had.
    let largestBatch = Mutex(0)
    /// There is no space for states with keys that begin with this byte.
    let refused = Mutex<UInt8?>(nil)

    init(_ limits: EngineLimits = .none) { self.limits = limits }

    func require(_ batch: ByteBatch) throws {
        largestBatch.withLock { $0 = max($0, batch.operations.count) }
        try limits.require(batch)
        guard let refused = refused.withLock(\.self) else { return }
        for case .put(.state, let key, _) in batch.operations where key.first == refused {
            throw StorageError(.outOfSpace, "no space left on the disk")
        }
    }
}

/// The records of one partition, which tests also change behind the store's back.
final class MemoryByteStore: OrderedByteStore, Sendable {
    let bytes = Mutex<MemoryRecords>([:])
    private let rules: MemoryRules
    private let scans = Mutex(0)

    init(_ rules: MemoryRules = MemoryRules()) { self.rules = rules }

    func value(of key: [UInt8], in space: KeySpace) -> [UInt8]? {
        bytes.withLock { $0[space]?[key] }
    }

    func scan(
        _ space: KeySpace, prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        scans.withLock { $0 += 1 }
        defer { scans.withLock { $0 -= 1 } }
        try bytes.withLock(\.self).scan(space, prefix: prefix, visit)
    }

    func write(_ batch: ByteBatch, durably: Bool) throws {
        expect(scans.withLock(\.self) == 0, "a write came while records were handed over")
        try rules.require(batch)
        bytes.withLock { $0.apply(batch.operations) }
    }

    func sync() {}
    func verify() -> [String] { [] }
    func close() {}
}
