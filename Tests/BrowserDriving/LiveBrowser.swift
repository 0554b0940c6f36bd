/// What a browser has open, as it says itself; also what it is asked to open.
public struct LiveBrowser: Codable, Hashable, Sendable {
    public var windows: [LiveWindow]
    /// The index of the window that was in front last.
    public var focused: Int

    public init(windows: [LiveWindow], focused: Int = 0) {
        self.windows = windows
        self.focused = focused
    }

    public var tabs: [LiveTab] { windows.flatMap(\.tabs) }
}

/// An open window.
public struct LiveWindow: Codable, Hashable, Sendable {
    public var tabs: [LiveTab]
    /// The index of the tab that is shown.
    public var active: Int

    public init(tabs: [LiveTab], active: Int = 0) {
        self.tabs = tabs
        self.active = active
    }
}

/// An open tab.
public struct LiveTab: Codable, Hashable, Sendable {
    /// Oldest first.
    public var entries: [LiveEntry]
    /// Where in its history it stands.
    public var index: Int
    public var isPinned: Bool
    public var group: LiveGroup?

    public init(
        entries: [LiveEntry], index: Int = 0, isPinned: Bool = false, group: LiveGroup? = nil
    ) {
        self.entries = entries
        self.index = index
        self.isPinned = isPinned
        self.group = group
    }
}

/// An entry of a tab's history.
public struct LiveEntry: Codable, Hashable, Sendable {
    public var url: String
    public var title: String

    public init(url: String, title: String) {
        self.url = url
        self.title = title
    }
}

/// The group that a tab is in. Neighbours in equal groups are in the same one.
public struct LiveGroup: Codable, Hashable, Sendable {
    public var title: String
    /// Its English name; both browsers' grey is `grey`.
    public var color: String
    public var isCollapsed: Bool

    public init(title: String, color: String, isCollapsed: Bool = false) {
        self.title = title
        self.color = color
        self.isCollapsed = isCollapsed
    }
}

/// A browser that runs.
public protocol DrivenBrowser: AnyObject {
    /// The product and version, as it names itself.
    var version: String { get throws }
    /// Opens windows with tabs, and closes what is there.
    func open(_ browser: LiveBrowser) throws
    /// What it has open, as soon as there are so many tabs, or after 20 s what there is then.
    func state(tabs count: Int) throws -> LiveBrowser
    /// What it offers to open again: the addresses of the tabs of each closed window, and of each tab
    /// that was closed alone.
    func recentlyClosed() throws -> [[String]]
    /// Ends it in order, and returns when it has ended.
    func close() throws
    /// Kills it, as a crash would.
    func kill()
}
