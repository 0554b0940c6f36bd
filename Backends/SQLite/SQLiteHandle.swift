internal import BrowserSessions
internal import CSQLite

/// The connection to a database file, closed when it goes out of scope.
struct SQLiteDatabase: ~Copyable {
    private let raw: OpaquePointer
    private let log: UnsafeMutablePointer<LogState>

    /// What SQLite reports about its log after each commit that wrote something.
    struct LogState {
        var frames: Int32 = 0
        var commits = 0
    }

    /// How SQLite finds files; `nil` for its own way.
    static let files: String? = {
        let name = "browser-sessions"
        // SQLite keeps the name, not a copy of it.
        guard let kept = strdup(name), csqlite_add_files(kept) == SQLITE_OK else { return nil }
        return name
    }()

    /// Opens a file that exists.
    init(opening path: String) throws(StorageError) {
        // Some builds read a leading "file:" as a URI.
        try self.init(path.hasPrefix("/") ? path : "./" + path, SQLITE_OPEN_READWRITE)
    }

    /// Opens a file that has no log, for reading, without making one.
    init(reading path: String) throws(StorageError) {
        var name = path.hasPrefix("/") ? "" : "./"
        for byte in PathText.bytes(path) {
            let character = Unicode.Scalar(byte)
            if character.properties.isAlphabetic && character.isASCII || byte == UInt8(ascii: "/") {
                name.unicodeScalars.append(character)
            } else {
                let hex = String(byte, radix: 16)
                name += hex.utf8.count == 1 ? "%0\(hex)" : "%\(hex)"
            }
        }
        try self.init("file:\(name)?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
    }

    /// `SQLITE_OPEN_NOMUTEX`: only one caller at a time uses a store.
    private init(_ name: String, _ mode: Int32) throws(StorageError) {
        var handle: OpaquePointer?
        let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = PathText.withCString(name) {
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
        // Replaces SQLite's automatic checkpoint, which would run during a save. The pragma for
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

    /// Whether a transaction is open.
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
                throw SQLiteErrors.otherSchema
            }
            throw error(code, "prepare")
        }
        return SQLiteStatement(statement, of: raw)
    }

    /// Returns the first column of the rows of a statement.
    borrowing func texts(_ sql: String) throws(StorageError) -> [String] {
        let statement = try prepare(sql)
        var texts: [String] = []
        while try statement.step("read") { texts.append(statement.text(0)) }
        return texts
    }

    /// Returns the columns of the only row of a statement; 0 for NULL.
    borrowing func numbers(_ sql: String) throws(StorageError) -> [StoredNumber] {
        let statement = try prepare(sql)
        guard try statement.step("read") else { return [] }
        var numbers: [StoredNumber] = []
        for column in 0..<statement.columnCount { numbers.append(try statement.number(column)) }
        return numbers
    }

    /// Disables everything that a file could exploit; call it before anything else.
    borrowing func harden(_ limits: [(Int32, Int32)]) throws(StorageError) {
        let code = csqlite_harden(raw)
        guard code == SQLITE_OK else { throw error(code, "secure the connection") }
        for (limit, value) in limits { sqlite3_limit(raw, limit, value) }
    }

    /// Refuses rows that are larger.
    borrowing func limitRows(to bytes: Int) {
        sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, Int32(clamping: bytes))
    }

    /// Ends statements that are prepared from now on after a number of SQLite's steps, `nil` for no
    /// limit: pages of a damaged tree can lead to each other, so that there is no last row.
    borrowing func limitSteps(to count: Int?) {
        sqlite3_progress_handler(
            raw, Int32(clamping: count ?? 0), count.map { _ in { _ in 1 } }, nil)
    }

    /// Sets whether closing keeps the log. Otherwise closing copies it into the database and
    /// removes it.
    borrowing func keepLog(_ keeps: Bool) { _ = csqlite_keep_log(raw, keeps ? 1 : 0) }

    /// Copies the log into the database. Returns the number of frames that stay in the log.
    borrowing func checkpoint(_ mode: Int32) throws(StorageError) -> Int32 {
        var (frames, copied): (Int32, Int32) = (0, 0)
        let code = sqlite3_wal_checkpoint_v2(raw, nil, mode, &frames, &copied)
        guard code == SQLITE_OK else { throw error(code, "checkpoint") }
        log.pointee.frames = max(frames, 0) - max(copied, 0)
        return log.pointee.frames
    }

    /// Makes the log durable, and copies nothing.
    borrowing func syncLog() throws(StorageError) {
        let code = csqlite_sync_log(raw)
        guard code == SQLITE_OK else { throw error(code, "sync the log") }
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

    /// Binds bytes that must not move until ``reset()``.
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

    /// Runs to the next row; returns `false` at the end.
    borrowing func step(_ operation: String) throws(StorageError) -> Bool {
        let code = sqlite3_step(raw)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw SQLiteErrors.error(code, operation, system: sqlite3_system_errno(database))
    }

    /// How many rows the last statement of the connection that changes rows has changed.
    var changedRows: Int { Int(sqlite3_changes(database)) }

    /// Runs a statement without rows.
    borrowing func run(_ operation: String) throws(StorageError) {
        defer { reset() }
        _ = try step(operation)
    }

    /// Returns the bytes of a column, valid until the next step or reset.
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

    var columnCount: Int32 { sqlite3_column_count(raw) }

    /// Returns one of our numbers; 0 for NULL.
    borrowing func number(_ column: Int32) throws(StorageError) -> StoredNumber {
        let type = sqlite3_column_type(raw, column)
        if type == SQLITE_NULL { return .zero }
        guard type == SQLITE_INTEGER, let number = StoredNumber(sqlite3_column_int64(raw, column))
        else { throw SQLiteErrors.corrupted("a column does not hold a number of ours") }
        return number
    }

    /// Prepares the statement for the next use.
    borrowing func reset() {
        sqlite3_reset(raw)
        sqlite3_clear_bindings(raw)
    }
}
