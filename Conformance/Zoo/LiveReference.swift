import BrowserSessions
import StorageEngines

/// The simplest sound engine with readers and backups: its only file is copied as far as it goes.
struct LiveReference: SalvagingFileEngine {
    private let base = ReferenceEngine()

    var name: String { base.name }
    var formatVersion: Int { base.formatVersion }
    var abilities: EngineAbilities {
        EngineAbilities(
            durability: .powerLoss, limits: .none, findsDamage: true, opensReaders: true)
    }

    func recognizes(_ names: [String]) -> Bool { base.recognizes(names) }
    func open(_ request: OpenRequest) throws -> any OrderedByteStore { try base.open(request) }

    func copyLive(_ directory: any FileDirectory, to copy: LiveStoreCopy) throws {
        for name in try directory.names() { try copy.copy(name, from: directory) }
    }

    func salvage(_ directory: any FileDirectory, _ visit: RecordVisitor) throws -> [String] {
        try base.salvage(directory, visit)
    }

    static func openReader(_ configuration: StorageConfiguration) throws(StorageError)
        -> StoreReader
    {
        try OrderedSessionStorage.openReader(configuration, engine: LiveReference())
    }

    static func backUp(
        _ configuration: StorageConfiguration, to path: String,
        on fileSystem: any LocalFileSystem = PosixFileSystem()
    ) throws(StorageError) -> StoreBackup {
        try OrderedSessionStorage.backUp(
            configuration, engine: LiveReference(), to: path, on: fileSystem)
    }
}

extension FaultyBackend {
    /// Makes a fault in readers or in backups of a sound store that has both.
    init(
        _ name: String, says message: String,
        reading:
            @escaping @Sendable (StorageConfiguration) throws -> StoreReader = {
                try LiveReference.openReader($0)
            },
        backingUp:
            @escaping @Sendable (StorageConfiguration, String) throws -> StoreBackup = {
                try LiveReference.backUp($0, to: $1)
            }
    ) {
        let backend = StorageBackend(
            name: "reference", summary: name,
            openReader: { configuration throws(StorageError) in
                try StorageError.typing { try reading(configuration) }
            },
            backUp: { configuration, path throws(StorageError) in
                try StorageError.typing { try backingUp(configuration, path) }
            }
        ) { configuration throws(StorageError) in
            try OrderedSessionStorage(opening: configuration, engine: LiveReference())
        }
        self.init(name, says: message, backend: backend)
    }
}

extension SuiteEntry {
    /// Adds a fault in opening a store for reading beside its owner.
    func catches(
        reader name: String, says message: String,
        _ reading: @escaping @Sendable (StorageConfiguration) throws -> StoreReader
    ) -> SuiteEntry { catches(FaultyBackend(name, says: message, reading: reading)) }

    /// Adds a fault in backing up a store that is open.
    func catches(
        backup name: String, says message: String,
        _ backingUp: @escaping @Sendable (StorageConfiguration, String) throws -> StoreBackup
    ) -> SuiteEntry { catches(FaultyBackend(name, says: message, backingUp: backingUp)) }
}

/// The machine's file systems, with directories that never sync.
struct UnsyncedFiles: LocalFileSystem {
    private let base = PosixFileSystem()

    var user: UInt32 { base.user }

    func directory(at path: String) throws(StorageError) -> any FileDirectory {
        try base.directory(at: path).asTemporary()
    }

    func status(of path: String) throws(StorageError) -> FileStatus? {
        try base.status(of: path)
    }

    func realPath(of path: String) throws(StorageError) -> String? { try base.realPath(of: path) }

    func makeDirectories(_ path: String) throws(StorageError) { try base.makeDirectories(path) }
    func removeDirectory(_ path: String) throws(StorageError) { try base.removeDirectory(path) }
    func requireAccess(to path: String) throws(StorageError) { try base.requireAccess(to: path) }
}

/// Copies a store beside it, without the last batch of its log, and returns the path of the copy.
func olderCopy(of configuration: StorageConfiguration) throws(StorageError) -> String {
    let copy = configuration.location + ".older"
    try FileSystem.remove(copy)
    try FileSystem.copy(configuration.location, to: copy)
    let log = ReferenceLog.file(in: "\(copy)/regular")
    if try FileSystem.exists(log) {
        let bytes = try FileSystem.read(log)
        try FileSystem.replace(log, with: Array(bytes.prefix(bytes.count * 3 / 4)))
    }
    try FileSystem.remove("\(copy)/lock")
    return copy
}

/// Returns a reader of a copy without the last batch.
func olderReader(_ configuration: StorageConfiguration) throws(StorageError) -> StoreReader {
    var older = configuration
    older.location = try olderCopy(of: configuration)
    defer { try? FileSystem.remove(older.location) }
    return try LiveReference.openReader(older)
}

/// Returns whether a store was closed.
func wasClosed(_ configuration: StorageConfiguration) throws(StorageError) -> Bool {
    try FileSystem.exists("\(configuration.location)/regular.closed")
}
