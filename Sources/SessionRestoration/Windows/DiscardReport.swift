public import BrowserSessions

/// What became of windows that were to be discarded. Each identifier is in one of the lists.
public struct DiscardReport: Hashable, Sendable {
    /// Everything that was saved of them is gone.
    public var discarded: [WindowID] = []
    /// Nothing was saved of them.
    public var unknown: [WindowID] = []
    /// They are open or reserved: discard them again when they are closed.
    public var postponed: [WindowID] = []
    /// They never name a window, so what is saved under them belongs to none.
    public var sentinels: [WindowID] = []
    /// Whether the off-the-record side was deleted as a whole, since none of its tabs is left.
    public var incognitoWasDeleted = false

    public init() {}
}

/// What ``SavedWindows/purge()`` removed because no rule keeps it any more.
public struct PurgeReport: Hashable, Sendable {
    /// Closed windows beyond the limits of number and age.
    public var windows: [WindowID] = []
    /// Windows that were closed when they had no tab, nor any inactive one.
    public var emptyWindows: [WindowID] = []
    /// Closed tabs beyond these limits.
    public var closedTabs: [TabID] = []
    /// Windows of which all tabs were closed more than a day ago: their tabs are among the recently
    /// closed ones now.
    public var confirmed: [WindowID] = []

    public init() {}
}
