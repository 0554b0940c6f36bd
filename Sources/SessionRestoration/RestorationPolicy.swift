public import BrowserSessions

/// The rules by which a ``SessionRestorer`` saves and restores. The defaults suit a browser.
public struct RestorationPolicy: Sendable {
    /// How long the first change waits for others before they are saved together. Later changes do
    /// not extend it, so at most this much is lost when the process is killed.
    public var saveDelay: Duration = .milliseconds(2500)
    /// What delayed saves survive; `nil` leaves it to the store. Saves that somebody awaits, and
    /// those of a window that goes to the background, survive all that the store can.
    public var durability: Durability?
    /// How long to wait after failed saves, one after the other; the last is repeated.
    public var retryDelays: [Duration] = [
        .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(15), .seconds(30),
        .seconds(60),
    ]
    /// A save that takes longer makes the health ``SaveHealth/stalled(since:)``.
    public var stallLimit: Duration = .seconds(10)
    /// How long anybody waits for an answer of the store. Then the call counts as failed with an unknown
    /// effect; what changes the same side waits until the store has ended it, or another takes its place.
    public var answerLimit: Duration = .seconds(60)
    /// Names of blobs that the host keeps with its tabs, beside the history and the native state: by
    /// default the page's icon. A name is written as text: `[.icon, "example.notes"]`.
    public var extraStates: [StateName] = [.icon]
    /// How long a save that somebody awaits, and a tab that is closed or unloaded, wait for a page that is
    /// asked for its state. What it says later comes with a later save. WebKit writes down where a page is
    /// scrolled to 300 ms after that has ended, and at no other time.
    public var flushLimit: Duration = .milliseconds(500)
    /// How many tabs may have their page at the same time; beyond that the pages of those that were
    /// shown the longest ago are taken away. `nil` for any number.
    public var maximumRealizedTabs: Int?
    /// What happens to off-the-record tabs.
    public var incognito: IncognitoPolicy = .restore
    /// What happens to windows after crashes.
    public var crashes = CrashPolicy()
    /// Where the process runs; `nil` asks the system. For tests, which make processes up.
    public var launchEnvironment: LaunchEnvironment?
    /// A window that is without tabs after it lost so many or more by `ClosingReason.program` is
    /// not believed: those tabs are set aside.
    public var suspiciousLoss = 2
    /// Windows that close one after the other, each at most so long after the one before, come back at the
    /// next launch if the app ended with them: at most so long after the last one, and no window was left.
    /// See `WindowClosingReason`. `nil` if what the user closed never comes back by itself.
    public var closingGrace: Duration? = .seconds(5)
    /// What is kept of closed tabs and windows.
    public var closed = ClosedTabPolicy()
    /// After how long without use a tab becomes inactive; `nil` for never.
    public var inactiveAge: Duration? = .seconds(21 * 24 * 60 * 60)
    /// Which addresses are not worth keeping when their tab is closed and never went anywhere else.
    public var blankPages: Set<String> = ["", "about:blank", "about:newtab", "about:home"]

    public init() {}
}

/// What happens to off-the-record tabs when the process ends.
public enum IncognitoPolicy: String, Hashable, Sendable {
    /// They are saved on the encrypted side of the store and come back: the system may end an app
    /// at any time, and the user should not notice.
    case restore
    /// They are saved, for a process that is killed while it runs, and dropped at the next launch.
    case dropAtLaunch
    /// They are never given to the store. What an earlier policy left there is deleted at launch.
    case neverSave
}

/// What is kept of closed tabs and windows, and for how long.
public struct ClosedTabPolicy: Hashable, Sendable {
    /// How many closed tabs are kept.
    public var maximumTabs = 100
    /// How many closed windows are kept.
    public var maximumWindows = 25
    /// How long closed tabs and windows are kept. It is counted by the store, not by the wall clock, from
    /// the closing, or for what was imported from the first launch after that: a launch advances it by two
    /// days at most, however much later it is than the last one.
    public var maximumAge: Duration = .seconds(30 * 24 * 60 * 60)

    public init() {}
}

/// What happens to windows after crashes. See the article about recovery for the reasons.
public struct CrashPolicy: Hashable, Sendable {
    /// Crashes of the process one after the other, each noticed within this time after the one
    /// before it, are a loop.
    public var loopPeriod: Duration = .seconds(5 * 60)
    /// How many crashes in a loop set the windows aside.
    public var crashesUntilSetAside = 2
    /// How many crashes in a loop advise to start in a safe mode.
    public var crashesUntilSafeMode = 3
    /// A session that ended in a crash longer ago than this is set aside. A running process leaves
    /// a sign of life in the store each sixth of this time.
    public var maximumAge: Duration = .seconds(6 * 60 * 60)
    /// After so long without a crash a launch counts as successful.
    public var stableAfter: Duration = .seconds(60)
    /// How long what was set aside is kept after it was acknowledged; counted as
    /// ``ClosedTabPolicy/maximumAge`` is.
    public var setAsideAge: Duration = .seconds(30 * 24 * 60 * 60)
    /// How many acknowledged sessions are kept set aside.
    public var maximumSetAside = 10
    /// Whether this process may be killed without being counted as crashed, as by a debugger: its windows
    /// come back whatever happens. True if the environment has `BROWSER_SESSIONS_DEVELOPMENT` with a
    /// value other than the empty one and `0`.
    public var isDevelopment = LaunchEnvironment.isDevelopment

    public init() {}
}
