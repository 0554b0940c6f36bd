public import BrowserSessions

/// Where and how a tab is inserted.
public struct TabInsertion: Hashable, Sendable {
    /// The index wanted; `nil` leaves it to the list: behind the last tab that the opener has
    /// opened from its present page, else right behind the opener, else at the end. An index that
    /// the order of pinned tabs and groups forbids is moved to the nearest end of what is allowed.
    public var index: Int?
    /// The tab from which it was opened.
    public var opener: TabID?
    /// Whether the active tab is the opener, unless ``opener`` names one.
    public var inheritsOpener: Bool
    /// Whether it becomes the active tab.
    public var activates: Bool
    /// Whether it is pinned. Not heeded if its opener is in a group and there is no ``index``: it
    /// joins the group then.
    public var isPinned: Bool
    /// The group that it joins.
    public var group: TabGroupID?

    public init(
        at index: Int? = nil, opener: TabID? = nil, inheritsOpener: Bool = false,
        activates: Bool = false, isPinned: Bool = false, group: TabGroupID? = nil
    ) {
        self.index = index
        self.opener = opener
        self.inheritsOpener = inheritsOpener
        self.activates = activates
        self.isPinned = isPinned
        self.group = group
    }

    /// Where the list thinks best, in the background.
    public static let automatic = TabInsertion()
    /// Where the list thinks best, and active.
    public static let active = TabInsertion(activates: true)
}
