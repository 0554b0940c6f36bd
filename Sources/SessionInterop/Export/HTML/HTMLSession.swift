import BrowserSessions

/// The content of a page about one session.
struct HTMLSession {
    private let id: SessionID?
    private let number: Int
    private let attributes: SessionAttributes
    private let groups: [StructureNode]
    /// The groups of tabs that the page does not show where they are.
    private let groupOf: [TabID: TabGroupID]
    /// The indexes of groups in the list of groups.
    private let places: [TabGroupID: Int]
    private(set) var tabCount = 0
    /// Whether it is a space of a library.
    var isSpace = false
    /// The title of the tab that the session shows; empty if there is none.
    private let shownTitle: String

    init(
        id: SessionID? = nil, number: Int = 0, attributes: SessionAttributes = .init(),
        _ list: FlatTabList = FlatTabList(tabs: [], nodes: [])
    ) {
        self.id = id
        groups = list.groups
        let shown = list.tabs.first { $0.id == attributes.activeTab } ?? list.tabs.first
        shownTitle = shown.map { Shown.title(of: $0) } ?? ""
        groupOf =
            list.hiddenCount == 0
            ? [:]
            : Dictionary(
                list.tabs.compactMap { tab in tab.group.map { (tab.id, $0) } },
                uniquingKeysWith: { first, _ in first })
        self.number = number
        self.attributes = attributes
        places = Dictionary(
            groups.enumerated().map { ($1.id, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The name of the session; a window without one goes by the tab that it shows.
    var heading: String {
        let heading = Shown.heading(id?.kind ?? .regular, attributes, number: number)
        if isSpace { return heading + " – space" }
        let isUnnamed = attributes.title.isEmpty && id?.kind.role == .window
        return isUnnamed && !shownTitle.isEmpty ? "\(heading): \(shownTitle)" : heading
    }

    func value(losses: [String]) -> JSONValue {
        .object([
            "closedAt": .optional(
                attributes.closedAt.map { .integer($0.microseconds) }),
            "groups": .array(
                groups.map { group in
                    .object([
                        "color": .integer(Int64(group.color.rawValue)),
                        "isCollapsed": .bool(group.isCollapsed),
                        "title": .string(group.name),
                    ])
                }),
            "isSpace": .bool(isSpace),
            "kind": .string(id?.kind.rawValue ?? ""),
            "lastActiveAt": .integer(attributes.lastActiveAt.microseconds),
            "losses": .array(losses.map { .string($0) }),
            "number": .integer(Int64(number)),
            "title": .string(attributes.title),
        ])
    }

    private func place(of tab: TabMetadata) -> Int? {
        (groupOf[tab.id] ?? tab.group).flatMap { places[$0] }
    }

    /// Returns the value of the next tab.
    mutating func value(of tab: TabMetadata, _ history: HTMLHistory) -> JSONValue {
        tabCount += 1
        return .object([
            "createdAt": .integer(tab.createdAt.microseconds),
            "entries": .integer(history.count ?? Int64(max(tab.navigationItemCount, 0))),
            "group": .optional(place(of: tab).map { .integer(Int64($0)) }),
            "isActive": .bool(tab.id == attributes.activeTab),
            "isHistoryUnreadable": .bool(history == .unreadable),
            "isPinned": .bool(tab.isPinned),
            "lastActiveAt": .integer(tab.lastActiveAt.microseconds),
            "title": .string(tab.title),
            "url": .string(tab.url),
        ])
    }

    /// Adds the same tab to the plain list.
    func list(_ tab: TabMetadata, _ history: HTMLHistory, in list: inout HTMLText) {
        let title = Shown.title(of: tab)
        list.raw("<li>")
        if let target = HTMLText.target(tab.url) {
            list.raw("<a rel=\"noreferrer noopener\" href=\"\(target)\">")
            list.foreign(title)
            list.raw("</a>")
        } else {
            list.foreign(title)
        }
        if let group = place(of: tab).map({ groups[$0] }) {
            list.raw(" in ")
            list.foreign(Shown.title(of: group))
        }
        if tab.isPinned { list.raw(", pinned") }
        if tab.id == attributes.activeTab { list.raw(", active") }
        if history == .unreadable { list.raw("; its history could not be read") }
        list.raw("<small>")
        list.foreign(tab.url)
        list.raw("</small></li>\n")
    }
}

/// The history of a tab as it was found.
enum HTMLHistory: Hashable {
    case absent
    case unreadable
    case known(NavigationHistory)

    init(of tab: TabSnapshot) {
        guard let bytes = tab.states[.navigation] else {
            self = .absent
            return
        }
        let history = try? NavigationHistory(encoded: bytes)
        self = history.map { .known($0) } ?? .unreadable
    }

    /// The number of entries; `nil` if it is unknown.
    var count: Int64? {
        if case .known(let history) = self { Int64(history.entries.count) } else { nil }
    }

    var value: JSONValue {
        guard case .known(let history) = self else { return .null }
        return .object([
            "current": .optional(history.currentIndex.map { .integer(Int64($0)) }),
            "entries": .array(
                history.entries.map { entry in
                    .object([
                        "time": .integer(entry.time.microseconds),
                        "title": .string(entry.title),
                        "url": .string(entry.url),
                    ])
                }),
        ])
    }
}
