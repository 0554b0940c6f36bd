internal import BrowserSessions
internal import StorageEngines

/// What a full disk delays in a store that can already be read.
struct SQLiteDelay {
    /// What is not durable yet. Without it only the database is open, since there is no log.
    var log: SQLiteInheritedLog?
    var connect: (_ isForReading: Bool) throws(StorageError) -> SQLiteSession
}

/// The log of a process that did not close its database.
///
/// That process may have been killed before it synced the log, or a sync may have failed. Syncing
/// the same file again would then seem to succeed, and pages that can still be read would be lost
/// with the power. So what counts is written into a new file.
struct SQLiteInheritedLog {
    /// The directory of the database.
    let directory: any FileDirectory
    /// How much of the log SQLite uses, in bytes.
    let size: Int

    /// Replaces the log with a durable copy. If that fails, it can be repeated: the log holds the
    /// same bytes, even if it is the copy and its name is not certain. After that, an open
    /// connection must not write any more, nor copy its log into the database when it is closed.
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
        let log = try directory.open(name, mode: .read)
        let copy = try directory.open(other, mode: .new)
        for start in stride(from: 0, to: size, by: 1 << 20) {
            try copy.write(try log.read(min(1 << 20, size - start), at: start))
        }
        guard try copy.size() == size else {
            throw SQLiteErrors.corrupted("the log became shorter while it was read")
        }
        try copy.syncData()
    }
}
