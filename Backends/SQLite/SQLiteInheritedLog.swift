internal import BrowserSessions
internal import StorageEngines

/// What a full disk does not let a store have at once, though what is there can be read.
struct SQLiteDelay {
    /// What is not durable yet. Without it the database alone is open, since there is no log.
    var log: SQLiteInheritedLog?
    var connect: (_ isForReading: Bool) throws(StorageError) -> SQLiteSession
}

/// The log of a process that did not close its database.
///
/// That process may have been killed before it synced the log, or a sync of it may have failed. Syncing
/// the same file again would then seem to succeed, and pages that can still be read would be lost with
/// the power: what counts of it is written into a new file.
struct SQLiteInheritedLog {
    /// Where the database is.
    let directory: any FileDirectory
    /// How much of the log SQLite takes, in bytes.
    let size: Int

    /// Puts a durable copy in the place of the log. If that fails, it can be done again: the log holds
    /// the same, be it the copy whose name is not certain. A connection that
    /// is open must not write any more afterwards, nor copy its log into the database when it is closed.
    func makeDurable() throws(StorageError) {
        let (log, draft) = (SQLiteFormat.logName, SQLiteFormat.logName + ".new")
        do throws(StorageError) {
            try copy(log, to: draft)
            try directory.rename(draft, to: log)
        } catch {
            try? directory.removeEntry(draft)
            throw error
        }
        try directory.sync()
    }

    private func copy(_ name: String, to other: String) throws(StorageError) {
        try directory.removeEntry(other)
        let log = try directory.open(name, .read)
        let copy = try directory.open(other, .new)
        for start in stride(from: 0, to: size, by: 1 << 20) {
            try copy.write(try log.read(min(1 << 20, size - start), at: start))
        }
        guard try copy.size() == size else {
            throw SQLiteErrors.corrupted("the log became shorter while it was read")
        }
        try copy.syncData()
    }
}
