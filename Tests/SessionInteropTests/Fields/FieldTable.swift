@testable import BrowserSessions

/// A record with all of its properties set, and the same with each of them changed.
struct FieldTable<Record: Equatable & Sendable>: Sendable {
    struct Change: Sendable {
        /// The name of the property that alone differs.
        var field: String
        var record: Record
    }

    let base: Record
    let changes: [Change]

    init(_ base: Record, _ changes: [(field: String, change: (inout Record) -> Void)]) {
        self.base = base
        self.changes = changes.map { field, change in
            var record = base
            change(&record)
            return Change(field: field, record: record)
        }
    }

    /// What is wrong with the table: a stored property without a change, or a change of another one.
    var mistakes: [String] {
        let fields = Self.fields(of: base)
        let known = Set(changes.map(\.field))
        return fields.keys.filter { !known.contains($0) }.sorted().map { "\($0) is never changed" }
            + changes.filter { change in
                let changed = Self.fields(of: change.record).filter { $0.value != fields[$0.key] }
                return Array(changed.keys) != [change.field]
            }.map { "\($0.field) is not what changes" }
    }

    /// The stored properties, as text.
    private static func fields(of record: Record) -> [String: String] {
        var fields: [String: String] = [:]
        for child in Mirror(reflecting: record).children {
            if let label = child.label { fields[label] = String(reflecting: child.value) }
        }
        return fields
    }
}

/// Tables of all that is saved of sessions. A property that is added needs a change of it here, and the tests
/// show where it is lost.
enum FieldTables {
    static let tabs = (0..<5).map { TabID(high: 5, low: $0) }
    static let groups = (0..<3).map { TabGroupID(high: 6, low: $0) }
    /// Fields of a newer version: number 1000 with the values 1 and 2.
    static let unknown: [UInt8] = [0xC0, 0x3E, 1]
    static let otherUnknown: [UInt8] = [0xC0, 0x3E, 2]

    private static func openerBase() -> TabOpener {
        var opener = TabOpener(tab: tabs[0], navigationIndex: 3)
        opener.unknownFields = unknown
        return opener
    }

    static let opener = FieldTable(
        openerBase(),
        [
            ("tab", { $0.tab = tabs[1] }), ("navigationIndex", { $0.navigationIndex = 4 }),
            ("unknownFields", { $0.unknownFields = otherUnknown }),
        ])

    private static func tabBase() -> TabMetadata {
        var tab = TabMetadata(
            id: tabs[2], place: OrderKey.evenlySpaced(count: 9)[4], url: "https://a.example/",
            title: "a title", faviconURL: "https://a.example/icon",
            createdAt: Timestamp(microseconds: 1_000_001),
            lastActiveAt: Timestamp(microseconds: 2_000_002), navigationItemCount: 2,
            group: groups[0], opener: opener.base, properties: ["key": "value"])
        tab.unknownFields = unknown
        return tab
    }

    static let tab = FieldTable(
        tabBase(),
        [
            ("id", { $0.id = tabs[4] }),
            ("place", { $0.place = OrderKey.evenlySpaced(count: 9)[5] }),
            ("url", { $0.url = "https://b.example/" }), ("title", { $0.title = "b title" }),
            ("faviconURL", { $0.faviconURL = "" }),
            ("createdAt", { $0.createdAt.microseconds += 1 }),
            ("lastActiveAt", { $0.lastActiveAt.microseconds += 1 }),
            ("navigationItemCount", { $0.navigationItemCount = 1 }),
            ("isPinned", { $0.isPinned = true }), ("group", { $0.group = groups[1] }),
            ("opener", { $0.opener = nil }), ("properties", { $0.properties = ["key": "other"] }),
            ("unknownFields", { $0.unknownFields = otherUnknown }),
        ])

    private static func groupBase() -> TabGroup {
        var group = TabGroup(
            id: groups[0], title: "a group", color: .purple, isCollapsed: true)
        group.unknownFields = unknown
        return group
    }

    static let group = FieldTable(
        groupBase(),
        [
            ("id", { $0.id = groups[2] }), ("title", { $0.title = "b group" }),
            ("color", { $0.color = .cyan }), ("isCollapsed", { $0.isCollapsed = false }),
            ("unknownFields", { $0.unknownFields = otherUnknown }),
        ])

    private static func attributesBase() -> SessionAttributes {
        var attributes = SessionAttributes(
            title: "a window", activeTab: tabs[2],
            groups: [group.base, TabGroup(id: groups[1], title: "second")],
            createdAt: Timestamp(microseconds: 3_000_003),
            lastActiveAt: Timestamp(microseconds: 4_000_004), properties: ["frame": "1 2 3 4"])
        attributes.unknownFields = unknown
        return attributes
    }

    static let attributes = FieldTable(
        attributesBase(),
        [
            ("title", { $0.title = "" }), ("activeTab", { $0.activeTab = tabs[1] }),
            ("groups", { $0.groups.swapAt(0, 1) }),
            ("createdAt", { $0.createdAt.microseconds += 1 }),
            ("lastActiveAt", { $0.lastActiveAt.microseconds += 1 }),
            ("properties", { $0.properties = [:] }),
            ("unknownFields", { $0.unknownFields = otherUnknown }),
        ])

    static let header = FieldTable(
        HTTPHeader(name: "Accept", value: "text/html"),
        [("name", { $0.name = "From" }), ("value", { $0.value = "text/plain" })])

    private static func entryBase() -> NavigationEntry {
        var entry = NavigationEntry(
            url: "https://a.example/1", displayURL: "https://a.example/shown", title: "one",
            time: Timestamp(microseconds: 5_000_005), referrer: "https://from.example/",
            referrerPolicy: 2, userAgent: .mobile, requestHeaders: [header.base],
            pageState: [1, 2, 3],
            subframes: [NavigationEntry(url: "https://frame.example/")],
            properties: ["zoom": "125"])
        entry.unknownFields = unknown
        return entry
    }

    static let entry = FieldTable(
        entryBase(),
        [
            ("url", { $0.url = "https://b.example/1" }), ("displayURL", { $0.displayURL = "" }),
            ("title", { $0.title = "two" }), ("time", { $0.time.microseconds += 1 }),
            ("referrer", { $0.referrer = "" }), ("referrerPolicy", { $0.referrerPolicy = 1 }),
            ("userAgent", { $0.userAgent = .desktop }),
            ("requestHeaders", { $0.requestHeaders = [] }), ("pageState", { $0.pageState = [1] }),
            ("subframes", { $0.subframes[0].title = "framed" }),
            ("properties", { $0.properties = [:] }),
            ("unknownFields", { $0.unknownFields = otherUnknown }),
        ])

    private static func historyBase() -> NavigationHistory {
        var history = NavigationHistory(
            entries: [NavigationEntry(url: "https://a.example/0"), entry.base], currentIndex: 1)
        history.unknownFields = unknown
        return history
    }

    static let history = FieldTable(
        historyBase(),
        [
            ("entries", { $0.entries[0].title = "first" }),
            ("currentIndex", { $0.currentIndex = 0 }),
            ("unknownFields", { $0.unknownFields = otherUnknown }),
        ])
}
