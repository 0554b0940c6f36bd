import BrowserSessions

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The home of a store whose engine has a place of its own.
///
/// ```text
/// home                           one record, "home": see ``HomeRecord``
/// regular-1, incognito-1, …      the records of a side; a side that is repaired gets the next number
/// quarantine-1, …                damaged records that were set aside, in one record
/// ```
/// A connection that was lost is made again by the next call that needs one.
final class ConnectedHome: StoreHome {
    let tellsOutcomes = true
    let isReadOnly: Bool
    let abilities: EngineAbilities
    let place: String
    let isNew: Bool
    /// Whether nothing was there.
    let wasAbsent: Bool
    let environment: StoreEnvironment
    private let engine: any ConnectedEngine
    private var request: ConnectionRequest
    private var connection: (any EngineConnection)?
    private var isLetGo = false
    private let watch: CallWatch
    private(set) var record: HomeRecord
    /// Set once somebody else has the store.
    private var replacement: StorageError?
    private(set) var requests = 0
    /// What went at this opening because it was kept for long enough.
    var removedFromQuarantine: [String] = []

    static let partition = "home"
    private static let key = [UInt8]("home".utf8)

    /// - Parameter toRemove: whether the store is to be removed; none is no error then.
    init(
        _ configuration: StorageConfiguration, engine: any ConnectedEngine,
        in environment: StoreEnvironment, toRemove: Bool = false
    ) throws(StorageError) {
        self.engine = engine
        self.environment = environment
        isReadOnly = configuration.access == .readOnly
        watch = CallWatch(patience: environment.patience)
        abilities = engine.abilities
        place = configuration.location
        request = ConnectionRequest(
            location: configuration.location, options: configuration.options,
            holder: "process \(getpid())", owner: environment.identifier(),
            environment: environment)
        let connection: any EngineConnection
        do throws(StorageError) {
            connection =
                isReadOnly
                ? try Self.look(engine, request) : try Self.connect(engine, request)
        } catch {
            if !isReadOnly { engine.giveUp(request) }
            throw error
        }
        watch.use(connection.interrupt)
        do throws(StorageError) {
            let found = try Self.read(connection, place, watch)
            record = found ?? HomeRecord()
            wasAbsent = found == nil
            isNew = record.identity.isEmpty
            let own = StoreIdentity(backend: engine.name, engineFormat: engine.formatVersion)
            // One that is being removed counts as gone; an opening that may change it ends that.
            if isNew || (isReadOnly && record.isBeingRemoved) {
                guard configuration.mayCreate && !isReadOnly || toRemove else {
                    throw LocalHome.absent(place)
                }
            } else {
                guard let identity = StoreIdentity(json: [UInt8](record.identity.utf8)) else {
                    throw Self.unreadable(place)
                }
                try own.requireReadable(identity, at: place)
            }
        } catch {
            watch.watch { connection.close() }
            watch.forget()
            throw error
        }
        self.connection = connection
    }

    deinit {
        if let connection {
            watch.watch { connection.close() }
        } else if !isLetGo, !isReadOnly {
            engine.giveUp(request)
        }
        watch.forget()
    }

    // MARK: The connection

    /// Calls the engine, over a new connection if the last one was lost.
    func use<Success>(_ work: (any EngineConnection) throws -> Success) throws(StorageError)
        -> Success
    {
        requests += 1
        do {
            let connection = if let connection { connection } else { try connect() }
            return try watch.watch { try work(connection) }
        } catch {
            throw failed(StorageError(ofEngine: error))
        }
    }

    /// What a failure says of the connection and the owner.
    private func failed(_ error: StorageError) -> StorageError {
        // Not closed: that would let others have the store.
        if error.code == .unavailable || error.effect == .indeterminate { connection = nil }
        if connection == nil { watch.forget() }
        if error.code == .fenced { replacement = error }
        return error
    }

    /// The call that is being made goes on.
    func noteProgress() { watch.noteProgress() }

    private static func connect(_ engine: any ConnectedEngine, _ request: ConnectionRequest)
        throws(StorageError) -> any EngineConnection
    {
        try asking { try engine.connect(request) }
    }

