import BrowserSessions

@testable import SessionInterop

/// What a format holds of a session, with everything else taken away and without identifiers, which
/// a file does not keep: equal if and only if nothing that it holds was lost.
struct ComparableSession: Hashable {
    var place: String
    var attributes: SessionAttributes
    var activeTab: Int?
    var groups: [StructureNode]
    var tabs: [Tab]

    struct Tab: Hashable {
        var metadata: TabMetadata
        var group: Int?
        var opener: [Int]?
        var history: NavigationHistory
        var states: [StateName: [UInt8]]
    }

    init(_ session: SessionSnapshot, in format: ExportFormat) {
        let holds = format.holds
        place = Self.place(of: session, in: format)
        attributes = session.attributes
        attributes.createdAt = .unknown
        attributes.lastActiveAt = .unknown
        attributes.keep(holds, of: format)
        let ids = session.tabs.map(\.metadata.id)
        if holds.contains(.activeTabs), place == session.id.kind.rawValue {
            activeTab = session.attributes.activeTab.flatMap { ids.firstIndex(of: $0) }
        }
        attributes.activeTab = nil
        let nodes = session.nodes.map(\.id)
        groups = (holds.contains(.groups) ? session.nodes : []).map {
            StructureNode.group(
                id: NodeID(high: 0, low: 0), name: $0.name,
                color: holds.contains(.groupColors) ? $0.color : .grey,
                isCollapsed: holds.contains(.collapsedGroups) ? $0.isCollapsed : false)
        }
        tabs = session.tabs.map { Tab($0, ids, nodes, format) }
    }

    /// Desktop browsers have no other place for what is not open.
    private static func place(of session: SessionSnapshot, in format: ExportFormat) -> String {
        let isDesktop = format == .firefox || format == .chromium
        let isPutAway = [.inactive, .setAside].contains(session.id.kind)
        let isClosed = session.attributes.closedAt != nil || isDesktop && isPutAway
        return isClosed ? "closed" : session.id.kind.rawValue
    }
}

extension ComparableSession.Tab {
    init(
        _ tab: TabSnapshot, _ ids: [TabID], _ groups: [NodeID], _ format: ExportFormat
    ) {
        let holds = format.holds
        var metadata = tab.metadata
        group =
            holds.contains(.groups) ? metadata.group.flatMap { groups.firstIndex(of: $0) } : nil
        opener = metadata.opener.flatMap { opener in
            holds.contains(.openers)
                ? ids.firstIndex(of: opener.tab).map { [$0, Int(opener.navigationIndex)] } : nil
        }
        (metadata.group, metadata.opener) = (nil, nil)
        metadata.id = TabID(high: 0, low: 0)
        metadata.place = .between(nil, and: nil)
        metadata.closedFrom?.session = ""
        metadata.keep(holds, of: format)
        let saved = tab.states[.navigation].flatMap { try? NavigationHistory(encoded: $0) }
        var history =
            saved ?? NavigationHistory(url: tab.metadata.url, title: tab.metadata.title)
        if !holds.contains(.histories) {
            history = NavigationHistory(url: metadata.url, title: metadata.title)
        }
        for index in history.entries.indices { history.entries[index].keep(holds, of: format) }
        metadata.navigationItemCount = Int32(history.entries.count)
        self.history = history
        self.metadata = metadata
        states = format == .chromeIOS || format == .firefoxIOS ? tab.states : [:]
        states = states.filter { $0.key == .native }
    }
}

extension ExportFormat {
    /// How the names of a browser's own properties begin; `nil` for lists.
    var ownPrefix: String? {
        switch self {
        case .firefox: "firefox."
        case .chromium: "chromium."
        case .chromeIOS: "chrome-ios."
        case .firefoxIOS: "firefox-ios."
        default: nil
        }
    }

    fileprivate func own(_ properties: [String: String]) -> [String: String] {
        // Notes of a reader, about the session or the file.
        let notes: Set<String> = [
            "firefox.is-selected-window", "firefox.zIndex", "firefox.split-view",
            "chromium.is-active", "chrome-ios.session-id",
        ]
        return properties.filter { name, _ in
            (ownPrefix.map { name.hasPrefix($0) } ?? false) && !notes.contains(name)
        }
    }

    fileprivate func isOwn(_ pageState: [UInt8]) -> Bool {
        switch self {
        case .firefox: JSONParser.parse(pageState).failures.isEmpty
        case .chromium: PickleReader(pageState[...]) != nil
        default: false
        }
    }
}

extension SessionAttributes {
    fileprivate mutating func keep(_ holds: Set<SessionPart>, of format: ExportFormat) {
        if !holds.contains(.windowTitles) { title = "" }
        properties = format.own(properties)
        properties["chromium.window-type"] = nil
    }
}

extension TabMetadata {
    fileprivate mutating func keep(_ holds: Set<SessionPart>, of format: ExportFormat) {
        properties = format.own(properties)
        if !holds.contains(.pins) { isPinned = false }
        if !holds.contains(.icons) { faviconURL = "" }
        createdAt = holds.contains(.creationTimes) ? createdAt : .unknown
        guard holds.contains(.lastUseTimes) else {
            lastActiveAt = .unknown
            return
        }
        // Firefox counts milliseconds.
        if format == .firefox { lastActiveAt.microseconds -= lastActiveAt.microseconds % 1000 }
    }
}

extension NavigationEntry {
    fileprivate mutating func keep(_ holds: Set<SessionPart>, of format: ExportFormat) {
        if !holds.contains(.displayAddresses) { displayURL = "" }
        if !holds.contains(.frames) { subframes = [] }
        if !holds.contains(.referrers) { (referrer, referrerPolicy) = ("", 0) }
        if format == .firefox { referrerPolicy = 0 }
        if !holds.contains(.requestHeaders) { requestHeaders = [] }
        if !holds.contains(.entryTimes) { time = .unknown }
        if format != .chromeIOS && !(format == .chromium && userAgent == .desktop) {
            userAgent = .unspecified
        }
        if !format.isOwn(pageState) { pageState = [] }
        properties = format.own(properties)
        for index in subframes.indices { subframes[index].keep(holds, of: format) }
    }
}
