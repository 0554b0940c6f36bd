internal import CSQLite

/// The SQLite library that this program uses.
public enum SQLiteLibrary {
    /// The version of the loaded library, such as `3.40.1`. It can be newer than the one at build
    /// time.
    public static var version: String { String(cString: sqlite3_libversion()) }
}
