public import BrowserSessions
import Synchronization

/// A `SessionStorage` over any ``StorageEngine``.
///
/// It holds all policy, which is the same for every engine: who may open a store, what a change set
/// may contain, how records are sealed and numbered, and what happens to damaged ones. The work
/// itself is synchronous and behind one lock. The `async` methods run it on a queue of their own.
///
/// The `…Blocking` methods run on the caller's thread, for programs without tasks and for hosts that
/// have a thread to spare. Each does what its counterpart in `SessionStorage` does, with the same results
/// and errors, and blocks until it is done. None checks whether a task was canceled, so that
/// ``checkBlocking(_:)`` always finishes. They may come from several threads at once, and concurrently with
/// the asynchronous ones, but never from Swift's cooperative pool.
public final class OrderedSessionStorage: SessionStorage {
    private let ownTraits: StorageTraits
    private let access: StorageAccess
    private let location: String
    private let currentTraits: CurrentTraits
    private let state: Mutex<State>
    /// Held while a key store is called, never while ``state`` is held.
    let keyCalls = Mutex<Void>(())
    private let line: StoreLine
    /// For calls that may have to wait for a key store.
    private let incognitoLine: StoreLine

    /// What this store promises. The incognito sealing is that of the existing partition, or else
    /// that of the one that the next incognito save makes.
    public var traits: StorageTraits { currentTraits.value }

    /// Opens the store, or makes a new one, and repairs damage.
    ///
    /// Throws `notFound`, `unsafeLocation`, `locked`, `incompatibleFormat`, `permissionDenied` or
    /// `outOfSpace`, and then has changed nothing. With `StorageAccess.readOnly` it opens a copy of
    /// the files, which is removed when the store is closed. It then never changes the store: it
    /// takes no restore point, and repairs only the copy.
    ///
    /// - Parameter configuration: says where the store is, and what may be done with it.
    /// - Parameter engine: what keeps its records.
    /// - Parameter incognito: seals the incognito partition; `nil` leaves it unencrypted. A
    ///   partition that has certainly lost its key is removed and counted in
    ///   `RecoveryReport.discardedIncognitoPartitions`. One that cannot be opened for another reason
    ///   (its key store is missing or does not answer, its header or its key file is damaged or gone) stays
    ///   as it is: the
    ///   store opens without it, its calls throw the reason, each after asking again, and
    ///   ``deleteIncognito()`` removes it. If its key or its headers are gone, the next incognito
    ///   save moves it to the quarantine. In a copy of a store that still exists, the partition is
    ///   sealed again with a key of its own.
    /// - Parameter fileSystem: the file system of the location; tests may supply their own.
    /// - Parameter environment: the clock and the randomness; tests may supply their own.
    public convenience init(
        opening configuration: StorageConfiguration,
        engine: any FileEngine,
        incognito: IncognitoProtection? = nil,
        on fileSystem: any LocalFileSystem = PosixFileSystem(),
        in environment: StoreEnvironment = .system
    ) throws(StorageError) {
        if configuration.access == .readWrite {
            try self.init(configuration, engine, incognito) { () throws(StorageError) in
                try StoreDirectory(configuration, engine: engine, on: fileSystem, in: environment)
            }
            return
        }
        let copy: ReadOnlyCopy
        do throws(StorageError) {
            copy = try ReadOnlyCopy(
                of: configuration, engine: engine, on: fileSystem, in: environment)
        } catch { throw error.during("open").about(configuration.location) }
        try self.init(configuration, engine, incognito?.forCopy(of: copy.source)) {
            () throws(StorageError) in
            try StoreDirectory(copy, engine: engine, on: fileSystem, in: environment)
        }
    }

