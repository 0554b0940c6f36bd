public import BrowserSessions

/// The findings of an import, file by file. A report never holds an address or a title.
public struct ImportReport: Hashable, Sendable {
    /// The files and session directories that were read and taken, one entry for each, in the order
    /// of reading.
    public var sources: [ImportedSource] = []
    /// The files with sessions that were not taken, and the folders that could not be searched.
    public var untaken: [UntakenFile] = []
    /// The folders of profiles that a browser has open, or had open when it was terminated. Their
    /// files lack what the browser has not written yet.
    public var profilesInUse: [String] = []
    /// The number of examined files without sessions.
    public var otherFiles = 0
    /// The descriptions of what was skipped, in sentences.
    public var notes: [String] = []

    /// Creates an empty report.
    public init() {}

    /// The total counts of all sources.
    public var totals: ImportCounts { sources.reduce(into: ImportCounts()) { $0 += $1.counts } }

    /// Whether something could not be read, in a source that was taken or because a file or folder
    /// is damaged or unreadable. Notes and repairs are not damage. Neither are files that are
    /// encrypted or that the browser would not restore.
    public var isDamaged: Bool {
        sources.contains(where: \.isDamaged) || untaken.contains(where: \.reason.isDamage)
    }
}

/// A file with sessions that was not taken.
public struct UntakenFile: Hashable, Sendable {
    /// The path, as reached from the given one.
    public var path: String
    /// The format; `nil` if unknown.
    public var format: SessionFormat?
    /// The reason that it was not taken.
    public var reason: Reason
    /// Further details, in a sentence without its period; empty if there are none.
    public var detail: String

    /// Creates an entry for a file, by default without details.
    public init(path: String, format: SessionFormat?, reason: Reason, detail: String = "") {
        self.path = path
        self.format = format
        self.reason = reason
        self.detail = detail
    }

    /// The reason that a file was not taken. More cases may be added.
    @nonexhaustive
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// A newer file of the same kind was taken.
        case older
        /// The browser had not written the whole initial state, and would not restore the file.
        case unfinished
        /// The file is damaged, and either nothing could be read from it or another one of its kind is
        /// not damaged. Or it has an unknown version or exceeds a limit.
        case damaged
        /// The file or folder cannot be read, or the permission is missing.
        case unreadable
        /// Only the browser can read it.
        case encrypted
        /// The file was not examined, because too many others come before it.
        case unread
        /// The file has windows of installed apps, which the browser restores only after a crash.
        case appWindows = "app-windows"
        /// The file is an export of another program, which is not supported.
        case otherProgram = "other-program"
        /// The file has another format than the requested one.
        case otherFormat = "other-format"

        /// Whether something that the browser would have restored could not be read. Encrypted, older
        /// and unread files are not damage: they were not tried, or only their browser can read them.
        public var isDamage: Bool { self == .damaged || self == .unreadable }
    }
}

/// One file or session directory that was read.
public struct ImportedSource: Hashable, Sendable {
    /// The path, as reached from the given one.
    public var path: String
    /// The format in which it was read.
    public var format: SessionFormat
    /// The counts of what it contained, including sessions and tabs that an earlier source had.
    public var counts = ImportCounts()
    /// The problems, in file order.
    public var problems: [ImportProblem] = []
    /// The sessions from this source, without those that an earlier source had.
    public var sessions: [SessionID] = []
    /// Whether more may be missing than the problems name: the file ends within a record, does not
    /// describe what it names, or stands in for a newer one of its profile that could not be read.
    public var mayLackMore = false

    /// Creates an entry with zero counts and without problems and sessions.
    public init(path: String, format: SessionFormat) {
        self.path = path
        self.format = format
    }

    /// Whether something in this source could not be read.
    public var isDamaged: Bool { problems.contains { $0.severity == .loss } }

    /// Whether something is missing, or may be. What is absent in such a source is not taken for
    /// removed or changed: an import only adds.
    public var isIncomplete: Bool { isDamaged || mayLackMore }
}
