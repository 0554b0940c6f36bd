public import BrowserSessions

/// The rules by which a ``SessionRestorer`` saves and restores. The defaults suit a browser.
public struct RestorationPolicy: Sendable {
    /// The time from the first change to the save of all changes. Later changes do not extend it,
    /// so a process that is killed loses at most this much.
    public var saveDelay: Duration = .milliseconds(2500)
    /// The durability of delayed saves; `nil` leaves it to the store. Saves that a caller awaits,
    /// and saves of a window that enters the background, have the store's greatest durability.
    public var durability: Durability?
    /// The delays after consecutive failed saves. The last one is repeated.
    public var retryDelays: [Duration] = [
        .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(15), .seconds(30),
        .seconds(60),
    ]
    /// The duration of a call to the store from which the health is ``SaveHealth/stalled(since:)``.
    public var stallLimit: Duration = .seconds(10)
    /// The time that a caller waits for the store. After this, the call has failed with an unknown
    /// effect. Other changes of its partition wait until the store ends the call or is replaced.
    public var answerLimit: Duration = .seconds(60)
    /// The names of blobs that the host keeps with its tabs, in addition to the history and the native state;
    /// by default the page's icon. You can write a name as text: `[.icon, "example.notes"]`.
    public var extraStates: [StateName] = [.icon]
    /// The time that an awaited save, or a tab that closes or unloads, waits for a page to report
    /// its state. A later report goes into a later save. WebKit writes the scroll position 300 ms
    /// after scrolling has ended, and at no other time.
    public var flushLimit: Duration = .milliseconds(500)
    /// The number of tabs that can have their page at the same time; `nil` for no limit. Beyond it,
    /// the tabs that were shown the longest ago are unloaded.
    public var maximumRealizedTabs: Int?
    /// The handling of incognito tabs.
    public var incognito: IncognitoPolicy = .restore
    /// The handling of windows after crashes.
    public var crashes = CrashPolicy()
    /// The environment of the process, for tests that simulate processes; `nil` asks the system.
    public var launchEnvironment: LaunchEnvironment?
    /// The longest time between two windows that close together as the app ends, and between the
    /// last one and the end. Such windows come back at the next launch if no window was left; see
    /// `WindowClosingReason`. If `nil`, windows that the user closed never come back by themselves.
    public var closingGrace: Duration? = .seconds(5)
    /// The limits for closed tabs and windows.
    public var closed = ClosedTabPolicy()
    /// The time without use after which a tab becomes inactive; `nil` for never.
    public var inactiveAge: Duration? = .seconds(21 * 24 * 60 * 60)
    /// The addresses that are not worth keeping when their tab closes and has no other history.
    public var blankPages: Set<String> = ["", "about:blank", "about:newtab", "about:home"]

    /// Creates a policy with the default of each rule.
    public init() {}
}

/// The handling of incognito tabs when the process ends.
public enum IncognitoPolicy: String, Hashable, Sendable {
    /// The tabs are saved in the encrypted partition of the store and come back. The system may end
    /// an app at any time, and the user should not notice.
    case restore
    /// The tabs are saved, in case the process is killed while it runs, and dropped at the next launch.
    case dropAtLaunch
    /// The tabs are never passed to the store. Tabs that an earlier policy saved are deleted at launch.
    case neverSave
}

/// The limits for the number and the age of closed tabs and windows.
public struct ClosedTabPolicy: Hashable, Sendable {
    /// The number of closed tabs to keep. All tabs of the last closing are kept, even if they exceed it.
    public var maximumTabs = 100
    /// The number of closed windows to keep.
    public var maximumWindows = 25
    /// The time to keep closed tabs and windows, by the store's own age and not by the wall clock.
    /// It starts at the closing, or for imported items at the first launch after the import. A
    /// launch advances it by at most two days, however long ago the previous one was.
    public var maximumAge: Duration = .seconds(30 * 24 * 60 * 60)

    /// Creates a policy with the default of each limit.
    public init() {}
}

/// The handling of windows after crashes. For the reasons, see <doc:Recovery>.
public struct CrashPolicy: Hashable, Sendable {
    /// The longest time between two crashes of a loop, measured from when each was noticed.
    public var loopPeriod: Duration = .seconds(5 * 60)
    /// The number of crashes in a loop after which the windows are set aside.
    public var crashesUntilSetAside = 2
    /// The number of crashes in a loop after which a safe mode is advised.
    public var crashesUntilSafeMode = 3
    /// The age from which a session that ended in a crash is set aside. A running process writes a
    /// sign of life to the store after each sixth of this time.
    public var maximumAge: Duration = .seconds(6 * 60 * 60)
    /// The time without a crash after which a launch counts as successful.
    public var stableAfter: Duration = .seconds(60)
    /// The time to keep a session that was set aside and acknowledged, measured as
    /// ``ClosedTabPolicy/maximumAge`` is.
    public var setAsideAge: Duration = .seconds(30 * 24 * 60 * 60)
    /// The number of acknowledged sessions to keep set aside.
    public var maximumSetAside = 10
    /// Whether this process can be killed, for example by a debugger, without counting as crashed.
    /// Its windows then always come back. The default is `true` if the environment variable
    /// `BROWSER_SESSIONS_DEVELOPMENT` is set and neither empty nor `0`.
    public var isDevelopment = LaunchEnvironment.isDevelopment

    /// Creates a policy with the default of each rule.
    public init() {}
}
