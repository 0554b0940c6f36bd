/// What ``SessionStorage/check()`` or ``SessionStorage/repair()`` found.
public struct RecoveryReport: Hashable, Sendable {
    public var sessions: Int = 0
    public var tabs: Int = 0
    public var states: Int = 0
    /// Bytes of all records that were read.
    public var bytesRead: Int = 0
    /// What cannot be read, or was lost when this opening salvaged the rest; a repair gives it up, and
    /// no later report has it.
    public var losses: [Loss] = []
    /// What was done or noticed, in sentences of one line each, without content.
    public var notes: [String] = [] {
        didSet { notes = notes.map(\.inOneLine) }
    }
    /// Incognito sides that this opening removed because nobody holds their key any more.
    public var discardedIncognitoSides: Int = 0
    /// Why the incognito sessions that lie in the store cannot be read; `nil` if they can, or there are none.
    /// A repair sets them aside, unless they may be read another time.
    public var incognitoProblem: String?
    /// Paths of the damaged bytes that are set aside, from earlier openings too, the oldest first; see
    /// ``SessionStorage/purgeQuarantine()``.
    public var quarantined: [String] = []

    public init() {}

    /// Whether a repair made the report: then all that is left can be read.
    public var isRepaired = false

    /// Whether nothing needs a repair: everything that was saved, and not given up, can be read, incognito
    /// sessions too.
    public var isHealthy: Bool {
        incognitoProblem == nil
            && (isRepaired || losses.allSatisfy { $0.kind == .unfinishedWrite })
    }
}
