public import BrowserSessions

/// The result of discarding windows. Each identifier is in one of the lists.
public struct DiscardReport: Hashable, Sendable {
    /// The windows with saved data that was deleted.
    public var discarded: [WindowID] = []
    /// The windows without saved data.
    public var unknown: [WindowID] = []
    /// The windows that are open or reserved. Discard them again when they are closed.
    public var postponed: [WindowID] = []
    /// The identifiers that never name a window, so that data saved under them belongs to none.
    public var sentinels: [WindowID] = []
    /// Whether the entire off-the-record partition was deleted, because none of its tabs was left.
    public var incognitoWasDeleted = false

    /// Creates a report without windows.
    public init() {}
}

/// The items that ``SavedWindows/purge()`` removed because no rule keeps them any longer.
public struct PurgeReport: Hashable, Sendable {
    /// The closed windows beyond the limits of number and age.
    public var windows: [WindowID] = []
    /// The windows that had no tab, not even an inactive one, when they were closed.
    public var emptyWindows: [WindowID] = []
    /// The closed tabs beyond these limits.
    public var closedTabs: [TabID] = []
    /// The windows with a "close all" of more than a day ago. Their tabs are now among the recently
    /// closed tabs.
    public var confirmed: [WindowID] = []

    /// Creates a report without items.
    public init() {}
}
