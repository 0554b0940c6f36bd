/// The findings of ``SessionStorage/check()`` or ``SessionStorage/repair()``.
public struct RecoveryReport: Hashable, Sendable {
    /// The number of sessions that can be read, in all partitions.
    public var sessions: Int = 0
    /// The number of tabs that can be read, in all sessions.
    public var tabs: Int = 0
    /// The number of state blobs that were read without an error.
    public var states: Int = 0
    /// The number of bytes in all records that were read.
    package var bytesRead: Int = 0
    /// What cannot be read, or was lost when this opening salvaged the rest. A repair gives these
    /// losses up, and later reports do not list them.
    public var losses: [Loss] = []
    /// What was done or noticed, as single-line sentences without any content.
    public var notes: [String] = [] {
        didSet { notes = notes.map(\.inOneLine) }
    }
    /// The number of incognito partitions that this opening removed because their key is gone.
    public var discardedIncognitoPartitions: Int = 0
    /// Why the incognito sessions in the store cannot be read; `nil` if they can be read, or there
    /// are none. A repair sets them aside unless they may become readable later.
    public var incognitoProblem: String?
    /// The paths of the damaged bytes that are set aside, oldest first, including those from
    /// earlier openings. See ``ErasureScope/quarantine``.
    public var quarantined: [String] = []

    /// Creates an empty report, which counts as healthy.
    public init() {}

    /// Whether a repair made this report. If so, everything that is left can be read.
    public var isRepaired = false

    /// Whether the store needs no repair. If so, everything that was saved and not given up can be
    /// read, including incognito sessions.
    public var isHealthy: Bool {
        incognitoProblem == nil
            && (isRepaired || losses.allSatisfy { $0.kind == .unfinishedWrite })
    }
}
