public import BrowserSessions
public import StorageEngines

extension StorageBackend {
    /// Sessions in the process of a ``RecordServer``: the location is `PATH-OF-THE-SOCKET#NAME`.
    public static func served(
        by engine: ServedEngine, in environment: StoreEnvironment = .system
    ) -> StorageBackend {
        StorageBackend(name: engine.name, summary: "sessions in another process") {
            configuration throws(StorageError) in
            try OrderedSessionStorage(opening: configuration, engine: engine, in: environment)
        }
    }
}

/// Keeps records in another process.
public struct ServedEngine: ConnectedEngine {
    public let name = "served"
    public let formatVersion = 1
    /// The server writes to a file and syncs nothing.
    public let abilities = EngineAbilities(
        durability: .processCrash,
        limits: EngineLimits(
            valueBytes: 1 << 29, batchBytes: 1 << 29, batchOperations: 1 << 24),
        findsDamage: true)

    public init() {}

    public func connect(_ request: ConnectionRequest) throws -> any EngineConnection {
        let parts = request.location.split(separator: "#", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw StorageError(
                .invalidConfiguration,
                "'\(request.location)' is not the path of a socket, '#' and the name of a store")
        }
        do {
            let timeout = request.environment.timeout
            let socket = try Socket(to: parts[0], timeout: timeout)
            return try ServedConnection(socket, parts[1], request)
        } catch let failure as Socket.Failure {
            throw StorageError(
                .unavailable, "the server at '\(parts[0])' does not answer (\(failure))",
                underlying: failure)
        }
    }
}

/// A store that is open at the server.
private final class ServedConnection: EngineConnection {
    private let socket: Socket

    init(_ socket: Socket, _ store: String, _ request: ConnectionRequest) throws {
        self.socket = socket
        var message = Message()
        message.put(store)
        message.put(request.holder)
        message.put(request.owner.bytes)
        message.put(request.attempt)
        _ = try ask(.connect, message)
        socket.waitWithoutLimit()
    }

    var interrupt: @Sendable () -> Void { socket.interrupt }

    func value(of key: [UInt8], in space: KeySpace, of namespace: String) throws -> [UInt8]? {
        var message = Message()
        message.put(space.rawValue)
        message.put(namespace)
        message.put(key)
        var answer = try ask(.value, message)
        return try answer.byte() == 1 ? try answer.field() : nil
    }

    func scan(
        _ space: KeySpace, of namespace: String, prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var last: [UInt8]?
        while true {
            var message = Message()
            message.put(space.rawValue)
            message.put(namespace)
            message.put(prefix)
            message.put(UInt8(last == nil ? 0 : 1))
            if let last { message.put(last) }
            var answer = try ask(.scan, message)
            while try answer.byte() == 1 {
                let (key, value) = (try answer.field(), try answer.field())
                try key.withUnsafeBytes { key in try value.withUnsafeBytes { try visit(key, $0) } }
                last = key
            }
            if try answer.byte() == 0 { return }
        }
    }

    func write(_ batch: ByteBatch, to namespace: String, durably: Bool) throws {
        var message = Message()
        message.put(namespace)
        for operation in batch.operations {
            switch operation {
            case .put(let space, let key, let value):
                message.put(UInt8(1))
                message.put(space.rawValue)
                message.put(key)
                message.put(value)
            case .remove(let space, let key):
                message.put(UInt8(0))
                message.put(space.rawValue)
                message.put(key)
            }
        }
        _ = try ask(.write, message)
    }

    /// The server has written all that it said it has.
    func sync() {}

    func destroy(_ namespace: String) throws {
        var message = Message()
        message.put(namespace)
        _ = try ask(.destroy, message)
    }

    func close() { _ = try? ask(.release, Message()) }

    /// What the server says to a request. Without an answer it is unknown whether it did what was asked.
    private func ask(_ request: Request, _ message: Message) throws -> MessageReader {
        let answer: [UInt8]
        do {
            try socket.send([request.rawValue] + message.bytes)
            answer = try socket.receive()
        } catch let failure as Socket.Failure {
            let changes = request == .write || request == .destroy
            throw StorageError(
                .unavailable, "the server does not answer (\(failure))",
                effect: changes ? .indeterminate : .notApplied, underlying: failure)
        }
        var reader = MessageReader(answer)
        switch Answer(rawValue: try reader.byte()) {
        case .done: return reader
        case .locked:
            let holder = try reader.text()
            throw StorageError(.locked, "the store is in use by \(holder); close it there")
        case .fenced:
            throw StorageError(.fenced, "another process has taken the store over")
        case .refused: throw StorageError(.failed, "the server refused: \(try reader.text())")
        case nil: throw StorageError(.failed, "the server answers what is no answer")
        }
    }
}

/// What a test asks of a server beside its records.
public struct ServerControl: Sendable {
    private let path: String

    public init(path: String) { self.path = path }

    /// Removes a store, even if it has an owner.
    public func forget(_ store: String) throws { try ask(.forget, store) }

    /// Lets others have a store although somebody has it, as when the lease of its owner has run out.
    public func takeOver(_ store: String) throws { try ask(.takeOver, store) }

    private func ask(_ request: Request, _ store: String) throws {
        let socket = try Socket(to: path, timeout: .seconds(20))
        var message = Message()
        message.put(request.rawValue)
        message.put(store)
        try socket.send(message.bytes)
        _ = try socket.receive()
    }
}
