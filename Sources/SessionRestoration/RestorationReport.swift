public import BrowserSessions

/// What a restorer found and did at launch: for the host's user interface.
public struct RestorationReport: Sendable {
    /// How the process before this one ended, and what followed from it.
    public var launch = LaunchAssessment()
    /// The windows that came back, private ones, too, in the order in which they were opened.
    public var windows: [RestoredWindow] = []
    /// Places that belong to these windows and came back with them, such as their inactive tabs.
    public var companions: [RestoredWindow] = []
    /// Those of the windows that were closed one after the other as the app ended, and come back for that:
    /// see ``RestorationPolicy/closingGrace``.
    public var closedLast: [SessionID] = []
    /// How many tabs are inactive, those that became so earlier included.
    public var inactiveTabs = 0
    /// How many tabs of these windows became inactive at this launch, unused for long:
    /// ``InactiveTabs/reactivateAll()`` brings them back.
    public var newlyInactiveTabs = 0
    /// What went at this launch because a rule keeps it no longer.
    public var dropped = DroppedItems()
    /// Sessions that could not be read. They stay in the store untouched and are offered again.
    public var unreadable: [UnreadableSession] = []
    /// Windows that were set aside at this launch or an earlier one, and can be brought back.
    public var setAside: [SetAsideSession] = []
    /// Windows whose "close all" was not confirmed before the process ended: it can be undone.
    public var backups: [WindowID] = []
    /// Tabs that were between two windows when the process ended, and whose first window was gone: they
    /// are in the first window of their side, or among the recently closed tabs if there is none.
    public var returned: [TabID] = []
    /// Tabs that were saved in two sessions, which damage or a second process can do. Each stays where it
    /// was opened first; where the other copy shows another page, that has an identifier of its own now.
    public var duplicates: [TabID] = []
    /// How many off-the-record tabs were dropped because the policy says so.
    public var droppedIncognitoTabs = 0
    /// Why private windows that were saved could not be read, in a sentence that says what to do; `nil` if
    /// they could, or there were none. Private windows of this launch are saved all the same if those
    /// can never be read again, which are then set aside.
    public var unreadableIncognito: String?
    /// Whether private windows are gone with their key, as after a start of the system.
    public var lostIncognitoKey = false

    public init() {}

    /// Whether something was lost or could not be read, so that nothing should be tidied away.
    public var isSuspicious: Bool {
        !unreadable.isEmpty || (windows + companions).contains { !$0.losses.isEmpty }
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

extension RestorationReport: CustomStringConvertible {
    /// What came back and what did not, in one line for people, without addresses and titles:
    /// `2 windows with 14 tabs came back, 3 of them inactive; 1 private window with 1 tab; 40 tabs of 1
    /// window are set aside (crash-loop)`.
    public var description: String {
        let (regular, secret) = (
            windows.filter { !$0.session.isOffTheRecord },
            windows.filter { $0.session.isOffTheRecord }
        )
        let tabs = Self.tabs(regular) + inactiveBefore
        var parts = [
            regular.isEmpty
                ? "nothing came back"
                : "\(Self.count(regular.count, "window")) with \(Self.count(tabs, "tab")) came back"
                    + (inactiveTabs > 0 ? ", \(inactiveTabs) of them inactive" : "")
        ]
        if !secret.isEmpty {
            let windows = Self.count(secret.count, "private window")
            parts.append("\(windows) with \(Self.count(Self.tabs(secret), "tab"))")
        }
        if regular.isEmpty, !secret.isEmpty { parts.removeFirst() }
        return (parts + problems).joined(separator: "; ")
    }

    /// Tabs that were inactive when the process before ended.
    private var inactiveBefore: Int {
        Self.tabs(companions.filter { $0.session.kind == .inactive })
    }

    private static func tabs(_ windows: [RestoredWindow]) -> Int {
        windows.reduce(0) { $0 + $1.tabs }
    }

    private var problems: [String] {
        var parts: [String] = []
        if !setAside.isEmpty { parts.append(Self.words(setAside)) }
        if !unreadable.isEmpty {
            parts.append("\(Self.count(unreadable.count, "session")) could not be read")
        }
        if unreadableIncognito != nil { parts.append("private windows could not be read") }
        if lostIncognitoKey { parts.append("private windows are gone with their key") }
        let damaged = (windows + companions).count { !$0.losses.isEmpty }
        if damaged > 0 { parts.append("\(Self.count(damaged, "window")) with losses") }
        if !backups.isEmpty {
            parts.append("\(Self.count(backups.count, "window")) with closed tabs to bring back")
        }
        if !returned.isEmpty { parts.append("\(Self.count(returned.count, "tab")) on the way") }
        if !duplicates.isEmpty {
            parts.append("\(Self.count(duplicates.count, "tab")) saved twice")
        }
        if !dropped.oldClosedTabs.isEmpty {
            let tabs = Self.count(dropped.oldClosedTabs.count, "closed tab")
            parts.append("\(tabs) dropped for their age")
        }
        return parts
    }

    private static func words(_ setAside: [SetAsideSession]) -> String {
        let tabs = setAside.reduce(0) { $0 + $1.tabs }
        let reasons = Set(setAside.map(\.reason.rawValue)).sorted().joined(separator: ", ")
        let windows = count(setAside.count, "window")
        return "\(count(tabs, "tab")) of \(windows) are set aside (\(reasons))"
    }

    private static func count(_ number: Int, _ word: String) -> String {
        "\(number) \(word)\(number == 1 ? "" : "s")"
    }
}
