/// What ``SessionStorage/recover(_:)`` may do.
public enum RecoveryMode: String, Hashable, Sendable {
    /// Read everything, change nothing.
    case check
    /// Also repair: damaged records go to the quarantine.
    case repair
}

/// What a check or repair found.
public struct RecoveryReport: Hashable, Sendable {
    public var sessions: Int = 0
    public var tabs: Int = 0
    public var states: Int = 0
    /// Bytes of all records that were read.
    public var bytesRead: Int = 0
    /// What was lost, this opening's salvage included; empty for a healthy store.
    public var losses: [Loss] = []
    /// What was done or noticed, in sentences without content.
    public var notes: [String] = []
    /// Incognito sides that this opening removed because nobody holds their key any more.
    public var discardedIncognitoSides: Int = 0
    /// Paths of the damaged bytes that are set aside, from earlier openings too, the oldest first; see
    /// ``SessionStorage/purgeQuarantine()``.
    public var quarantined: [String] = []

    public init() {}

    /// Whether everything that was saved can be read.
    public var isHealthy: Bool { losses.allSatisfy { $0.kind == .unfinishedWrite } }
}