    /// Opens the store of a connected engine, or makes a new one, and repairs damage. With
    /// `StorageAccess.readOnly` it opens a view beside the owner, or throws `unsupported` if the
    /// engine has no views. Also throws `unavailable` if the engine does not answer, and
    /// `invalidConfiguration` if the key store keeps keys in the store's directory.
    public convenience init(
        opening configuration: StorageConfiguration,
        engine: any ConnectedEngine,
        incognito: IncognitoProtection? = nil,
        in environment: StoreEnvironment = .system
    ) throws(StorageError) {
        if let keyStore = incognito?.keyStore, keyStore.keepsKeysInStore {
            throw StorageError(
                .invalidConfiguration,
                """
                key store '\(keyStore.name)' keeps the key in the store's directory, and backend \
                '\(engine.name)' has none; choose another
                """, operation: "open"
            ).about(configuration.location)
        }
        let keys = configuration.access == .readOnly ? incognito?.forCopy(of: nil) : incognito
        try self.init(configuration, engine, keys) { () throws(StorageError) in
            try StoreConnection(configuration, engine: engine, in: environment)
        }
    }

    /// - Parameter isReader: whether only the regular partition is opened.
    init(
        _ configuration: StorageConfiguration, _ engine: any StorageEngine,
        _ incognito: IncognitoProtection?, isReader: Bool = false,
        root: () throws(StorageError) -> any StoreRoot
    ) throws(StorageError) {
        access = configuration.access
        location = configuration.location
        let (abilities, greatest) = (engine.abilities, engine.abilities.durability)
        do throws(StorageError) {
            try configuration.requireDurability(atMost: greatest, of: engine.name)
        } catch { throw error.about(configuration.location) }
        let erasure: StorageTraits.Erasure = engine is any FileEngine ? .erased : .removed
        ownTraits = StorageTraits(
            backend: engine.name,
            durability: greatest == .memory ? [.memory] : [.processCrash, greatest],
            defaultDurability: min(configuration.defaultDurability, greatest),
            maximumStateBytes: min(configuration.maximumStateBytes, abilities.limits.stateBytes),
            incognitoErasure: incognito != nil ? .sealed : erasure, removalErasure: erasure,
            takesRestorePoints: true, opensReaders: abilities.opensReaders)
        line = StoreLine(on: engine.executor)
        incognitoLine = StoreLine(on: engine.executor)
        currentTraits = CurrentTraits(ownTraits)
        state = Mutex(State(currentTraits, PointSchedule(configuration)))
        try withState("open") { state in
            var found = try root()
            if try found.isBeingRemoved {
                // What an interrupted removal left would be in the way of a new store.
                try StoreRemoval(of: found, incognito).run()
                found = try root()
            }
            try state.open(found, incognito, isReader: isReader)
        }
        try findIncognitoKey("open")
        if access == .readWrite { try finishOpening() }
    }

    /// Removes the keys that an earlier owner left, and plans what an open store does by itself.
    private func finishOpening() throws(StorageError) {
        try? removeAbandonedKey("open")
        // What is left of a removed partition; if this fails, the next opening tries again.
        if try !withState("open", { try $0.open().root.holdsIncognito }) {
            do throws(StorageError) {
                try destroyLeftKey("open")
            } catch { try withState("open") { try $0.noteLeftKey(error) } }
        }
        planPointLimit()
    }

    func withState<Success: Sendable>(
        _ operation: String, _ work: (inout sending State) throws -> Success
    ) throws(StorageError) -> Success {
        try state.withLock { (state: inout sending State) throws(StorageError) -> Success in
            do {
                return try work(&state)
            } catch {
                var error = StorageError(ofEngine: error)
                if error.operation.isEmpty || operation == "open" { error.operation = operation }
                throw error.about(location)
            }
        }
    }

    /// Throws if the store may not be changed; a closed store reports that it is closed.
    func requireWritable(_ operation: String) throws(StorageError) {
        guard access == .readOnly else { return }
        try withState(operation) { state in
            _ = try state.open()
            throw StorageError.readOnly
        }
    }

    func hop<Success: Sendable>(
        _ operation: String, incognito: Bool = false, ifCancelled: Bool = false,
        _ work: @escaping @Sendable (OrderedSessionStorage) throws -> Success
    ) async throws(StorageError) -> Success {
        let line = incognito ? incognitoLine : line
        if !ifCancelled { try BlockingWork.requireTask(for: operation) }
        let result: Result<Success, StorageError> = await withCheckedContinuation { waiting in
            line.add {
                let result = Result { try work(self) }.mapError { StorageError(ofEngine: $0) }
                waiting.resume(returning: result)
            }
        }
        return try result.get()
    }
}

