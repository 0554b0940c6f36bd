import BrowserSessions
import StorageEngines
import Synchronization

/// Keeps one store in memory, whatever its location. The store outlives its owner, and ends with the
/// engine.
final class MemoryEngine: ConnectedEngine {
    let name = "memory"
    let formatVersion = 1
    let abilities = EngineAbilities(durability: .memory, limits: .none, findsDamage: true)
    private let state: Mutex<State>

    private struct State {
        var namespaces: [String: MemoryRecords]
        var isOwned = false
    }

    /// Creates an engine without a store.
    convenience init() { self.init([:]) }

    private init(_ namespaces: [String: MemoryRecords]) {
        state = Mutex(State(namespaces: namespaces))
    }

    /// Returns another engine with the records that this one has now. Its store has no owner.
    func copy() -> MemoryEngine { MemoryEngine(state.withLock(\.namespaces)) }

    /// Whether the store is open for an owner.
    var isOwned: Bool { state.withLock(\.isOwned) }

    func connect(_ request: ConnectionRequest) throws -> any EngineConnection {
        let isFree = state.withLock { state in
            defer { state.isOwned = true }
            return !state.isOwned
        }
        guard isFree else {
            throw StorageError(.locked, "the store in memory is open; close it first")
        }
        return MemoryConnection(self)
    }

    func view(_ request: ConnectionRequest) -> (any EngineView)? { MemoryConnection(copy()) }

    fileprivate subscript(namespace: String) -> MemoryRecords {
        state.withLock { $0.namespaces[namespace] ?? [:] }
    }

    fileprivate func edit(_ edit: (inout [String: MemoryRecords]) -> Void) {
        state.withLock { edit(&$0.namespaces) }
    }

    fileprivate func release() { state.withLock { $0.isOwned = false } }
}

private final class MemoryConnection: EngineConnection {
    private let engine: MemoryEngine
    var interrupt: @Sendable () -> Void { {} }

    init(_ engine: MemoryEngine) { self.engine = engine }

    func value(of key: [UInt8], in space: KeySpace, of namespace: String) -> [UInt8]? {
        engine[namespace][space]?[key]
    }

    func scan(
        _ space: KeySpace, of namespace: String, prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try engine[namespace].scan(space, prefix: prefix, visit)
    }

    func write(_ batch: ByteBatch, to namespace: String, durably: Bool) {
        engine.edit { $0[namespace, default: [:]].apply(batch.operations) }
    }

    func sync() {}
    func destroy(_ namespace: String) { engine.edit { $0[namespace] = nil } }
    func close() { engine.release() }
}
