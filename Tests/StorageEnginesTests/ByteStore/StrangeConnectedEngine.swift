import BrowserSessions
import StorageEngines
import Synchronization

/// A connected engine in memory that does what it should not, on demand.
final class StrangeConnectedEngine: ConnectedEngine {
    /// What it does wrong.
    struct Manners {
        /// Changes what is read.
        var reading: @Sendable (_ namespace: String, _ value: [UInt8]) -> [UInt8] = { $1 }
        /// Hands over the records of a scan from the last to the first.
        var scansBackwards = false
        /// What each call throws, before it does anything.
        var failing: StorageError?
        /// What each write throws, after it was applied.
        var losingAnswers: StorageError?
        /// From which destruction of a namespace on everything fails, and until when.
        var destructions: Range<Int> = 0..<0
    }

    struct State {
        var manners = Manners()
        var namespaces: [String: MemoryRecords] = [:]
        var owner: CommitID?
        var lastOwner: CommitID?
        var connections = 0
        /// How many sockets of connections are still open.
        var sockets = 0
        var largestBatch = 0
        var destructions = 0
    }

    let name: String
    let formatVersion = 1
    let abilities: EngineAbilities
    let state = Mutex(State())

    init(_ name: String = "strange", limits: EngineLimits = .none) {
        self.name = name
        abilities = EngineAbilities(durability: .processCrash, limits: limits, findsDamage: true)
    }

    func behave(_ edit: (inout Manners) -> Void) { state.withLock { edit(&$0.manners) } }

    func connect(_ request: ConnectionRequest) throws -> any EngineConnection {
        try state.withLock { state in
            if let error = state.manners.failing { throw error }
            guard state.owner == nil || request.attempt > 0 else {
                throw StorageError(.locked, "the store is in use")
            }
            guard request.attempt == 0 || state.lastOwner == request.owner else {
                throw StorageError(.fenced, "somebody else has the store")
            }
            state.owner = request.owner
            state.lastOwner = request.owner
            state.connections += 1
        }
        return StrangeConnection(self, request.owner)
    }

    /// What there is now, beside the owner; `nil` unless it is one that gives views.
    func view(_ request: ConnectionRequest) -> (any EngineView)? {
        guard name == "viewed" else { return nil }
        return state.withLock { state in
            let copy = StrangeConnectedEngine(name, limits: abilities.limits)
            let (namespaces, manners) = (state.namespaces, state.manners)
            copy.state.withLock { copied in
                copied.namespaces = namespaces
                copied.manners = manners
                copied.owner = request.owner
            }
            return StrangeConnection(copy, request.owner)
        }
    }

    func giveUp(_ request: ConnectionRequest) { letGo(request.owner) }

    func letGo(_ owner: CommitID) {
        state.withLock { if $0.owner == owner { $0.owner = nil } }
    }
}

private final class StrangeConnection: EngineConnection {
    private let engine: StrangeConnectedEngine
    private let owner: CommitID
    private let socket: StrangeSocket

    init(_ engine: StrangeConnectedEngine, _ owner: CommitID) {
        self.engine = engine
        self.owner = owner
        socket = StrangeSocket(engine)
    }

    private func use<Success>(
        _ work: (inout StrangeConnectedEngine.State) throws -> Success
    ) throws -> Success {
        try engine.state.withLock { state in
            if let error = state.manners.failing { throw error }
            guard state.owner == owner else {
                throw StorageError(.fenced, "somebody else has the store")
            }
            return try work(&state)
        }
    }

    func value(of key: [UInt8], in space: KeySpace, of namespace: String) throws -> [UInt8]? {
        try use { state in
            state.namespaces[namespace]?[space]?[key].map { state.manners.reading(namespace, $0) }
        }
    }

    func scan(
        _ space: KeySpace, of namespace: String, prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let records = try use { state in
            let found = (state.namespaces[namespace]?[space] ?? .init())
                .filter { key, _ in key.starts(with: prefix) }
                .map { key, value in (key, state.manners.reading(namespace, value)) }
            return state.manners.scansBackwards ? found.reversed() : found
        }
        for (key, value) in records {
            try key.withUnsafeBytes { key in try value.withUnsafeBytes { try visit(key, $0) } }
        }
    }

    func write(_ batch: ByteBatch, to namespace: String, durably: Bool) throws {
        try use { state in
            state.largestBatch = max(state.largestBatch, batch.byteCount)
            state.namespaces[namespace, default: [:]].apply(batch.operations)
            if let error = state.manners.losingAnswers { throw error }
        }
    }

    var interrupt: @Sendable () -> Void {
        { [socket] in withExtendedLifetime(socket) {} }
    }
    func sync() throws { try use { _ in } }
    func destroy(_ namespace: String) throws {
        try use { state in
            state.destructions += 1
            if state.manners.destructions.contains(state.destructions) {
                throw StorageError(.unavailable, "no answer")
            }
            state.namespaces[namespace] = nil
        }
    }
    func close() { engine.letGo(owner) }
}

/// Open as long as anybody keeps it, as a descriptor is that another thread may have to end.
private final class StrangeSocket: Sendable {
    private let engine: StrangeConnectedEngine

    init(_ engine: StrangeConnectedEngine) {
        self.engine = engine
        engine.state.withLock { $0.sockets += 1 }
    }

    deinit { engine.state.withLock { $0.sockets -= 1 } }
}
