import BrowserSessions
internal import CSQLite
public import StorageEngines

/// Keeps a store in one SQLite database, `sessions.db`.
///
/// SQLite versions before 3.51.3 can corrupt a write-ahead log that two connections share. The
/// engine opens one connection for a file and locks the file for as long as the store is open, so
/// look inside only after closing the store.
public struct SQLiteEngine: SalvagingFileEngine {
    static let name = "sqlite"

    public var name: String { Self.name }
    public var formatVersion: Int { SQLiteFormat.version }
    public var abilities: EngineAbilities {
        EngineAbilities(durability: .powerLoss, limits: .none, findsDamage: true)
    }

    public init() {}

    public func recognizes(_ names: [String]) -> Bool {
        names.contains { $0.hasPrefix(SQLiteFormat.fileName) }
    }

    public func open(_ request: OpenRequest) throws -> any OrderedByteStore {
        let directory = request.directory
        try SQLiteOptions.checkLibrary()
        if try SQLiteInspection.isUnused(directory) { try create(in: directory) }
        let findings = try SQLiteInspection.inspect(directory)
        var inherited: SQLiteInheritedLog?
        if !request.wasClosed, findings.committedLogSize > SQLiteLog.headerSize {
            let log = SQLiteInheritedLog(directory: directory, size: findings.committedLogSize)
            do {
                try log.makeDurable()
            } catch {
                // A full disk can be read.
                guard error.code == .outOfSpace else { throw error }
                inherited = log
            }
        }
        let database = try connect(to: directory)
        if inherited != nil {
            database.keepLog()
        } else if findings.logSize > SQLiteLog.size(of: SQLiteOptions.checkpointFrames) {
            try empty(logOf: database)
        }
        return try SQLiteStore(
            database, in: directory, notes: findings.notes,
            inherited: inherited.map {
                ($0, { [self] in try SQLiteSession(connect(to: directory)) })
            })
    }

    private func connect(to directory: any FileDirectory) throws -> SQLiteDatabase {
        let database = try SQLiteDatabase(
            opening: "\(directory.pathForLibraries)/\(SQLiteFormat.fileName)")
        try SQLiteOptions.apply(to: database)
        try checkVersion(of: database)
        return database
    }

    /// Copies a large log that a kill left into the database, or every opening would read it again.
    private func empty(logOf database: borrowing SQLiteDatabase) throws {
        do {
            _ = try database.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
        } catch {
            // A full disk can still be read.
            if error.code != .outOfSpace { throw error }
        }
    }

    /// Makes the database under another name and gives it its own when it is whole and durable,
    /// so that a database without content is always damage.
    private func create(in directory: any FileDirectory) throws {
        let draft = SQLiteFormat.fileName + ".new"
        for suffix in ["", "-wal", "-journal"] { try directory.removeEntry(draft + suffix) }
        // SQLite would make a file that others can read; the log gets the mode of the file.
        let file = try directory.open(draft, .new)
        do {
            let database = try SQLiteDatabase(opening: "\(directory.pathForLibraries)/\(draft)")
            try database.execute(SQLiteFormat.schema, "create")
        }
        try file.syncData()
        try directory.rename(draft, to: SQLiteFormat.fileName)
        try directory.sync()
    }

    /// Once more, since a newer version may stand in the log only.
    private func checkVersion(of database: borrowing SQLiteDatabase) throws {
        let version = try database.texts("PRAGMA user_version").first ?? ""
        try SQLiteInspection.check(version: Int(version) ?? 0)
    }

    public func salvage(_ directory: any FileDirectory, _ visit: RecordVisitor) throws -> [String] {
        try SQLiteSalvage(directory).run(visit)
    }
}
