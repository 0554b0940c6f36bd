public import BrowserSessions

/// What an import found, file by file. It never holds an address or a title.
public struct ImportReport: Hashable, Sendable {
    /// One entry for every file or session directory that was read and taken, in the order of
    /// reading.
    public var sources: [ImportedSource] = []
    /// Files with sessions that were found and not taken, and folders that could not be searched.
    public var untaken: [UntakenFile] = []
    /// The folders of profiles that a browser has open, or had when it was ended: what it has not
    /// written yet is not in their files.
    public var profilesInUse: [String] = []
    /// How many files were looked at that hold no session.
    public var otherFiles = 0
    /// What was passed over on the way, in sentences.
    public var notes: [String] = []

    public init() {}

    /// The counts of all sources together.
    public var totals: ImportCounts { sources.reduce(into: ImportCounts()) { $0 += $1.counts } }

    /// Whether something could not be read, in a source that was taken or because a file or folder
    /// is damaged or unreadable. Notes and repairs are not damage, and neither are files that are
    /// encrypted or that the browser would not restore.
    public var isDamaged: Bool {
        sources.contains(where: \.isDamaged) || untaken.contains(where: \.reason.isDamage)
    }
}

/// A file with sessions that was not taken.
public struct UntakenFile: Hashable, Sendable {
    /// The path, as reached from the one that was given.
    public var path: String
    /// `nil` if it is not known.
    public var format: SessionFormat?
    public var reason: Reason
    /// What else is to be said, in a sentence without its full stop; empty if nothing is.
    public var detail: String

    public init(path: String, format: SessionFormat?, reason: Reason, detail: String = "") {
        self.path = path
        self.format = format
        self.reason = reason
        self.detail = detail
    }

    /// Why. More may come.
    @nonexhaustive
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// A newer one of the same kind was taken.
        case older
        /// The browser had not written all of its beginning, and would not restore it.
        case unfinished
        /// It is damaged, and either nothing could be made of it or another one of the same kind is
        /// not; or it is of an unknown version or over a limit.
        case damaged
        /// The file or folder may not or cannot be read.
        case unreadable
        /// Only the browser can read it.
        case encrypted
        /// It was not looked at, since too many beside it were before one was found to take.
        case unread
        /// Windows of installed apps, which the browser restores only after a crash.
        case appWindows = "app-windows"
        /// It is an export of another program, which is not read.
        case otherProgram = "other-program"
        /// It has another format than the one that was asked for.
        case otherFormat = "other-format"

        /// Whether something that the browser would have restored could not be read. What is
        /// encrypted, older or unread was not tried or cannot be read by anyone else, and is none.
        public var isDamage: Bool { self == .damaged || self == .unreadable }
    }
}

/// One file or session directory that was read.
public struct ImportedSource: Hashable, Sendable {
    /// The path, as reached from the one that was given.
    public var path: String
    public var format: SessionFormat
    public var counts = ImportCounts()
    /// In the order of the file.
    public var problems: [ImportProblem] = []
    /// The sessions that came out of it, without those that an earlier source had.
    public var sessions: [SessionID] = []

    public init(path: String, format: SessionFormat) {
        self.path = path
        self.format = format
    }

    /// Whether something in this source could not be read.
    public var isDamaged: Bool { problems.contains { $0.severity == .loss } }
}

/// How much came out of a source. Closed windows and tabs are not in the other counts.
public struct ImportCounts: Hashable, Sendable {
    /// Open windows; one with an incognito session in the same file is counted once.
    public var windows = 0
    /// Open tabs.
    public var tabs = 0
    /// History entries of open tabs, frames not counted.
    public var entries = 0
    /// Entries of frames inside the pages of open tabs.
    public var subframeEntries = 0
    /// Groups of open windows.
    public var groups = 0
    public var closedWindows = 0
    /// Closed tabs, those of closed windows included.
    public var closedTabs = 0
    /// History entries of closed tabs.
    public var closedEntries = 0
    /// Blobs of other browsers' engines.
    public var nativeStates = 0
    /// Records of a log; 0 for formats without a log.
    public var records = 0
    /// Records with a command that this version does not know.
    public var unknownRecords = 0
    /// Different history entries that the log mentions, those of closed tabs included.
    public var distinctNavigations = 0

    public init() {}

    static func += (left: inout Self, right: Self) {
        left.windows += right.windows
        left.tabs += right.tabs
        left.entries += right.entries
        left.subframeEntries += right.subframeEntries
        left.groups += right.groups
        left.closedWindows += right.closedWindows
        left.closedTabs += right.closedTabs
        left.closedEntries += right.closedEntries
        left.nativeStates += right.nativeStates
        left.records += right.records
        left.unknownRecords += right.unknownRecords
        left.distinctNavigations += right.distinctNavigations
    }
}

/// Something in a source that was not as it should be.
public struct ImportProblem: Hashable, Sendable {
    public var severity: Severity
    /// Where: `byte 1034`, `windows[0].tabs[3].index`, `line 12`, `data.pb of tab 000003e9`.
    public var location: String
    /// What was wrong and what was done.
    public var message: String

    /// How bad it is.
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// Worth knowing; nothing is wrong.
        case note
        /// A value broke a rule and was put right; no tab and no history is lost.
        case repair
        /// Something could not be read.
        case loss
    }

    public init(_ severity: Severity, at location: String, _ message: String) {
        self.severity = severity
        self.location = location
        self.message = message
    }
}

extension ImportProblem: CustomStringConvertible {
    /// `loss at byte 1034: …`
    public var description: String { "\(severity.rawValue) at \(location): \(message)" }
}
