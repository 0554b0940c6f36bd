internal import BrowserSessions
internal import CSQLite

/// The connection to a database file, closed when it goes out of scope.
struct SQLiteDatabase: ~Copyable {
    private let raw: OpaquePointer
    private let log: UnsafeMutablePointer<LogState>

    /// What SQLite tells about its log after each commit that wrote something.
    struct LogState {
        var frames: Int32 = 0
        var commits = 0
    }

    /// How SQLite finds files: `nil` for its own way.
    private static let files: String? = {
        let name = "browser-sessions"
        // SQLite keeps the name, not a copy of it.
        guard let kept = strdup(name), csqlite_add_files(kept) == SQLITE_OK else { return nil }
        return name
    }()

    /// Opens a file that exists. `SQLITE_OPEN_NOMUTEX`: one caller at a time uses a store.
    init(opening path: String) throws(StorageError) {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        // Some builds read a leading "file:" as a URI.
        let plain = path.hasPrefix("/") ? path : "./" + path
        let code = PathText.withCString(plain) {
            sqlite3_open_v2($0, &handle, flags, Self.files)
        }
        guard code == SQLITE_OK, let handle else {
            let system = sqlite3_system_errno(handle)
            sqlite3_close_v2(handle)
            throw SQLiteErrors.error(code, "open", system: system)
        }
        raw = handle
        log = .allocate(capacity: 1)
        log.initialize(to: LogState())
        // Replaces SQLite's automatic checkpoint, which would run within a save. The pragma for
        // that would in turn replace this.
        sqlite3_wal_hook(
            raw,
            { context, _, _, frames in
                guard let log = context?.assumingMemoryBound(to: LogState.self) else {
                    return SQLITE_OK
                }
                log.pointee.frames = frames
                log.pointee.commits += 1
                return SQLITE_OK
            }, log)
    }

    deinit {
        sqlite3_close_v2(raw)
        log.deallocate()
    }

    var logState: LogState { log.pointee }

    /// Whether a transaction is under way.
    var isInTransaction: Bool { sqlite3_get_autocommit(raw) == 0 }

    borrowing func execute(_ sql: String, _ operation: String) throws(StorageError) {
        let code = sqlite3_exec(raw, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, operation) }
    }

    borrowing func prepare(_ sql: String) throws(StorageError) -> SQLiteStatement {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(
            raw, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else {
            // Our statements are right, so a table must be missing.
            if code & 0xFF == SQLITE_ERROR {
                throw SQLiteErrors.corrupted("the schema is not the one that was written")
            }
            throw error(code, "prepare")
        }
        return SQLiteStatement(statement, of: raw)
    }

    /// The first column of the rows of a statement.
    borrowing func texts(_ sql: String) throws(StorageError) -> [String] {
        let statement = try prepare(sql)
        var texts: [String] = []
        while try statement.step("read") { texts.append(statement.text(0)) }
        return texts
    }

    /// The first column of the only row of a statement; 0 for NULL.
    borrowing func integer(_ sql: String) throws(StorageError) -> Int64 {
        let statement = try prepare(sql)
        return try statement.step("read") ? statement.integer(0) : 0
    }

    /// Lets closing leave the log as it is, where it otherwise is copied into the database.
    borrowing func keepLog() { _ = csqlite_keep_log(raw) }

    /// Copies the log into the database. Returns the frames that stay in the log.
    borrowing func checkpoint(_ mode: Int32) throws(StorageError) -> Int32 {
        var (frames, copied): (Int32, Int32) = (0, 0)
        let code = sqlite3_wal_checkpoint_v2(raw, nil, mode, &frames, &copied)
        guard code == SQLITE_OK else { throw error(code, "checkpoint") }
        log.pointee.frames = max(frames, 0) - max(copied, 0)
        return log.pointee.frames
    }

    private borrowing func error(_ code: Int32, _ operation: String) -> StorageError {
        SQLiteErrors.error(code, operation, system: sqlite3_system_errno(raw))
    }
}

/// A prepared statement, finalized when it goes out of scope.
struct SQLiteStatement: ~Copyable {
    private let raw: OpaquePointer
    private let database: OpaquePointer

    fileprivate init(_ raw: OpaquePointer, of database: OpaquePointer) {
        self.raw = raw
        self.database = database
    }

    deinit { sqlite3_finalize(raw) }

    /// Binds bytes that must stay where they are until ``reset()``.
    borrowing func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32) throws(StorageError) {
        // A null pointer would bind NULL.
        let code =
            bytes.isEmpty
            ? sqlite3_bind_zeroblob(raw, index, 0)
            : sqlite3_bind_blob64(raw, index, bytes.baseAddress, UInt64(bytes.count), nil)
        guard code == SQLITE_OK else { throw SQLiteErrors.error(code, "bind") }
    }

    borrowing func bind(_ number: Int64, at index: Int32) throws(StorageError) {
        let code = sqlite3_bind_int64(raw, index, number)
        guard code == SQLITE_OK else { throw SQLiteErrors.error(code, "bind") }
    }

    /// Runs to the next row; `false` at the end.
    borrowing func step(_ operation: String) throws(StorageError) -> Bool {
        let code = sqlite3_step(raw)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw SQLiteErrors.error(code, operation, system: sqlite3_system_errno(database))
    }

    /// Runs a statement without rows.
    borrowing func run(_ operation: String) throws(StorageError) {
        defer { reset() }
        _ = try step(operation)
    }

    /// The bytes of a column, valid until the next step or reset.
    borrowing func blob(_ column: Int32) throws(StorageError) -> UnsafeRawBufferPointer {
        guard sqlite3_column_type(raw, column) == SQLITE_BLOB else {
            throw SQLiteErrors.corrupted("a column does not hold bytes")
        }
        let start = sqlite3_column_blob(raw, column)
        return UnsafeRawBufferPointer(
            start: start, count: Int(sqlite3_column_bytes(raw, column)))
    }

    borrowing func text(_ column: Int32) -> String {
        sqlite3_column_text(raw, column).map { String(cString: $0) } ?? ""
    }

    borrowing func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(raw, column) }

    /// Makes the statement ready for the next use.
    borrowing func reset() {
        sqlite3_reset(raw)
        sqlite3_clear_bindings(raw)
    }
}
