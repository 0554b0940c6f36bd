import BrowserSessions

/// A part of a session in addition to the addresses, titles and order that every format holds.
public enum SessionPart: String, Hashable, Sendable, CaseIterable {
    /// Tabs that are too large for the format.
    case tabs
    /// Histories that are in the store but cannot be read. Their tabs keep the address.
    case unreadableHistories
    /// Windows without a tab, which no desktop browser has.
    case emptyWindows
    /// The titles of windows. Sessions without a title are not counted.
    case windowTitles
    /// Which tab of a session is active, counted once for each session that has an active tab.
    case activeTabs
    /// The pins of tabs. The tabs themselves are in the files.
    case pins
    /// The groups of tabs. The tabs themselves are in the files.
    case groups
    /// Group titles that are too long for the format.
    case groupTitles
    /// The colors of groups. Gray is not counted.
    case groupColors
    /// Which groups are collapsed. Expanded groups are not counted.
    case collapsedGroups
    /// Nested groups, which the files have under the names of their paths, splits, spaces and other
    /// nodes that are no groups of tabs, and tabs below other tabs. The tabs themselves are in the
    /// files.
    case structure
    /// The containers of tabs. The tabs themselves are in the files, but a browser opens them as if they
    /// were in none, where the user may be logged in as somebody else or not at all.
    case containers
    /// The entries before and after the one that is shown.
    case histories
    /// The address to show, if it differs from the one that is loaded.
    case displayAddresses
    /// The entries of frames inside a page.
    case frames
    /// Scroll positions and form data, as the original browser wrote them. Only that browser's own
    /// format can hold them.
    case pageStates
    /// Titles of history entries that are too long for the format.
    case entryTitles
    /// The addresses of the pages that led to history entries.
    case referrers
    /// The kind of page that an entry requested.
    case userAgents
    /// The headers of the requests that led to pages, counted once for each history entry.
    case requestHeaders
    /// When pages were visited. Unknown times are not counted.
    case entryTimes
    /// When tabs were opened. Unknown times are not counted.
    case creationTimes
    /// When the user last saw tabs. Unknown times are not counted.
    case lastUseTimes
    /// The tabs from which other tabs were opened.
    case openers
    /// The addresses of tabs' icons.
    case icons
    /// The bytes of an engine, and all other state blobs except the history.
    case engineStates
    /// The attributes of hosts and other browsers. A browser's format holds those with its own name.
    case properties
    /// Tabs of closed windows that can be opened again.
    case closedWindows
    /// Closed tabs that can be opened again, without those of closed windows.
    case closedTabs
    /// Tabs of open windows that were not used for a long time, and so are not in the tab list.
    case inactiveTabs
    /// Tabs that were set aside after a crash or kept for later.
    case setAsideTabs
    /// Incognito tabs that the format cannot hold, or that were not requested with
    /// ``SessionExporter/includesIncognito``.
    case incognitoTabs

    /// Returns a count for people: `1 page state`, `3 page states`.
    public func text(_ count: Int) -> String {
        let (one, many) = names
        return "\(count) \(count == 1 ? one : many)"
    }

    /// The singular and the plural.
    private var names: (String, String) {
        switch self {
        case .tabs: ("tab", "tabs")
        case .unreadableHistories: ("history that cannot be read", "histories that cannot be read")
        case .emptyWindows: ("window without tabs", "windows without tabs")
        case .windowTitles: ("window title", "window titles")
        case .activeTabs: ("active tab", "active tabs")
        case .pins: ("pin", "pins")
        case .groups: ("group", "groups")
        case .groupTitles: ("group title", "group titles")
        case .groupColors: ("group colour", "group colours")
        case .collapsedGroups: ("collapsed group", "collapsed groups")
        case .structure: ("place in a tree", "places in a tree")
        case .containers: ("container of a tab", "containers of tabs")
        case .histories: ("history entry", "history entries")
        case .displayAddresses: ("shown address", "shown addresses")
        case .frames: ("page with frames", "pages with frames")
        case .pageStates: ("page state", "page states")
        case .entryTitles: ("title of an entry", "titles of entries")
        case .referrers: ("referrer", "referrers")
        case .userAgents: ("entry with a user agent", "entries with user agents")
        case .requestHeaders: ("entry with request headers", "entries with request headers")
        case .entryTimes: ("time of an entry", "times of entries")
        case .creationTimes: ("creation time", "creation times")
        case .lastUseTimes: ("time of last use", "times of last use")
        case .openers: ("opener", "openers")
        case .icons: ("icon address", "icon addresses")
        case .engineStates: ("state of an engine", "states of engines")
        case .properties: ("property", "properties")
        case .closedWindows: ("tab of a closed window", "tabs of closed windows")
        case .closedTabs: ("closed tab", "closed tabs")
        case .inactiveTabs: ("inactive tab", "inactive tabs")
        case .setAsideTabs: ("tab that was set aside", "tabs that were set aside")
        case .incognitoTabs: ("incognito tab", "incognito tabs")
        }
    }
}

extension SessionPart {
    /// Returns the number of these parts in a session; 0 for parts that only a writer can know.
    func count(in session: ExportedSession) -> Int {
        let (attributes, tabs) = (session.attributes, session.tabs)
        func count(_ isThere: (TabMetadata) -> Bool) -> Int { tabs.count { isThere($0.metadata) } }
        func entries(_ isThere: (NavigationEntry) -> Bool) -> Int {
            tabs.reduce(0) { $0 + $1.history.entries.count(where: isThere) }
        }
        return switch self {
        case .windowTitles: attributes.title.isEmpty ? 0 : 1
        case .activeTabs: attributes.activeTab == nil ? 0 : 1
        case .pins: count(\.isPinned)
        case .groups: session.groups.count
        case .groupColors: session.groups.count { $0.color != .grey }
        case .collapsedGroups: session.groups.count(where: \.isCollapsed)
        case .structure: session.hiddenCount
        case .containers: count { $0.container != nil }
        case .histories: tabs.reduce(0) { $0 + max($1.history.entries.count - 1, 0) }
        case .displayAddresses: entries { !$0.displayURL.isEmpty }
        case .frames: entries { !$0.subframes.isEmpty }
        case .pageStates: entries { !$0.pageState.isEmpty }
        case .referrers: entries { !$0.referrer.isEmpty }
        case .userAgents: entries { $0.userAgent != .unspecified }
        case .requestHeaders: entries { !$0.requestHeaders.isEmpty }
        case .entryTimes: entries { $0.time != .unknown }
        case .creationTimes: count { $0.createdAt != .unknown }
        case .lastUseTimes: count { $0.lastActiveAt != .unknown }
        case .openers: count { $0.opener != nil }
        case .icons: count { !$0.faviconURL.isEmpty }
        case .engineStates: tabs.reduce(0) { $0 + $1.otherStates }
        case .properties:
            tabs.reduce(ExportLosses.count(attributes.properties)) { count, tab in
                let own = ExportLosses.count(tab.metadata.properties)
                return tab.history.entries.reduce(count + own) { $0 + $1.properties.count }
            }
        // Parts that are left out as a whole, and parts that only a writer can know.
        case .closedWindows, .closedTabs, .inactiveTabs, .setAsideTabs, .incognitoTabs, .tabs,
            .emptyWindows, .unreadableHistories, .entryTitles, .groupTitles:
            0
        }
    }
}