    /// What is changed stays here: see ``ViewConnection``.
    private static func look(_ engine: any ConnectedEngine, _ request: ConnectionRequest)
        throws(StorageError) -> any EngineConnection
    {
        let found = try asking { try engine.view(request) }
        guard let view = found else {
            throw StorageError(
                .unsupported,
                "backend '\(engine.name)' gives its stores to owners only and opens none for reading"
            )
        }
        return ViewConnection(view)
    }

    private static func asking<Success>(_ work: () throws -> Success) throws(StorageError)
        -> Success
    {
        do {
            return try work()
        } catch {
            throw StorageError(ofEngine: error)
        }
    }

    /// Connects as the owner that this was, and reads again what a lost answer leaves open.
    private func connect() throws(StorageError) -> any EngineConnection {
        if isReadOnly {
            throw StorageError(
                .unavailable, "the connection over which the store was read is gone; open it again")
        }
        request.attempt += 1
        let new = try Self.connect(engine, request)
        watch.use(new.interrupt)
        if let found = try Self.read(new, place, watch) {
            record = found
        } else if record != HomeRecord() {
            throw Self.unreadable(place)
        }
        connection = new
        return new
    }

    private static func read(
        _ connection: any EngineConnection, _ place: String, _ watch: CallWatch
    ) throws(StorageError) -> HomeRecord? {
        let value = try asking {
            try watch.watch { try connection.value(of: key, in: .metadata, of: partition) }
        }
        guard let value else { return nil }
        let record = key.withUnsafeBytes { key in
            value.withUnsafeBytes { value in
                Result { try HomeRecord(payload: RecordFrame(value, key: key).payload) }
            }
        }
        switch record {
        case .success(let record): return record
        case .failure(RecordFrame.Problem.newerVersion):
            throw StorageError(
                .incompatibleFormat,
                "the store at '\(place)' has a newer format than this version reads; update it")
        case .failure: throw unreadable(place)
        }
    }

    private static func unreadable(_ place: String) -> StorageError {
        StorageError(
            .corrupted,
            """
            the record 'home' of the store at '\(place)', which tells where its sides are, cannot be \
            read; nothing was changed
            """)
    }

    /// Changes the record, durably. If the answer is lost, the next connection tells.
    func edit(_ edit: (inout HomeRecord) throws(StorageError) -> Void) throws(StorageError) {
        // What an earlier edit without an answer has left is part of it.
        if connection == nil { try use { _ in } }
        var changed = record
        try edit(&changed)
        var batch = ByteBatch()
        let sealed = RecordFrame.seal(.home, .zero, changed, key: Self.key)
        batch.put(sealed.bytes, for: Self.key, in: .metadata)
        do throws(StorageError) {
            try use { try $0.write(batch, to: Self.partition, durably: true) }
            record = changed
        } catch {
            guard error.effect == .indeterminate else { throw error }
            try? use { _ in }
            if record != changed { throw error }
        }
    }

    func writeIdentity() throws(StorageError) {
        let own = StoreIdentity(backend: engine.name, engineFormat: engine.formatVersion).json
        let text = String(decoding: own, as: UTF8.self)
        if record.identity != text { try edit { $0.identity = text } }
    }

    // MARK: Removal

    var isBeingRemoved: Bool { record.isBeingRemoved }
    func beginRemoval() throws(StorageError) { try edit { $0.isBeingRemoved = true } }
    func cancelRemoval() throws(StorageError) { try edit { $0.isBeingRemoved = false } }

    func remove() throws(StorageError) {
        let partitions = partitions + [Self.partition]
        try use { try $0.remove(partitions) }
        (connection, isLetGo) = (nil, true)
    }

    func requirePresence() {}

    func requireOwnership() throws(StorageError) { if let replacement { throw replacement } }

    func confirmOwnership() throws(StorageError) {
        try requireOwnership()
        _ = try use { try $0.value(of: Self.key, in: .metadata, of: Self.partition) }
    }

    var notes: [String] { removedFromQuarantine }
}
