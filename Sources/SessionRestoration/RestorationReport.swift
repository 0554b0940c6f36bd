public import BrowserSessions

/// What a restorer found and did at launch: for the host's user interface.
public struct RestorationReport: Sendable {
    /// How the process before this one ended, and what followed from it.
    public var launch = LaunchAssessment()
    /// The windows that came back, in the order in which they were opened.
    public var windows: [RestoredWindow] = []
    /// Sessions that could not be read. They stay in the store untouched and are offered again.
    public var unreadable: [UnreadableSession] = []
    /// Windows that were set aside at this launch or an earlier one, and can be brought back.
    public var setAside: [SetAsideSession] = []
    /// Windows whose "close all" was not confirmed before the process ended: it can be undone.
    public var backups: [WindowID] = []
    /// How many off-the-record tabs were dropped because the policy says so.
    public var droppedIncognitoTabs = 0

    public init() {}

    /// Whether something was lost or could not be read, so that nothing should be tidied away.
    public var isSuspicious: Bool {
        !unreadable.isEmpty || windows.contains { !$0.losses.isEmpty }
    }

    /// One window, or one of the places for tabs that belong to it.
    public struct RestoredWindow: Hashable, Sendable {
        public var session: SessionID
        public var tabs: Int
        public var provenance: RestoredSession.Provenance
        public var losses: [Loss]
        public var repairs: [SessionRepair]
    }

    /// A session that the store has and could not read.
    public struct UnreadableSession: Sendable {
        public var session: SessionID
        public var error: StorageError
    }
}
