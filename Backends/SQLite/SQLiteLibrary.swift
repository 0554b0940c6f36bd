internal import CSQLite

/// The SQLite that this program uses.
public enum SQLiteLibrary {
    /// The version of the library that was loaded, such as `3.40.1`; it can be a newer one than that
    /// with which the program was built.
    public static var version: String { String(cString: sqlite3_libversion()) }
}