// MARK: - On the caller's thread

extension OrderedSessionStorage {
    public func sessionsBlocking(at version: SessionVersion = .current) throws(StorageError)
        -> [SessionID]
    {
        try withState("sessions") { try $0.reading { try $0.sessions(at: version) } }
    }

    public func earlierTabsBlocking() throws(StorageError) -> [EarlierTab] {
        try withState("earlier tabs") { state in
            try state.reading { try $0.ready().regular.earlierTabs() }
        }
    }

    public func summariesBlocking() throws(StorageError) -> [SessionSummary] {
        try withState("summaries") { state in try state.reading { try $0.summaries() } }
    }

    public func restorePointsBlocking() throws(StorageError) -> [RestorePoint] {
        try withState("restore points") { state in
            try state.reading { try $0.partition(.regular)?.restorePoints ?? [] }
        }
    }

    public func restoreBlocking(_ ids: [SessionID], at version: SessionVersion = .current)
        throws(StorageError) -> [RestoredSession]
    {
        if ids.contains(where: \.isIncognito) { try findIncognitoKey("restore") }
        return try withState("restore") { state in
            try state.reading { state in
                let opened = try state.ready()
                try opened.regular.require(version)
                var found: [RestoredSession] = []
                found.reserveCapacity(ids.count)
                for id in ids {
                    guard let session = try opened.partition(id.partition)?.restore(id, at: version)
                    else {
                        continue
                    }
                    found.append(session)
                }
                return found
            }
        }
    }

    public func statesBlocking(of keys: [TabStateKey], at version: SessionVersion = .current)
        throws(StorageError) -> [TabStateKey: [UInt8]]
    {
        if keys.contains(where: { $0.partition == .incognito }) { try findIncognitoKey("states") }
        return try withState("states") { state in
            try state.reading { state in
                // A closed store reports that it is closed even if no keys are passed.
                let opened = try state.ready()
                try opened.regular.require(version)
                var result: [TabStateKey: [UInt8]] = [:]
                for key in keys {
                    result[key] = try opened.partition(key.partition)?.state(key, at: version)
                }
                return result
            }
        }
    }

    public func stateKeysBlocking(in session: SessionID, at version: SessionVersion = .current)
        throws(StorageError) -> [TabStateKey]
    {
        if session.isIncognito { try findIncognitoKey("state keys") }
        return try withState("state keys") { state in
            try state.reading { state in
                try state.ready().regular.require(version)
                return try state.partition(session.partition)?
                    .stateKeys(in: session, at: version) ?? []
            }
        }
    }

    /// The set survives what `durability` says; by default, what the store is configured with.
    @discardableResult
    public func saveBlocking(_ changes: SessionChanges, durability: Durability? = nil)
        throws(StorageError) -> SaveReceipt
    {
        let durability = durability ?? traits.defaultDurability
        try requireWritable("save")
        if changes.isIncognito {
            try findIncognitoKey("save")
            try setUnreadableIncognitoAside("save")
        }
        let limit = ownTraits.maximumStateBytes
        // waits: for no other turn than the one after an incognito partition was made
        while true {
            let step = try withState("save") { state in
                _ = try state.open()
                try requireReachable(durability)
                return try state.confirming { try $0.save(changes, durability, limit) }
            }
            switch step {
            case .needsIncognito: try makeIncognito()
            case .saved(let receipt, let plans):
                if plans.maintenance { planMaintenance() }
                if let due = plans.point { planPoint(after: due) }
                return receipt
            }
        }
    }

    private func requireReachable(_ durability: Durability) throws {
        let greatest = ownTraits.greatestDurability
        guard durability > greatest else { return }
        throw StorageError(
            .unsupported,
            """
            saves of backend '\(ownTraits.backend)' reach .\(greatest.rawValue) at most, not \
            .\(durability.rawValue)
            """)
    }

    @discardableResult
    public func checkBlocking(_ mode: CheckMode = .reportOnly) throws(StorageError)
        -> RecoveryReport
    {
        try check(mode, unless: CallCancellation())
    }

