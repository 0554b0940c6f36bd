internal import BrowserSessions
internal import CLevelDB
internal import StorageEngines

/// The directory of a database. LevelDB syncs its entries only when it writes its manifest.
///
/// When memory is full, LevelDB continues in a new log; its syncs reach the bytes of that log but
/// not its name. So a durable write counts only once the name of its log is durable. The log's
/// growth shows which one that is: writes come one at a time, and one write goes into one log. No
/// other new file needs care. LevelDB syncs the directory before the manifest names a table,
/// removes a log only after that, and makes a manifest only while opening.
struct LevelDBDirectory {
    let files: any FileDirectory
    var names: NameWatch
    private let syncDirectory: (any FileDirectory) throws(StorageError) -> Void
    /// The newest log when the directory was last synced: its name is durable.
    private var log: LevelDBLiveLog?

    /// - Parameter folder: the directory of the partition.
    /// - Parameter syncDirectory: makes the entries of a directory durable; tests count its calls.
    init(
        _ files: any FileDirectory, in folder: (any FileDirectory)? = nil,
        syncingWith syncDirectory: @escaping (any FileDirectory) throws(StorageError) -> Void = {
            files throws(StorageError) in try files.sync()
        }
    ) {
        self.files = files
        names = NameWatch(files, at: folder.map { ($0, LevelDBFormat.directoryName) })
        self.syncDirectory = syncDirectory
    }

    /// The size of the log with a durable name, for comparison after a write; `nil` if there is
    /// none.
    var logSize: Int? { try? log?.size() }

    /// Returns whether that log received a write that was made when it had `size` bytes. This does
    /// not depend on clocks, unlike the directory's own time, which does not change between two
    /// timer ticks.
    func logTook(_ bytes: Int, after size: Int?) -> Bool {
        guard let size, let now = logSize else { return false }
        return now >= size + bytes
    }

    /// Whether the newest log is not the one with a durable name, or that is unknown.
    var hasNewLog: Bool {
        guard let log, let newest = try? newestLog() else { return true }
        return newest != log.name
    }

    /// Returns the error for files that are not those with their names any more. A log that LevelDB has turned into a
    /// table may be gone, but not the last one.
    mutating func change() -> StorageError? {
        let files = files
        return names.change { known in
            let newest = try? LevelDBFileNames(files.names()).newestLog
            return known.filter { $0 == "CURRENT" || newest == nil && $0.hasSuffix(".log") }
        }
    }

    /// Makes the directory's entries durable.
    ///
    /// The log before the newest one ended without a sync, and its last unsynced writes could be
    /// lost while later, synced ones survive. With `syncingLogs`, all logs are therefore synced
    /// too.
    mutating func syncNames(syncingLogs: Bool) throws(StorageError) {
        if syncingLogs { try syncLogs() }
        try makeFilesPrivate()
        let newest = try newestLog()
        try syncDirectory(files)
        if let newest, newest != log?.name { try? noteLasting(newest) }
        // Without it, the next durable write comes here again.
        log = newest.flatMap { try? LevelDBLiveLog($0, in: files) }
    }

    /// Notes that the name of the log is durable: see ``LevelDBFileNames/lastingName(_:)``. The
    /// note only helps to find damage, so no write waits for it, and its absence is not a failure.
    private func noteLasting(_ log: String) throws(StorageError) {
        let names = LevelDBFileNames(try files.names())
        guard let number = LevelDBFormat.number(of: log, ".log") else { return }
        let name = LevelDBFileNames.lastingName(number)
        var old = names.lastingNames.filter { $0 != name }
        if !names.has(name) {
            if let first = old.popLast() {
                try files.rename(first, to: name)
            } else {
                _ = try files.open(name, mode: .new)
            }
        }
        for name in old { try files.removeEntry(name) }
    }

    /// Releases a log that has ended: LevelDB removes it, and its space is free only when it is not
    /// open. The next durable write syncs the directory.
    mutating func releaseLog() { log = nil }

    /// Makes everything that was written to logs durable. A log that vanishes in the meantime has
    /// become a table, which LevelDB syncs.
    func syncLogs() throws(StorageError) {
        for name in try files.names() where name.hasSuffix(".log") {
            do throws(StorageError) {
                try files.open(name, mode: .read).syncData()
            } catch  where error.code == .notFound {
                continue
            }
        }
    }

    /// Restricts files that LevelDB makes readable to everybody. Others cannot enter the directory;
    /// this protects copies of it.
    func makeFilesPrivate() throws(StorageError) {
        let path = files.pathForLibraries
        for name in try files.names() {
            if try files.status(of: name)?.permissions == 0o600 { continue }
            _ = PathText.withCString("\(path)/\(name)") { cleveldb_make_private($0) }
        }
    }

    private func newestLog() throws(StorageError) -> String? {
        try LevelDBFileNames(files.names()).newestLog
    }
}
