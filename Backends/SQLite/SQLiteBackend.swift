public import BrowserSessions

extension StorageBackend {
    /// Sessions in one SQLite database, in a form that other tools can read too.
    ///
    /// SQLite versions before 3.51.3 can corrupt a log that two connections share, so a store has
    /// exactly one and locks the file: look inside with other tools when the store is closed.
    public static var sqlite: StorageBackend {
        StorageBackend(
            name: SQLiteEngine.name,
            summary: "one SQLite database; readable with any SQLite tool"
        ) { configuration throws(StorageError) in
            try OrderedSessionStorage(opening: configuration, engine: SQLiteEngine())
        }
    }
}
