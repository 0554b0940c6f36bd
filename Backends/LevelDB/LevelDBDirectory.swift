internal import BrowserSessions
internal import CLevelDB

/// The directory of a database, whose entries LevelDB does not sync.
struct LevelDBDirectory {
    private let path: String
    /// The directory's time when it was last synced, and since when it is known to be that.
    private var synced: (modified: Int64, since: ContinuousClock.Instant)?
    private var isSettled = false

    /// File systems stamp with the clock of the last timer tick, so a directory may change again
    /// under an unchanged time shortly after a change.
    private static let granularity = Duration.milliseconds(20)

    init(_ path: String) { self.path = path }

    /// Makes the directory's entries durable; costs nothing if they are known to be.
    ///
    /// A new log appears when memory is full; the old one ends without a sync, and its last
    /// unsynced writes could be lost while later, synced ones in the new log survive. So with
    /// `syncingLogs` all logs are synced if the directory may have changed.
    mutating func settle(syncingLogs: Bool) throws(StorageError) {
        let modified = try FileSystem.status(path)?.modified ?? 0
        let now = ContinuousClock.now
        let since = synced.flatMap { $0.modified == modified ? $0.since : nil }
        if isSettled, since != nil { return }
        if syncingLogs { try syncLogs() }
        try makeFilesPrivate()
        try FileSystem.syncDirectory(path)
        synced = (modified, since ?? now)
        isSettled = since.map { now - $0 > Self.granularity } ?? false
    }

    /// Makes everything that was written to logs durable. A log that vanishes meanwhile has become
    /// a table, which LevelDB syncs.
    func syncLogs() throws(StorageError) {
        for name in try FileSystem.contents(of: path) where name.hasSuffix(".log") {
            do throws(StorageError) {
                try FileDescriptor(opening: "\(path)/\(name)", CLEVELDB_READ).syncData()
            } catch  where error.code == .notFound {
                continue
            }
        }
    }

    /// LevelDB makes files that everybody may read. Others cannot enter the directory; this is for
    /// copies that are made of it.
    private func makeFilesPrivate() throws(StorageError) {
        for name in try FileSystem.contents(of: path) {
            _ = cleveldb_make_private("\(path)/\(name)")
        }
    }
}
