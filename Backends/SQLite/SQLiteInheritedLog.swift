internal import BrowserSessions
internal import CSQLite

/// The log of a process that did not close its database.
///
/// That process may have been killed before it synced the log, or a sync of it may have failed. Syncing
/// the same file again would then seem to succeed, and pages that can still be read would be lost with
/// the power: what counts of it is written into a new file.
struct SQLiteInheritedLog {
    /// The path of the database.
    let database: String
    /// How much of the log SQLite takes, in bytes.
    let size: Int

    /// Puts a durable copy in the place of the log. If that fails, it can be done again: the log holds
    /// the same, be it the copy whose name is not certain. A connection that
    /// is open must not write any more afterwards, nor copy its log into the database when it is closed.
    func makeDurable() throws(StorageError) {
        let (log, draft) = (database + "-wal", database + "-wal.new")
        do throws(StorageError) {
            try copy(log, to: draft)
            try FileSystem.move(draft, to: log)
        } catch {
            try? FileSystem.remove(draft)
            throw error
        }
        try FileSystem.syncDirectory(FileSystem.parent(of: database))
    }

    private func copy(_ path: String, to other: String) throws(StorageError) {
        try FileSystem.remove(other)
        let log = try FileDescriptor(opening: path, CSQLITE_READ)
        let copy = try FileDescriptor(opening: other, CSQLITE_NEW)
        for start in stride(from: 0, to: size, by: 1 << 20) {
            try copy.write(try log.read(min(1 << 20, size - start), at: start))
        }
        guard try copy.size() == size else {
            throw SQLiteErrors.corrupted("the log became shorter while it was read")
        }
        try copy.syncData()
    }
}
