import BrowserSessions

/// The store connection: where a store with a connected engine is kept.
///
/// ```text
/// home                           one record, "home": see ``StoreRecord``
/// regular-1, incognito-1, …      the records of a partition; a repair takes the next number
/// quarantine-1, …                damaged records that were set aside, in one record
/// ```
/// The next call after a connection was lost makes a new one.
final class StoreConnection: StoreRoot {
    let canResolveUnknownWrites = true
    let isReadOnly: Bool
    /// `false`: a view is of one moment.
    var refusesDamage: Bool { false }
    let abilities: EngineAbilities
    let location: String
    let isNew: Bool
    /// Whether the store did not exist.
    let wasAbsent: Bool
    let environment: StoreEnvironment
    private let engine: any ConnectedEngine
    private var request: ConnectionRequest
    private var connection: (any EngineConnection)?
    private var isLetGo = false
    private let watch: CallWatch
    private(set) var record: StoreRecord
    /// The quarantine as the opening found it.
    let quarantineBefore: [StoreRecord.Quarantined]
    /// Set once another owner has the store.
    private var replacement: StorageError?
    private(set) var requests = 0
    /// What this opening removed because it had been kept long enough.
    var removedFromQuarantine: [String] = []

    static let namespace = "home"
    private static let key = [UInt8]("home".utf8)

    /// - Parameter toRemove: whether the store is to be removed; an absent one is then no error.
    init(
        _ configuration: StorageConfiguration, engine: any ConnectedEngine,
        in environment: StoreEnvironment, toRemove: Bool = false
    ) throws(StorageError) {
        self.engine = engine
        self.environment = environment
        isReadOnly = configuration.access == .readOnly
        watch = CallWatch(timeout: environment.timeout)
        abilities = engine.abilities
        location = configuration.location
        let request = ConnectionRequest(
            location: configuration.location, options: configuration.options,
            holder: StoreHolder.process, owner: environment.identifier(),
            environment: environment)
        self.request = request
        let connection: any EngineConnection
        do throws(StorageError) {
            connection =
                isReadOnly
                ? try Self.look(engine, request)
                : try Self.asking { try engine.connect(request) }
        } catch {
            if !isReadOnly { engine.giveUp(request) }
            throw error
        }
        watch.use(connection.interrupt)
        do throws(StorageError) {
            let found = try Self.read(connection, location, watch)
            record = found ?? StoreRecord()
            quarantineBefore = record.quarantine
            wasAbsent = found == nil
            isNew = record.identity.isEmpty
            let own = StoreIdentity(backend: engine.name, engineFormat: engine.formatVersion)
            // A store being removed counts as absent; an opening that may change it ends that.
            if isNew || (isReadOnly && record.isBeingRemoved) {
                guard configuration.mayCreate && !isReadOnly || toRemove else {
                    throw StoreDirectory.absent(location)
                }
            } else {
                guard let identity = StoreIdentity(json: [UInt8](record.identity.utf8)) else {
                    throw Self.unreadable(location)
                }
                try own.requireReadable(identity, at: location)
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

    /// Records what a failure means for the connection and the owner.
    private func failed(_ error: StorageError) -> StorageError {
        // Not closed: that would let others have the store.
        if error.code == .unavailable || error.effect == .indeterminate { connection = nil }
        if connection == nil { watch.forget() }
        if error.code == .fenced { replacement = error }
        return error
    }

    /// Reports that the current call makes progress.
    func noteProgress() { watch.noteProgress() }

    /// Opens a view. Changes stay in this process: see ``ViewConnection``.
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

    /// Connects again as the same owner, and rereads what a lost answer leaves open.
    private func connect() throws(StorageError) -> any EngineConnection {
        if isReadOnly {
            throw StorageError(
                .unavailable, "the connection over which the store was read is gone; open it again")
        }
        request.attempt += 1
        let new = try Self.asking { try engine.connect(request) }
        watch.use(new.interrupt)
        if let found = try Self.read(new, location, watch) {
            record = found
        } else if record != StoreRecord() {
            throw Self.unreadable(location)
        }
        connection = new
        return new
    }

    private static func read(
        _ connection: any EngineConnection, _ location: String, _ watch: CallWatch
    ) throws(StorageError) -> StoreRecord? {
        let value = try asking {
            try watch.watch { try connection.value(of: key, in: .metadata, of: namespace) }
        }
        guard let value else { return nil }
        let record = Result {
            try RecordFrame.read(value, key: key) { try StoreRecord(checked: $0.payload) }
        }
        switch record {
        case .success(let record): return record
        case .failure(RecordFrame.Problem.otherVersion):
            throw StorageError(
                .incompatibleFormat,
                "the store at '\(location)' has another format than the one that this version reads"
            )
        case .failure: throw unreadable(location)
        }
    }

    private static func unreadable(_ location: String) -> StorageError {
        StorageError(
            .corrupted,
            """
            the record 'home' of the store at '\(location)', which says where its partitions are, cannot be \
            read; nothing was changed
            """)
    }

    /// Changes the record, durably. If the answer is lost, the next connection shows what happened.
    func edit(_ edit: (inout StoreRecord) throws(StorageError) -> Void) throws(StorageError) {
        // Includes what an earlier edit without an answer left.
        if connection == nil { try use { _ in } }
        var changed = record
        try edit(&changed)
        var batch = ByteBatch()
        let sealed = RecordFrame.seal(.root, .zero, changed, key: Self.key)
        batch.put(sealed.bytes, for: Self.key, in: .metadata)
        do throws(StorageError) {
            try use { try $0.write(batch, to: Self.namespace, durably: true) }
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
        let namespaces = namespaces + [Self.namespace]
        try use { try $0.remove(namespaces) }
        (connection, isLetGo) = (nil, true)
    }

    func requirePresence(of partition: StoragePartition) {}

    func requireOwnership() throws(StorageError) { if let replacement { throw replacement } }

    func confirmOwnership() throws(StorageError) {
        try requireOwnership()
        _ = try use { try $0.value(of: Self.key, in: .metadata, of: Self.namespace) }
    }

    var notes: [String] { removedFromQuarantine }
}
