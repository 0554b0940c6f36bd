import BrowserSessions
import Expectations
import Synchronization

@testable import StorageEngines

/// Opens records in memory as if they were files, with a journal of what the core asks, and trouble on demand.
/// A store's directory has only their name, so that they follow the directory when it is moved or copied, and
/// are gone with it.
final class ScriptedEngine: SalvagingFileEngine {
    struct Journal: Equatable {
        var opens = 0
        var salvages = 0
        var reads = 0
        var scans = 0
        var writes: [Write] = []
        var syncs = 0
    }

    struct Write: Equatable {
        var operations: Int
        var bytes: Int
        var isDurable: Bool
    }

    /// What goes wrong, each once.
    struct Trouble {
        var opening: (any Error)?
        var writing: (any Error)?
        var scanning: (any Error)?
        /// How many writes succeed before.
        var writesBefore = 0
        var findings: [String] = []
        /// Looks at the surroundings of the next write, before it.
        var beforeWriting: (@Sendable () -> Void)?
        /// Comes before the next scan.
        var beforeScanning: (@Sendable () -> Void)?
    }

    private struct State {
        var stores: [[UInt8]: MemoryByteStore] = [:]
        var journal = Journal()
        var trouble = Trouble()
        var largestBatch = 0
        var refused: UInt8?
    }

    let name = "memory"
    let formatVersion = 1
    let abilities: EngineAbilities
    private let limits: EngineLimits
    private let state = Mutex(State())

    init(durability: Durability = .powerLoss, limits: EngineLimits = .none) {
        abilities = EngineAbilities(durability: durability, limits: limits, findsDamage: true)
        self.limits = limits
    }

    /// What was asked since the last time.
    func takeJournal() -> Journal { take(\.journal, leaving: Journal()) }

    func expect(_ trouble: sending Trouble) { state.withLock { $0.trouble = trouble } }

    /// The most operations that a batch had.
    var largestBatch: Int { state.withLock { $0.largestBatch } }

    /// From now on there is no space for states with keys that begin with this byte.
    func refuse(_ byte: UInt8?) { state.withLock { $0.refused = byte } }

    private func take<Value: Sendable>(_ path: WritableKeyPath<State, Value>, leaving rest: Value)
        -> Value
    {
        state.withLock { state in
            defer { state[keyPath: path] = rest }
            return state[keyPath: path]
        }
    }

    func recognizes(_ names: [String]) -> Bool { true }

    func open(_ request: OpenRequest) throws -> any OrderedByteStore {
        state.withLock { $0.journal.opens += 1 }
        if let error = take(\.trouble.opening, leaving: nil) { throw error }
        return try records(in: request.directory)
    }

    /// There is nothing to rescue that opening would not find.
    func salvage(_ directory: any FileDirectory, _ visit: RecordVisitor) throws -> [String] {
        state.withLock { $0.journal.salvages += 1 }
        let records = try records(in: directory).bytes.withLock(\.self)
        for space in KeySpace.allCases {
            try records.scan(space, prefix: []) { try visit(space, $0, $1) }
        }
        return []
    }

    func records(in directory: any FileDirectory) throws -> MemoryByteStore {
        let file = "name"
        if try directory.has(file) {
            let name = try directory.read(file)
            if let store = state.withLock({ $0.stores[name] }) { return store }
            throw StorageError(.corrupted, "the records ended with the process that had them")
        }
        let (name, store) = (CommitID.random().bytes, MemoryByteStore(self))
        state.withLock { $0.stores[name] = store }
        try directory.replace(file, with: name)
        return store
    }

    fileprivate func read() { state.withLock { $0.journal.reads += 1 } }
    fileprivate func sync() { state.withLock { $0.journal.syncs += 1 } }

    fileprivate func scan(_ work: () throws -> Void) throws {
        state.withLock { $0.journal.scans += 1 }
        take(\.trouble.beforeScanning, leaving: nil)?()
        try work()
        if let error = take(\.trouble.scanning, leaving: nil) { throw error }
    }

    fileprivate func findings() -> [String] { take(\.trouble.findings, leaving: []) }

    /// Throws what was asked for; notes the batch otherwise.
    fileprivate func write(_ batch: ByteBatch, durably: Bool) throws {
        take(\.trouble.beforeWriting, leaving: nil)?()
        try state.withLock { state in
            if let error = state.trouble.writing {
                state.trouble.writesBefore -= 1
                if state.trouble.writesBefore < 0 {
                    state.trouble.writing = nil
                    throw error
                }
            }
            state.largestBatch = max(state.largestBatch, batch.operations.count)
            try limits.require(batch)
            var bytes = 0
            for operation in batch.operations {
                switch operation {
                case .put(.state, let key, _)
                where state.refused != nil && key.first == state.refused:
                    throw StorageError(.outOfSpace, "no space left on the disk")
                case .put(_, let key, let value): bytes += key.count + value.count
                case .remove(_, let key): bytes += key.count
                }
            }
            state.journal.writes.append(
                Write(operations: batch.operations.count, bytes: bytes, isDurable: durably))
        }
    }
}

/// The records of one partition, which tests also change behind the store's back.
final class MemoryByteStore: OrderedByteStore, Sendable {
    let bytes = Mutex<MemoryRecords>([:])
    private let engine: ScriptedEngine?
    private let scans = Mutex(0)

    init(_ engine: ScriptedEngine? = nil) { self.engine = engine }

    func value(of key: [UInt8], in space: KeySpace) -> [UInt8]? {
        engine?.read()
        return bytes.withLock { $0[space]?[key] }
    }

    func scan(
        _ space: KeySpace, prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        scans.withLock { $0 += 1 }
        defer { scans.withLock { $0 -= 1 } }
        func work() throws { try bytes.withLock(\.self).scan(space, prefix: prefix, visit) }
        if let engine { try engine.scan(work) } else { try work() }
    }

    func write(_ batch: ByteBatch, durably: Bool) throws {
        expect(scans.withLock(\.self) == 0, "a write came while records were handed over")
        try engine?.write(batch, durably: durably)
        bytes.withLock { $0.apply(batch.operations) }
    }

    func sync() { engine?.sync() }
    func verify() -> [String] { engine?.findings() ?? [] }
    func close() {}
}
