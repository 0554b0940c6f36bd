public import BrowserSessions

/// The findings and actions of a restorer at launch, for the host's user interface.
public struct RestorationReport: Sendable {
    /// The end of the previous process, and the decision that follows from it.
    public var launch = LaunchAssessment()
    /// The windows that came back, including private ones, in the order in which they were opened.
    public var windows: [RestoredWindow] = []
    /// The sessions that belong to these windows and came back with them, such as their inactive tabs.
    public var companions: [RestoredWindow] = []
    /// What came back that belongs to no window: spaces, containers and their tabs; see `WindowList.library`.
    public var libraries: [RestoredWindow] = []
    /// The windows that closed one after the other as the app ended, and came back for this reason.
    /// See ``RestorationPolicy/closingGrace``.
    public var closedLast: [SessionID] = []
    /// The number of inactive tabs, including those from earlier launches.
    public var inactiveTabs = 0
    /// The number of tabs that became inactive at this launch because they were not used for a long
    /// time. ``InactiveTabs/reactivateAll()`` brings them back.
    public var newlyInactiveTabs = 0
    /// The items that were removed at this launch because no rule keeps them any longer.
    public var dropped = DroppedItems()
    /// The sessions that could not be read. They stay in the store untouched and are offered again.
    public var unreadable: [UnreadableSession] = []
    /// The sessions that were set aside at this launch or earlier and can be brought back.
    public var setAside: [SetAsideSession] = []
    /// The windows with a "close all" that was not confirmed before the process ended and can be undone.
    public var backups: [WindowID] = []
    /// The tabs that were between two windows when the process ended, if their first window was closed. They
    /// are now in the first window of their partition, or recently closed if it has no window.
    public var returned: [TabID] = []
    /// The tabs that were saved in two sessions, because of damage or a second process. Each stays
    /// where it was opened first. A copy that shows another page has its own identifier now.
    public var duplicates: [TabID] = []
    /// The number of incognito tabs that were dropped because of the policy.
    public var droppedIncognitoTabs = 0
    /// A sentence that says why saved private windows could not be read, and what to do; `nil` if
    /// they could, or there were none. If they can never be read again, they are set aside in the
    /// store, and private windows of this launch are saved all the same.
    public var unreadableIncognito: String?
    /// Whether private windows are lost with their key, as after a restart of the system.
    public var lostIncognitoKey = false

    /// The restore points that the store took before many tabs went at once that the user had not closed, the
    /// newest first. The store keeps each for 30 days, or until ``SessionHistory/releaseRestorePoint(_:)``: call
    /// it when the user declines to bring the tabs back, so that this offer is not made again. One that the user
    /// had named right before the loss is among them, too, and is the user's to release.
    public var pointsBeforeLoss: [RestorePoint] = []

    /// Whether something was lost or could not be read. Nothing is then cleaned up.
    public var isSuspicious: Bool {
        !unreadable.isEmpty || (windows + companions + libraries).contains { !$0.losses.isEmpty }
    }

    /// A window that came back, or one of the sessions that belong to it.
    public struct RestoredWindow: Hashable, Sendable {
        /// The identifier under which it is saved.
        public var session: SessionID
        /// The number of its saved tabs, including those in ``RestorationReport/duplicates``.
        public var tabs: Int
        /// Whether it is as it was last saved.
        public var provenance: RestoredSession.Provenance
        /// The items of it that could not be read; empty if there are none.
        public var losses: [Loss]
        /// The corrections that make it follow the rules of a tab list; empty if there are none.
        public var repairs: [SessionRepair]
    }

    /// A session in the store that could not be read.
    public struct UnreadableSession: Sendable {
        /// The identifier under which it is saved.
        public var session: SessionID
        /// The error with which the store refused to read it.
        public var error: StorageError
    }
}

extension RestorationReport: CustomStringConvertible {
    /// A line about what did and did not come back, without addresses or titles:
    /// `2 windows with 14 tabs came back, 3 of them inactive; 1 private window with 1 tab; 40 tabs of 1
    /// window are set aside (crash-loop)`.
    public var description: String {
        let (regular, secret) = (
            windows.filter { !$0.session.isIncognito },
            windows.filter { $0.session.isIncognito }
        )
        let tabs = Self.tabs(regular) + inactiveBefore
        var parts = [
            regular.isEmpty
                ? "nothing came back"
                : "\(counted(regular.count, "window")) with \(counted(tabs, "tab")) came back"
                    + (inactiveTabs > 0 ? ", \(inactiveTabs) of them inactive" : "")
        ]
        if !secret.isEmpty {
            let windows = counted(secret.count, "private window")
            parts.append("\(windows) with \(counted(Self.tabs(secret), "tab"))")
        }
        if regular.isEmpty, !secret.isEmpty { parts.removeFirst() }
        return (parts + problems).joined(separator: "; ")
    }

    /// The number of tabs that were inactive when the previous process ended.
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
            parts.append("\(counted(unreadable.count, "session")) could not be read")
        }
        if unreadableIncognito != nil { parts.append("private windows could not be read") }
        if lostIncognitoKey { parts.append("private windows are gone with their key") }
        let damaged = (windows + companions).count { !$0.losses.isEmpty }
        if damaged > 0 { parts.append("\(counted(damaged, "window")) with losses") }
        if !backups.isEmpty {
            parts.append("\(counted(backups.count, "window")) with closed tabs to bring back")
        }
        if !returned.isEmpty { parts.append("\(counted(returned.count, "tab")) on the way") }
        if !duplicates.isEmpty {
            parts.append("\(counted(duplicates.count, "tab")) saved twice")
        }
        if !dropped.oldClosedTabs.isEmpty {
            let tabs = counted(dropped.oldClosedTabs.count, "closed tab")
            parts.append("\(tabs) dropped for their age")
        }
        return parts
    }

    private static func words(_ setAside: [SetAsideSession]) -> String {
        let tabs = setAside.reduce(0) { $0 + $1.tabs }
        let reasons = Set(setAside.map(\.reason.rawValue)).sorted().joined(separator: ", ")
        let windows = counted(setAside.count, "window")
        return "\(counted(tabs, "tab")) of \(windows) are set aside (\(reasons))"
    }
}
