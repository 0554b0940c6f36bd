internal import BrowserSessions
internal import StorageEngines

/// Writes zeros after the log, so that SQLite overwrites blocks instead of appending.
///
/// A sync after an append must also make the file's new size and blocks durable, which costs about
/// twice as much as one after an overwrite. A log that has wrapped once is overwritten anyway; this
/// is for the time until then.
///
/// Zeros are never frames: no frame has page 0, or the salt 0, which would have to match the
/// header's. SQLite and ``SQLiteLog`` take them for the end, as they take frames of an earlier run.
struct SQLiteLogSpace {
    /// The unit in which the log grows, in bytes: about 30 saves of one tab. With more, the next
    /// save would wait longer, because its sync also writes the zeros.
    static let chunk = 256 << 10
    /// A larger commit is not expected to repeat.
    private static let largestCommit = 64 * SQLiteLog.frameSize
    /// What must stay prepared; it suffices for most saves of a tab.
    private static let least = 8 * SQLiteLog.frameSize
    /// The space left for the growth of other files: a whole log in the database.
    static let reserve = 32 << 20

    private let directory: any FileDirectory
    private let reserve: Int
    /// The known size of the log; the real one may be larger, never smaller.
    private var size = 0
    /// The end of SQLite's last commit.
    private var end = 0

    init(in directory: any FileDirectory, reserve: Int = Self.reserve) {
        self.directory = directory
        self.reserve = reserve
    }

    /// Prepares the space for the next commits after a synced one: eight of the same size.
    ///
    /// A failure does no harm: SQLite then appends. No byte of SQLite's can be overwritten, because
    /// the zeros are appended, and nothing else writes at the same time.
    mutating func extend(behind frames: Int32) {
        let commit = SQLiteLog.size(of: Int(frames)) - end
        end += commit
        size = max(size, end)
        let needed = end + max(Self.least, commit)
        guard 1...Self.largestCommit ~= commit, size < needed,
            frames < SQLiteOptions.largestLogFrames
        else { return }
        // Not the database: closing any descriptor of it would drop SQLite's locks on it.
        guard let file = try? directory.open(SQLiteFormat.logName, mode: .append),
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
