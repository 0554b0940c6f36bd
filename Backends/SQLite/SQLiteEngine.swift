import BrowserSessions
internal import CSQLite
public import StorageEngines

/// Keeps a store in one SQLite database, `sessions.db`.
///
/// SQLite versions before 3.51.3 can corrupt a write-ahead log that two connections share. The
/// engine opens one connection for a file and locks the file while the store is open, so close the
/// store before you look inside.
public struct SQLiteEngine: SalvagingFileEngine {
    static let name = "sqlite"

    public var name: String { Self.name }
    public var formatVersion: Int { SQLiteFormat.version }
    public var abilities: EngineAbilities {
        EngineAbilities(
            durability: .powerLoss, limits: .none, findsDamage: true, opensReaders: true)
    }

    /// See ``SQLiteReaders``; tests may lower it.
    var mostFramesBesideReaders = SQLiteReaders.mostFrames

    /// Creates an engine, which has no settings. It opens nothing before a store asks for it.
    public init() {}

    public func recognizes(_ names: [String]) -> Bool {
        names.contains { $0.hasPrefix(SQLiteFormat.fileName) }
    }

    public func open(_ request: OpenRequest) throws -> any OrderedByteStore {
        let directory = request.directory
        try SQLiteOptions.checkLibrary()
        if try SQLiteInspection.isUnused(directory) { try create(in: directory) }
        let findings = try SQLiteInspection.inspect(directory)
        // What a log still holds may be copied into the database at any time.
        if findings.committedLogSize > SQLiteLog.headerSize { try request.willChange() }
        let inherited = request.wasClosed ? nil : try inheritedLog(of: findings, in: directory)
        var isForReading = false
        let database: SQLiteDatabase
        do throws(StorageError) {
            database = try connect(to: directory)
        } catch {
            // Where there is no space even for the name of a log, only the database exists.
            guard error.code == .outOfSpace, !findings.hasLog else { throw error }
            database = try connect(to: directory, isForReading: true)
            isForReading = true
        }
        if inherited == nil, !isForReading,
            findings.logSize > SQLiteLog.size(of: Int(SQLiteOptions.checkpointFrames))
        {
            try empty(logOf: database, in: directory)
        }
        let session = try SQLiteSession(database, storedBytes: findings.storedBytes)
        let delay = SQLiteDelay(log: inherited) { [self] isForReading throws(StorageError) in
            try SQLiteSession(
                connect(to: directory, isForReading: isForReading),
                storedBytes: findings.storedBytes)
        }
        return SQLiteStore(
            session, in: readers(in: directory), notes: findings.notes,
            delay: inherited != nil || isForReading ? delay : nil)
    }

    /// Returns what is left of a log after a kill, if it could not be made durable.
    private func inheritedLog(
        of findings: SQLiteInspection.Findings, in directory: any FileDirectory
    ) throws(StorageError) -> SQLiteInheritedLog? {
        // SQLite would write over frames of writes that had not ended, and what stays of these behind its own
        // would look like a later commit.
        guard findings.committedLogSize > SQLiteLog.headerSize || findings.hasUnfinishedWrites
        else { return nil }
        let log = SQLiteInheritedLog(directory: directory, size: findings.committedLogSize)
        do throws(StorageError) {
            try log.makeDurable()
            return nil
        } catch {
            // A full disk can be read.
            guard error.code == .outOfSpace else { throw error }
            return log
        }
    }

    private func readers(in directory: any FileDirectory) -> SQLiteReaders {
        SQLiteReaders(directory: directory, mostFrames: mostFramesBesideReaders)
    }

    func connect(
        to directory: any FileDirectory, isForReading: Bool = false
    ) throws(StorageError) -> SQLiteDatabase {
        let path = "\(directory.pathForLibraries)/\(SQLiteFormat.fileName)"
        // SQLite would make it, and not report why it cannot.
        if !isForReading, try !directory.has(SQLiteFormat.logName) {
            _ = try directory.open(SQLiteFormat.logName, mode: .new)
        }
        let database =
            isForReading ? try SQLiteDatabase(reading: path) : try SQLiteDatabase(opening: path)
        try SQLiteOptions.apply(
            to: database, isForReading: isForReading, isTemporary: directory.isTemporary)
        try checkVersion(of: database)
        return database
    }

    /// Copies a large log that a kill left into the database; otherwise every opening would read it
    /// again.
    private func empty(
        logOf database: borrowing SQLiteDatabase, in directory: any FileDirectory
    ) throws {
        do {
            let frames = database.logState.frames
            _ = try readers(in: directory).copyingLog(of: frames) {
                _ = try database.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
            }
        } catch let error as StorageError {
            // A full disk can still be read.
            if error.code != .outOfSpace { throw error }
        }
    }

    /// Makes the database under another name and renames it when it is whole and durable, so that a
    /// database without content is always damage.
    private func create(in directory: any FileDirectory) throws {
        let draft = SQLiteFormat.fileName + ".new"
        for suffix in ["", "-wal", "-journal"] { try directory.removeEntry(draft + suffix) }
        // SQLite would make a file that others can read; the log gets the mode of the file.
        let file = try directory.open(draft, mode: .new)
        do {
            let database = try SQLiteDatabase(opening: "\(directory.pathForLibraries)/\(draft)")
            try database.execute(SQLiteFormat.creation, "create")
        }
        try file.syncData()
        try directory.rename(draft, to: SQLiteFormat.fileName)
        try directory.sync()
    }

    /// Checks the version once more, as SQLite sees it: a newer version may be in the log only.
    private func checkVersion(of database: borrowing SQLiteDatabase) throws(StorageError) {
        let version = try database.texts("PRAGMA user_version").first ?? ""
        try SQLiteInspection.check(version: Int(version) ?? 0)
        let statements = try database.texts(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid LIMIT 9")
        if statements != SQLiteSchema.statements { throw SQLiteErrors.otherSchema }
    }

    public func copyLive(_ directory: any FileDirectory, to copy: LiveStoreCopy) throws {
        try SQLiteLiveCopy(directory).run(to: copy.directory)
    }

    public func salvage(_ directory: any FileDirectory, _ visit: RecordVisitor) throws -> [String] {
        try SQLiteSalvage(directory).run(visit)
    }
}
