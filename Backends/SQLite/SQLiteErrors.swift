internal import BrowserSessions
internal import CSQLite
internal import StorageEngines

/// Converts SQLite's result codes to storage errors. The messages contain no text that SQLite made
/// from the database, because a damaged schema can quote what was saved.
enum SQLiteErrors {
    /// Returns the error for an extended result code; `system` is the `errno` behind it, or 0.
    static func error(_ code: Int32, _ operation: String, system: Int32 = 0) -> StorageError {
        if code & 0xFF == SQLITE_INTERRUPT { return endless }
        let reason = String(cString: sqlite3_errstr(code))
        let isFromSystem = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF) && system != 0
        let cause = isFromSystem ? StorageError.system(operation, path: file, number: system) : nil
        return StorageError(
            kind(of: code, cause: cause?.code), "SQLite cannot \(operation): \(reason) (\(code))",
            operation: operation, underlying: cause)
    }

    static func corrupted(_ message: String) -> StorageError {
        StorageError(.corrupted, "\(file): \(message)", operation: "open")
    }

    static func incompatible(_ message: String) -> StorageError {
        StorageError(.incompatibleFormat, "\(file): \(message)", operation: "open")
    }

    static let otherSchema = corrupted("the schema is not the one that was written")

    /// Pages of a tree lead to each other.
    static let endless = corrupted("the tables have more rows than the file has bytes")

    static let durabilityLost = StorageError(
        .durabilityLost, "an earlier save may not be durable; open the store again")

    static let closed = StorageError(.closed, "the store is closed")

    private static let file = SQLiteFormat.fileName

    private static func kind(of code: Int32, cause: StorageError.Code?) -> StorageError.Code {
        switch code {
        case ioError(2), ioError(32), ioError(33): return .corrupted  // SHORT_READ, DATA, CORRUPTFS
        default: break
        }
        switch code & 0xFF {
        // Our statements never break a constraint of an undamaged database.
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_CONSTRAINT, SQLITE_MISMATCH:
            return .corrupted
        case SQLITE_FULL: return .outOfSpace
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: return .locked
        case SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH: return .permissionDenied
        case SQLITE_TOOBIG: return .tooLarge
        case SQLITE_CANTOPEN, SQLITE_IOERR:
            guard let cause, cause == .outOfSpace || cause == .permissionDenied else {
                return .failed
            }
            return cause
        default: return .failed
        }
    }

    private static func ioError(_ detail: Int32) -> Int32 { SQLITE_IOERR | detail << 8 }
}
