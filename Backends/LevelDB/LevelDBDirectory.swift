internal import BrowserSessions
internal import CLevelDB
internal import StorageEngines

/// The directory of a database, whose entries LevelDB syncs only when it writes its manifest.
///
/// When memory is full, LevelDB goes on in a new log, and its syncs reach the bytes of that log but
/// not its name. So a durable write counts only once the name of the log that took it is durable.
/// Which log that is shows by its growth: writes come one at a time, and one write goes into one log.
/// No other file that appears needs care. LevelDB syncs the directory before the manifest names a
/// table, removes a log only after that, and makes a manifest only while opening.
struct LevelDBDirectory {
    let files: any FileDirectory
    private let syncDirectory: (any FileDirectory) throws(StorageError) -> Void
    /// The newest log when the directory was last synced: its name is durable.
    private var log: LevelDBLiveLog?

    /// - Parameter syncDirectory: makes the entries of a directory durable; tests count it.
    init(
        _ files: any FileDirectory,
        syncingWith syncDirectory: @escaping (any FileDirectory) throws(StorageError) -> Void = {
            files throws(StorageError) in try files.sync()
        }
    ) {
        self.files = files
        self.syncDirectory = syncDirectory
    }

    /// The size of the log whose name is durable, to compare with after a write; `nil` if there is
    /// none.
    var logSize: Int? { try? log?.size() }

    /// Whether that log took a write that was made when it had `size` bytes. It does not depend on
    /// clocks, as the directory's own time would: that stands still between two timer ticks.
    func logTook(_ bytes: Int, after size: Int?) -> Bool {
        guard let size, let now = logSize else { return false }
        return now >= size + bytes
    }

    /// Whether the newest log is not the one whose name is durable, or nobody can tell.
    var hasNewLog: Bool {
        guard let log, let newest = try? newestLog() else { return true }
        return newest != log.name
    }

    /// Throws if the files that hold what was written have no names any more. A log that LevelDB has
    /// turned into a table is gone in order.
    ///
    /// A look that fails says nothing of that.
    func requirePresence() throws(StorageError) {
        if (try? files.has("CURRENT")) == false { throw StorageError.removed(files.path) }
        guard let log, (try? log.isRemoved()) == true, (try? newestLog()) == .some(nil) else {
            return
        }
        throw StorageError.removed(files.path(of: log.name))
    }

    /// Makes the directory's entries durable.
    ///
    /// The log before the newest one ended without a sync, and its last unsynced writes could be
    /// lost while later, synced ones survive. So with `syncingLogs` all logs are synced too.
    mutating func settle(syncingLogs: Bool) throws(StorageError) {
        if syncingLogs { try syncLogs() }
        try makeFilesPrivate()
        let newest = try newestLog()
        try syncDirectory(files)
        if let newest, newest != log?.name { try? noteLasting(newest) }
        // Without it, the next durable write comes here again.
        log = newest.flatMap { try? LevelDBLiveLog($0, in: files) }
    }

    /// Notes that the name of the log is durable: see ``LevelDBFileNames/lastingName(_:)``. Only damage is
    /// found by that, so no write waits for the note, and none is no failure.
    private func noteLasting(_ log: String) throws(StorageError) {
        let names = LevelDBFileNames(try files.names())
        guard let number = LevelDBFormat.number(of: log, ".log") else { return }
        let name = LevelDBFileNames.lastingName(number)
        var old = names.lastingNames.filter { $0 != name }
        if !names.has(name) {
            if let first = old.popLast() {
                try files.rename(first, to: name)
            } else {
                _ = try files.open(name, .new)
            }
        }
        for name in old { try files.removeEntry(name) }
    }

    /// Lets go of a log that has ended: LevelDB removes it, and its space is free only when nobody
    /// has it open. The next durable write settles.
    mutating func releaseLog() { log = nil }

    /// Makes everything that was written to logs durable. A log that vanishes meanwhile has become
    /// a table, which LevelDB syncs.
    func syncLogs() throws(StorageError) {
        for name in try files.names() where name.hasSuffix(".log") {
            do throws(StorageError) {
                try files.open(name, .read).syncData()
            } catch  where error.code == .notFound {
                continue
            }
        }
    }

    /// LevelDB makes files that everybody may read. Others cannot enter the directory; this is for
    /// copies that are made of it.
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
