internal import BrowserSessions
internal import CSQLite

/// The settings of every connection.
enum SQLiteOptions {
    /// 3.37 is the oldest tested version. Versions before 3.51.3 can corrupt a log that **two**
    /// connections share, so each file has exactly one, with an exclusive lock.
    private static let oldestVersion: Int32 = 3_037_000

    /// The log size in frames at which the store asks for maintenance; SQLite's own default.
    static let checkpointFrames: Int32 = 1000
    /// The log size in frames at which a save does the checkpoint itself, to limit the log to 16
    /// MB.
    static let largestLogFrames: Int32 = 4096

    private struct Pragma {
        var name: String
        var value: String
        /// The value that reading it back returns.
        var answer: String
        /// Whether it matters for changes only.
        var isForWriting = false
        /// Whether it has no place in a copy that need not survive a power cut.
        var isForDisk = false
    }

    /// Upper limits for statements. Ours need less, and no others are run; those of the schema are
    /// only parsed.
    private static let limits: [(Int32, Int32)] = [
        (SQLITE_LIMIT_SQL_LENGTH, 16 << 10), (SQLITE_LIMIT_COLUMN, 32),
        (SQLITE_LIMIT_EXPR_DEPTH, 100), (SQLITE_LIMIT_COMPOUND_SELECT, 2),
        (SQLITE_LIMIT_VDBE_OP, 10_000), (SQLITE_LIMIT_FUNCTION_ARG, 8), (SQLITE_LIMIT_ATTACHED, 0),
        (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100), (SQLITE_LIMIT_VARIABLE_NUMBER, 8),
        (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]

    /// In the order in which they are set.
    private static let pragmas = [
        // Before WAL: the log's index is then in private memory, and no second process can open the
        // file.
        Pragma(name: "locking_mode", value: "EXCLUSIVE", answer: "exclusive", isForWriting: true),
        // The only mode that loses no saves at power cuts and needs one sync for a save.
        Pragma(name: "journal_mode", value: "WAL", answer: "wal", isForWriting: true),
        Pragma(name: "synchronous", value: "FULL", answer: "2", isForDisk: true),
        // Overwrites removed records with zeros, on every build of SQLite.
        Pragma(name: "secure_delete", value: "ON", answer: "1"),
        // Finds damage before following it.
        Pragma(name: "cell_size_check", value: "ON", answer: "1"),
        Pragma(name: "trusted_schema", value: "OFF", answer: "0"),
        // A map makes cold opening slower, and a read error would be a signal.
        Pragma(name: "mmap_size", value: "0", answer: "0"),
        // In KiB: the metadata of 10,000 tabs, which SQLite would otherwise reread for each
        // restore.
        Pragma(name: "cache_size", value: "-8192", answer: "-8192"),
        // Keeps content out of temporary files.
        Pragma(name: "temp_store", value: "MEMORY", answer: "2"),
        // On Apple platforms an ordinary sync does not reach the medium.
        Pragma(name: "fullfsync", value: "ON", answer: "1"),
        Pragma(name: "checkpoint_fullfsync", value: "ON", answer: "1"),
    ]

    static func checkLibrary() throws(StorageError) {
        guard sqlite3_libversion_number() >= oldestVersion else {
            let found = String(cString: sqlite3_libversion())
            throw StorageError(
                .unsupported, "SQLite \(found) is too old; install 3.37 or newer",
                operation: "open")
        }
    }

    /// Sets every pragma and reads it back, because SQLite ignores what it cannot do.
    static func apply(
        to database: borrowing SQLiteDatabase, isForReading: Bool = false,
        isTemporary: Bool = false
    ) throws(StorageError) {
        try database.harden(limits)
        // A damaged database stays as it is; a store that is closed cleanly changes this setting.
        database.keepLog(true)
        for pragma in pragmas where !(isForReading && pragma.isForWriting) {
            if isTemporary, pragma.isForDisk {
                try database.execute("PRAGMA \(pragma.name) = OFF", "set \(pragma.name)")
                continue
            }
            // Setting some pragmas returns a row that is not the current value.
            _ = try database.texts("PRAGMA \(pragma.name) = \(pragma.value)")
            let answer = try database.texts("PRAGMA \(pragma.name)").first ?? pragma.answer
            guard answer == pragma.answer else {
                throw StorageError(
                    .unsupported, "SQLite refuses \(pragma.name)=\(pragma.value) here: \(answer)",
                    operation: "open")
            }
        }
    }
}
