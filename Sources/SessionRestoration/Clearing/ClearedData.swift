public import BrowserSessions

/// The kinds of a profile's data to clear.
public struct BrowsingDataKinds: OptionSet, Hashable, Sendable {
    /// A bit for each kind.
    public let rawValue: Int

    /// Creates a set of kinds from their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The tabs of windows that are open or can be opened, including pinned and inactive tabs and
    /// tabs between two windows. The tabs are closed and forgotten; open windows stay.
    public static let openTabs = BrowsingDataKinds(rawValue: 1 << 0)
    /// The pages before and after the current page of each open tab. The tabs stay.
    public static let histories = BrowsingDataKinds(rawValue: 1 << 1)
    /// Closed tabs and windows, and the tabs that an undo of "close all" would bring back.
    public static let closed = BrowsingDataKinds(rawValue: 1 << 2)
    /// The sessions that were set aside.
    public static let setAside = BrowsingDataKinds(rawValue: 1 << 3)
    /// The entire off-the-record partition. Its windows are closed.
    public static let incognito = BrowsingDataKinds(rawValue: 1 << 4)

    /// All kinds of data, including what a host keeps on its own shelves. Only empty windows remain.
    public static let everything: BrowsingDataKinds = [
        .openTabs, .closed, .setAside, .incognito,
    ]
}

/// The data that ``BrowsingData/clear(_:)`` removed.
public struct ClearedData: Hashable, Sendable {
    /// The number of regular tabs that were in open windows or between two windows.
    public var openTabs = 0
    /// The number of open tabs that lost the pages before and after their current page.
    public var histories = 0
    /// The open tabs that could not forget these pages. See `WebEngine.forgetOtherPages(in:)`.
    public var keptHistories: [TabID] = []
    /// The number of tabs that were recently closed or that an undo of "close all" would bring
    /// back. Closed windows are in ``sessions``.
    public var closedTabs = 0
    /// The number of sessions that were set aside.
    public var setAside = 0
    /// The number of off-the-record tabs that were in open windows.
    public var incognitoTabs = 0
    /// The saved sessions that were not open: closed windows, sessions set aside, backups, unreadable ones.
    public var sessions: [SessionID] = []
    /// Whether no file of the store contains a byte of the data, including restore points and the
    /// quarantine. `false` if the store does not support this; see `StorageTraits.removalErasure`.
    public var isErased = false

    /// Creates a value in which nothing was removed.
    public init() {}
}
