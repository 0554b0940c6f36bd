public import BrowserSessions

/// What of a profile is cleared.
public struct BrowsingDataKinds: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Tabs of windows that are open or can be opened, pinned and inactive ones, too, and those between two
    /// windows: they are closed and forgotten, open windows stay.
    public static let openTabs = BrowsingDataKinds(rawValue: 1 << 0)
    /// The pages before and after the one that an open tab shows; the tab stays.
    public static let histories = BrowsingDataKinds(rawValue: 1 << 1)
    /// Tabs and windows that were closed, and what "close all" keeps to be undone.
    public static let closed = BrowsingDataKinds(rawValue: 1 << 2)
    /// Sessions that were set aside.
    public static let setAside = BrowsingDataKinds(rawValue: 1 << 3)
    /// The whole off-the-record side: its windows are closed.
    public static let incognito = BrowsingDataKinds(rawValue: 1 << 4)

    /// All of it, what a host keeps on shelves of its own, too: nothing is left but empty windows.
    public static let everything: BrowsingDataKinds = [
        .openTabs, .closed, .setAside, .incognito,
    ]
}

/// What ``BrowsingData/clear(_:)`` has removed.
public struct ClearedData: Hashable, Sendable {
    /// Tabs of open windows and between two windows, without private ones.
    public var openTabs = 0
    /// Open tabs that lost the pages before and after the one that they show.
    public var histories = 0
    /// Open tabs whose content could not forget them: see `WebEngine.forgetOtherPages(in:)`.
    public var keptHistories: [TabID] = []
    public var closedTabs = 0
    public var setAside = 0
    public var incognitoTabs = 0
    /// What was saved and not open: closed windows, sessions set aside, backups, unreadable ones.
    public var sessions: [SessionID] = []
    /// Whether no file of the store has a byte of it any more, nor earlier generations or quarantine.
    /// `false` if the store cannot do that: see `StorageTraits.removalErasure`.
    public var isErased = false

    public init() {}
}