    private func check(_ mode: CheckMode, unless interruption: CallCancellation)
        throws(StorageError) -> RecoveryReport
    {
        if mode == .repair {
            try requireWritable(mode.operation)
            try findIncognitoKey(mode.operation)
            try setUnreadableIncognitoAside(mode.operation)
        }
        return try withState(mode.operation) { state in
            try state.reading {
                mode == .repair ? try $0.repair() : try $0.check(unless: interruption)
            }
        }
    }

    public func closeBlocking() throws(StorageError) {
        try withState("close") { try $0.close() }
    }

    /// Schedules maintenance for a time without saves, so that no save has to wait for it.
    private func planMaintenance() {
        plan(after: .milliseconds(100)) { $0.maintain() }
    }

    /// Does some work in a while, if the store is still in use then.
    func plan(after time: Duration, _ work: @escaping @Sendable (OrderedSessionStorage) -> Void) {
        line.add(after: time) { [weak self] in
            if let self { work(self) }
        }
    }

    private func maintain() {
        let isDue = try? withState("maintain") { state in
            guard state.shouldMaintain() else { return false }
            state.isMaintenancePlanned = false
            // A failure leaves the work for the next time and does not affect what was saved.
            try state.maintain()
            return true
        }
        if isDue == false { planMaintenance() }
    }
}

// MARK: - From tasks, on the queue of the store

extension OrderedSessionStorage {
    public func sessions(at version: SessionVersion) async throws(StorageError) -> [SessionID] {
        try await hop("sessions") { try $0.sessionsBlocking(at: version) }
    }

    public func restorePointBytes() async throws(StorageError) -> RestorePointBytes {
        try await hop("restore point bytes") { try $0.restorePointBytesBlocking() }
    }

    public func earlierTabs() async throws(StorageError) -> [EarlierTab] {
        try await hop("earlier tabs") { try $0.earlierTabsBlocking() }
    }

    public func summaries() async throws(StorageError) -> [SessionSummary] {
        try await hop("summaries") { try $0.summariesBlocking() }
    }

    public func restorePoints() async throws(StorageError) -> [RestorePoint] {
        try await hop("restore points") { try $0.restorePointsBlocking() }
    }

    public func restore(_ ids: [SessionID], at version: SessionVersion)
        async throws(StorageError) -> [RestoredSession]
    {
        try await hop("restore", incognito: ids.contains(where: \.isIncognito)) {
            try $0.restoreBlocking(ids, at: version)
        }
    }

    public func states(of keys: [TabStateKey], at version: SessionVersion)
        async throws(StorageError) -> [TabStateKey: [UInt8]]
    {
        let incognito = keys.contains { $0.partition == .incognito }
        return try await hop("states", incognito: incognito) {
            try $0.statesBlocking(of: keys, at: version)
        }
    }

    public func stateKeys(in session: SessionID, at version: SessionVersion)
        async throws(StorageError) -> [TabStateKey]
    {
        try await hop("state keys", incognito: session.isIncognito) {
            try $0.stateKeysBlocking(in: session, at: version)
        }
    }

    @discardableResult
    public func save(_ changes: SessionChanges, durability: Durability)
        async throws(StorageError) -> SaveReceipt
    {
        try await hop("save", incognito: changes.isIncognito) {
            try $0.saveBlocking(changes, durability: durability)
        }
    }

    public func deleteIncognito() async throws(StorageError) {
        try await hop("delete incognito", incognito: true, ifCancelled: true) {
            try $0.deleteIncognitoBlocking()
        }
    }

    @discardableResult
    public func check(_ mode: CheckMode) async throws(StorageError) -> RecoveryReport {
        let interruption = CallCancellation()
        return try await interruption.whenCancelled { () async throws(StorageError) in
            try await hop(mode.operation, incognito: mode == .repair) {
                try $0.check(mode, unless: interruption)
            }
        }
    }

    @discardableResult
    public func erase(_ scope: ErasureScope) async throws(StorageError) -> ForgettingReceipt {
        try await hop(scope.operation, incognito: scope == .removedData) {
            try $0.eraseBlocking(scope)
        }
    }

    public func close() async throws(StorageError) {
        try await hop("close", ifCancelled: true) { try $0.closeBlocking() }
    }
}
