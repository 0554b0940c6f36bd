import BrowserSessions
import StorageEngines
import Synchronization

/// Keeps stores in memory, by their locations: they outlive a store that is closed, and end with the
/// process.
final class MemoryEngine: ConnectedEngine {
    let name = "memory"
    let formatVersion = 1
    /// A save is there as long as the process is, and the store must not claim more.
    let abilities = EngineAbilities(durability: .memory, limits: .none, findsDamage: true)
    private let stores = Mutex<[String: MemoryRecords]>([:])

    func connect(_ request: ConnectionRequest) throws -> any EngineConnection {
        let records = stores.withLock { stores in
            let records = stores[request.location] ?? MemoryRecords()
            stores[request.location] = records
            return records
        }
        guard records.take() else {
            throw StorageError(
                .locked, "the store '\(request.location)' is open in this process; close it first")
        }
        return MemoryConnection(records)
    }
}

/// One store, which has one owner at a time.
final class MemoryRecords: Sendable {
    private struct State {
        var isOwned = false
        var namespaces: [String: [KeySpace: SortedTable]] = [:]
    }

    private let state = Mutex(State())

    /// `false` if somebody has it.
    func take() -> Bool {
        state.withLock { state in
            defer { state.isOwned = true }
            return !state.isOwned
        }
    }

    func letGo() { state.withLock { $0.isOwned = false } }

    func table(_ space: KeySpace, _ namespace: String) -> SortedTable {
        state.withLock { $0.namespaces[namespace]?[space] ?? SortedTable() }
    }

    /// All of the batch at once.
    func apply(_ batch: ByteBatch, to namespace: String) {
        state.withLock { state in
            for operation in batch.operations {
                switch operation {
                case .put(let space, let key, let value):
                    state.namespaces[namespace, default: [:]][space, default: SortedTable()][key] =
                        value
                case .remove(let space, let key):
                    state.namespaces[namespace]?[space]?[key] = nil
                }
            }
        }
    }

    /// What was deleted must not stay in memory.
    func destroy(_ namespace: String) { state.withLock { $0.namespaces[namespace] = nil } }
}

final class MemoryConnection: EngineConnection {
    private let records: MemoryRecords

    init(_ records: MemoryRecords) { self.records = records }

    func value(of key: [UInt8], in space: KeySpace, of namespace: String) -> [UInt8]? {
        records.table(space, namespace)[key]
    }

    func scan(
        _ space: KeySpace, of namespace: String, prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let table = records.table(space, namespace)
        for (key, value) in table.records(beginningWith: prefix) {
            try key.withUnsafeBytes { key in try value.withUnsafeBytes { try visit(key, $0) } }
        }
    }

    func write(_ batch: ByteBatch, to namespace: String, durably: Bool) {
        records.apply(batch, to: namespace)
    }

    var interrupt: @Sendable () -> Void { {} }
    func sync() {}
    func destroy(_ namespace: String) { records.destroy(namespace) }
    func close() { records.letGo() }
}
