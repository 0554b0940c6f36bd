import SessionSamples

@testable import BrowserSessions

/// A record with all of its properties set, and the same with each of them changed.
struct FieldTable<Record: FieldRecord & Equatable & Sendable>: Sendable {
    struct Change: Sendable {
        /// The name of the property that alone differs.
        var field: String
        var record: Record
    }

    let base: Record
    let changes: [Change]

    /// - Parameter others: the properties that are no fields, because they are in the record's key.
    init(_ base: Record, others: [(field: String, change: (inout Record) -> Void)] = []) {
        self.base = base
        var changes: [Change] = []
        while true {
            var (record, change) = (base, OneChange(at: changes.count))
            record.visitFields(&change)
            guard let field = change.name else { break }
            changes.append(Change(field: field, record: record))
        }
        for (field, change) in others {
            var record = base
            change(&record)
            changes.append(Change(field: field, record: record))
        }
        self.changes = changes
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

/// Tables of all that is saved of sessions. The tests show where a property that is added is lost.
enum FieldTables {
    static let tabs = (0..<5).map { TabID(high: 5, low: $0) }
    static let groups = (0..<3).map { NodeID(high: 6, low: $0) }
    /// Fields of a newer version: number 1000 with the values 1 and 2.
    static let unknown: [UInt8] = [0xC0, 0x3E, 1]

    private static func openerBase() -> TabOpener {
        var opener = TabOpener(tab: tabs[0], navigationIndex: 3)
        opener.unknownFields = unknown
        return opener
    }

    static let opener = FieldTable(openerBase())

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
        others: [
            ("id", { $0.id = tabs[4] }),
            ("place", { $0.place = OrderKey.evenlySpaced(count: 9)[5] }),
        ])

    private static func nodeBase() -> StructureNode {
        var group = StructureNode.group(
            id: groups[0], name: "a group", color: .purple, isCollapsed: true)
        (group.style, group.colorText, group.icon) = ("folder", "#123456", "🦊")
        (group.isFolded, group.container, group.axis) = (true, groups[1], .column)
        (group.link, group.active, group.weight) = (groups[1], tabs[1], 3)
        group.closedFrom = FormerPlace()
        group.closedFrom?.reason = "user"
        group.properties = ["feed": "https://example.org/"]
        group.place = OrderKey.evenlySpaced(count: 9)[2]
        group.unknownFields = unknown
        return group
    }

    static let node = FieldTable(
        nodeBase(),
        others: [
            ("id", { $0.id = groups[1] }),
            ("place", { $0.place = OrderKey.evenlySpaced(count: 9)[3] }),
        ])

    static let nodes: [StructureNode] = {
        var second = StructureNode.group(id: groups[1], name: "second")
        second.place = OrderKey.evenlySpaced(count: 9)[7]
        return [node.base, second]
    }()

    private static func attributesBase() -> SessionAttributes {
        var attributes = SessionAttributes(
            title: "a window", activeTab: tabs[2],
            createdAt: Timestamp(microseconds: 3_000_003),
            lastActiveAt: Timestamp(microseconds: 4_000_004), properties: ["frame": "1 2 3 4"])
        attributes.unknownFields = unknown
        return attributes
    }

    static let attributes = FieldTable(attributesBase())

    static let header = FieldTable(HTTPHeader(name: "Accept", value: "text/html"))

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

    static let entry = FieldTable(entryBase())

    private static func historyBase() -> NavigationHistory {
        var history = NavigationHistory(
            entries: [NavigationEntry(url: "https://a.example/0"), entry.base], currentIndex: 1)
        history.unknownFields = unknown
        return history
    }

    static let history = FieldTable(historyBase())
}

/// An editor that gives one field another value.
private struct OneChange: FieldEditor {
    private let place: Int
    private var count = 0
    /// The name of the field; `nil` if the record has fewer fields.
    private(set) var name: String?

    init(at place: Int) { self.place = place }

    private mutating func isChanged(_ field: Field) -> Bool {
        defer { count += 1 }
        if count == place { name = field.name }
        return count == place
    }

    mutating func text(_ field: Field, _ value: inout String) {
        if isChanged(field) { value += "/other" }
    }

    mutating func bytes(_ field: Field, _ value: inout [UInt8]) {
        if isChanged(field) { value.append(9) }
    }

    mutating func number(_ field: Field, _ value: inout Int32) {
        if isChanged(field) { value += 1 }
    }

    mutating func index(_ field: Field, _ value: inout Int?) {
        if isChanged(field) { value = value.map { $0 - 1 } ?? 0 }
    }

    mutating func flag(_ field: Field, _ value: inout Bool) {
        if isChanged(field) { value.toggle() }
    }

    mutating func time(_ field: Field, _ value: inout Timestamp) {
        if isChanged(field) { value.microseconds += 1 }
    }

    mutating func identifier<Subject>(_ field: Field, _ value: inout Identifier<Subject>) {
        if isChanged(field) { value = Identifier(high: value.high, low: value.low ^ 3) }
    }

    mutating func identifier<Subject>(_ field: Field, _ value: inout Identifier<Subject>?) {
        guard isChanged(field) else { return }
        value =
            value.map { Identifier(high: $0.high, low: $0.low ^ 1) } ?? Identifier(high: 9, low: 9)
    }

    mutating func texts(_ field: Field, _ value: inout [String: String]) {
        if isChanged(field) { value["other"] = "" }
    }

    mutating func record<Record: FieldRecord>(_ field: Field, _ value: inout Record?) {
        if isChanged(field) { value = value == nil ? .blank : nil }
    }

    mutating func records<Record: FieldRecord>(_ field: Field, _ value: inout [Record]) {
        guard isChanged(field) else { return }
        if value.popLast() == nil { value = [.blank] }
    }

    mutating func unknownFields(_ value: inout [UInt8]) {
        if isChanged(Field(0, "unknownFields")) { value = [0xC0, 0x3E, 2] }
    }
}
