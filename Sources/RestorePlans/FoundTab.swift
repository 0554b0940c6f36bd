public import BrowserSessions

/// A tab that `find(_:includingEarlier:)` found, with where it is.
public struct FoundTab: Hashable, Sendable {
    /// The tab: as it is now, or as it was when it was seen last.
    public var tab: TabMetadata
    /// The session that it is in, or was in when it was seen last.
    public var session: SessionID
    /// The title of that session; empty if it has none.
    public var sessionTitle: String
    /// Where it is now.
    public var place: Place
    /// When a tab was seen last that is in no session any more; `nil` for one that is.
    public var lastSeen: LastSeen?

    /// Where a tab is. More cases may be added.
    @nonexhaustive
    public enum Place: String, Hashable, Sendable, CaseIterable, Comparable {
        /// In a window or the library.
        case open
        /// Among the tabs of a window that were not used for a long time.
        case inactive
        /// In a window that was closed, and can be opened again.
        case closedWindow = "closed-window"
        /// Closed, and can be opened again.
        case closed
        /// Set aside after a crash, or kept for later in another way.
        case setAside = "set-aside"
        /// In no session any more, but in a restore point.
        case gone

        public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// When a tab was seen last, and what took it away.
    public struct LastSeen: Hashable, Sendable {
        /// The newest restore point that has the tab.
        public var point: RestorePoint
        /// The next point, which does not have it; `nil` if there is none.
        public var goneBy: RestorePoint?
        /// What took it away.
        public var cause: Cause
    }

    /// What took a tab away. More cases may be added.
    @nonexhaustive
    public enum Cause: String, Hashable, Sendable {
        /// It went with many others at once: the point was taken just before.
        case loss
        /// It was closed, and its time among the closed tabs was over, or they were cleared.
        case closed
        /// Nothing says what it was.
        case unknown
    }
}

extension FoundTab.Place {
    /// Where the tabs of a session are.
    init(_ session: RestoredSession) {
        let kind = session.id.kind
        switch kind.role {
        case .window where session.attributes.closedAt != nil: self = .closedWindow
        case .window, .library: self = .open
        case .companion: self = kind == .backup ? .closed : .inactive
        case .shelf: self = kind == .recentlyClosed ? .closed : .setAside
        case .notes: self = .setAside
        }
    }
}
