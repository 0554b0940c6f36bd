import BrowserSessions

/// The content of a page about one session.
struct HTMLSession {
    private let session: ExportedSession
    private let number: Int
    /// The indexes of groups in the list of groups.
    private let places: [NodeID: Int]

    init(_ session: ExportedSession, number: Int) {
        (self.session, self.number) = (session, number)
        places = Dictionary(firstOf: session.groups.enumerated().map { ($1.id, $0) })
    }

    /// The title of the tab that the session shows; empty if there is none.
    private var shownTitle: String {
        let active = session.activeIndex.map { session.tabs[$0] }
        return (active ?? session.tabs.first).map { Shown.title(of: $0.metadata) } ?? ""
    }

    /// The name of the session; a window without one goes by the tab that it shows.
    var heading: String {
        let (kind, attributes) = (session.id.kind, session.attributes)
        let heading = Shown.heading(kind, attributes, number: number)
        if session.isSpace { return heading + " – space" }
        let isUnnamed = attributes.title.isEmpty && kind.role == .window
        return isUnnamed && !shownTitle.isEmpty ? "\(heading): \(shownTitle)" : heading
    }

    var value: JSONValue {
        let attributes = session.attributes
        return .object([
            "closedAt": .optional(attributes.closedAt.map { .integer($0.microseconds) }),
            "groups": .array(
                session.groups.map { group in
                    .object([
                        "color": .integer(Int64(group.color.rawValue)),
                        "isCollapsed": .bool(group.isCollapsed),
                        "title": .string(group.name),
                    ])
                }),
            "isSpace": .bool(session.isSpace),
            "kind": .string(session.id.kind.rawValue),
            "lastActiveAt": .integer(attributes.lastActiveAt.microseconds),
            "losses": .array(session.losses.map { .string($0) }),
            "number": .integer(Int64(number)),
            "title": .string(attributes.title),
        ])
    }

    private func place(of tab: TabMetadata) -> Int? { tab.group.flatMap { places[$0] } }

    func value(of exported: ExportedTab) -> JSONValue {
        let tab = exported.metadata
        let count =
            exported.origin == .saved
            ? exported.history.entries.count : Int(max(tab.navigationItemCount, 0))
        return .object([
            "createdAt": .integer(tab.createdAt.microseconds),
            "entries": .integer(Int64(count)),
            "group": .optional(place(of: tab).map { .integer(Int64($0)) }),
            "isActive": .bool(tab.id == session.attributes.activeTab),
            "isHistoryUnreadable": .bool(exported.origin == .unreadable),
            "isPinned": .bool(tab.isPinned),
            "lastActiveAt": .integer(tab.lastActiveAt.microseconds),
            "title": .string(tab.title),
            "url": .string(tab.url),
        ])
    }

    /// Returns the saved history of a tab; null if there is none that can be read.
    func history(of tab: ExportedTab) -> JSONValue {
        guard tab.origin == .saved else { return .null }
        return .object([
            "current": .optional(tab.history.currentIndex.map { .integer(Int64($0)) }),
            "entries": .array(
                tab.history.entries.map { entry in
                    .object([
                        "time": .integer(entry.time.microseconds),
                        "title": .string(entry.title),
                        "url": .string(entry.url),
                    ])
                }),
        ])
    }

    /// Adds a tab to the plain list.
    func list(_ exported: ExportedTab, in list: inout HTMLText) {
        let tab = exported.metadata
        let title = Shown.title(of: tab)
        list.raw("<li>")
        if let target = HTMLText.target(tab.url) {
            list.raw("<a rel=\"noreferrer noopener\" href=\"\(target)\">")
            list.foreign(title)
            list.raw("</a>")
        } else {
            list.foreign(title)
        }
        if let group = place(of: tab).map({ session.groups[$0] }) {
            list.raw(" in ")
            list.foreign(Shown.title(of: group))
        }
        if tab.isPinned { list.raw(", pinned") }
        if tab.id == session.attributes.activeTab { list.raw(", active") }
        if exported.origin == .unreadable { list.raw("; its history could not be read") }
        list.raw("<small>")
        list.foreign(tab.url)
        list.raw("</small></li>\n")
    }
}
