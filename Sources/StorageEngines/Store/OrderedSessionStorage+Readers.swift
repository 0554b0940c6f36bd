public import BrowserSessions

// Readers beside the owner of a store.

extension OrderedSessionStorage {
    /// How many copies of files that change are made before a reader is refused.
    private static let mostCopies = 16

    /// Opens the store at a location for reading beside the process that has it open; see
    /// `StorageBackend.openReader(_:)`.
    ///
    /// The reader has a private copy of the regular partition among the system's temporary files, which
    /// goes when it is closed.
    ///
    /// - Parameter configuration: says where the store is.
    /// - Parameter engine: the engine that made it.
    /// - Parameter fileSystem: the file system of the location; tests may supply their own.
    /// - Parameter environment: the clock and the randomness; tests may supply their own.
    public static func openReader(
        _ configuration: StorageConfiguration,
        engine: any FileEngine,
        on fileSystem: any LocalFileSystem = PosixFileSystem(),
        in environment: StoreEnvironment = .system
    ) throws(StorageError) -> StoreReader {
        try reader(configuration, engine, environment) { configuration throws(StorageError) in
            try openCopy(configuration, engine, fileSystem, environment)
        }
    }

    /// Opens a copy of live files, another one if they changed in a way that spoiled it.
    ///
    /// - Parameter target: where the copy is made to stay; `nil` for one that goes with its reader.
    static func openCopy(
        _ configuration: StorageConfiguration, _ engine: any FileEngine,
        _ fileSystem: any LocalFileSystem, _ environment: StoreEnvironment,
        in target: BackupTarget? = nil
    ) throws(StorageError) -> OrderedSessionStorage {
        var last = StorageError(.unavailable, "no copy of it was made")
        for _ in 0..<mostCopies {
            do throws(StorageError) {
                let copy = try ReadOnlyCopy(
                    ofLive: configuration, engine: engine, on: fileSystem, in: environment,
                    to: target?.draft)
                return try OrderedSessionStorage(configuration, engine, nil, isReader: true) {
                    () throws(StorageError) in
                    try StoreDirectory(copy, engine: engine, on: fileSystem, in: environment)
                }
            } catch {
                guard [.unavailable, .corrupted].contains(error.code) else { throw error }
                last = error
                try target?.clear()
            }
        }
        throw unsteady(last)
    }

    /// Opens a view of the store of a connected engine beside its owner; see
    /// `StorageBackend.openReader(_:)`.
    public static func openReader(
        _ configuration: StorageConfiguration,
        engine: any ConnectedEngine,
        in environment: StoreEnvironment = .system
    ) throws(StorageError) -> StoreReader {
        try reader(configuration, engine, environment) { configuration throws(StorageError) in
            try OrderedSessionStorage(configuration, engine, nil, isReader: true) {
                () throws(StorageError) in
                try StoreConnection(configuration, engine: engine, in: environment)
            }
        }
    }

    static func requireReaders(of engine: any StorageEngine) throws(StorageError) {
        guard engine.abilities.opensReaders else {
            throw StorageError.withoutReaders(engine.name)
        }
    }

    static func reader(
        _ configuration: StorageConfiguration, _ engine: any StorageEngine,
        _ environment: StoreEnvironment,
        _ open: (StorageConfiguration) throws(StorageError) -> OrderedSessionStorage
    ) throws(StorageError) -> StoreReader {
        do throws(StorageError) {
            try requireReaders(of: engine)
            var configuration = configuration
            configuration.options["access"] = .text(StorageAccess.readOnly.rawValue)
            configuration.options["create"] = .bool(false)
            let began = environment.now()
            let store = try open(configuration)
            let sequence = try store.withState("open reader") {
                try $0.open().regular.index.sequence.value
            }
            return StoreReader(store, sequence: sequence, asOf: began)
        } catch { throw error.during("open reader").about(configuration.location) }
    }

    private static func unsteady(_ last: StorageError) -> StorageError {
        StorageError(
            .unavailable,
            """
            no sound copy of the store could be made beside the process that has it open: \
            \(last.message). Try again; if it stays so, close the store there, open it and call 'check'
            """, underlying: last)
    }
}

extension StorageError {
    /// The error of an engine without readers.
    static func withoutReaders(_ engine: String) -> StorageError {
        StorageError(
            .unsupported,
            """
            backend '\(engine)' cannot read a store beside the process that has it open; close it there and \
            open it with access=readOnly, or export it from there
            """)
    }
}
