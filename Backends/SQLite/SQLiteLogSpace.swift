internal import BrowserSessions
internal import StorageEngines

/// Writes zeros behind the log, so that SQLite overwrites blocks instead of appending.
///
/// A sync after an append must make the file's new size and blocks durable as well, which costs
/// about twice as much as one after an overwrite. A log that has wrapped once is overwritten
/// anyway; this is for the time until then.
///
/// Zeros are no frames: no frame has page 0, nor the salt 0 that would have to match the header's.
/// SQLite and ``SQLiteLog`` take them for the end, as they take frames of an earlier round.
struct SQLiteLogSpace {
    /// The unit in which the log grows, in bytes: about 30 saves of one tab. More would be a longer
    /// wait for the save after it, whose sync also writes the zeros.
    static let chunk = 256 << 10
    /// A larger commit does not count as one that will come again.
    private static let largestCommit = 64 * SQLiteLog.frameSize
    /// What must be left prepared; it suffices for most saves of a tab.
    private static let least = 8 * SQLiteLog.frameSize
    /// What other files may grow by before there is no space for them: a whole log in the database.
    static let reserve = 32 << 20

    private let directory: any FileDirectory
    private let reserve: Int
    /// The known size of the log; it may be larger, never smaller.
    private var size = 0
    /// Where SQLite's last commit ends.
    private var end = 0

    init(in directory: any FileDirectory, reserve: Int = Self.reserve) {
        self.directory = directory
        self.reserve = reserve
    }

    /// Prepares the place of the next commits after one that was synced: eight like this one.
    ///
    /// Failing does no harm: SQLite then appends. No byte that SQLite wrote can be hit, because the
    /// zeros are appended, and nobody else writes meanwhile.
    mutating func extend(behind frames: Int32) {
        let commit = SQLiteLog.size(of: Int(frames)) - end
        end += commit
        size = max(size, end)
        let needed = end + max(Self.least, commit)
        guard 1...Self.largestCommit ~= commit, size < needed,
            frames < SQLiteOptions.largestLogFrames
        else { return }
        // Not the database: closing any descriptor of that would drop SQLite's locks on it.
        guard let file = try? directory.open(SQLiteFormat.logName, .append),
            let actual = try? file.size()
        else { return }
        size = max(size, actual)
        guard size < needed, directory.freeBytes >= reserve else { return }
        let chunks = (actual + 8 * commit) / Self.chunk + 1
        do {
            try file.write([UInt8](repeating: 0, count: chunks * Self.chunk - actual))
            size = chunks * Self.chunk
        } catch {
            // The last space of a disk is for saves.
            try? file.truncate(to: actual)
        }
    }
}
