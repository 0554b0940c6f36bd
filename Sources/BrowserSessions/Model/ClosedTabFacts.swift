/// What is known of a tab that was closed, kept among its properties: a store puts pins, groups and
/// openers right that are out of order in a session, and of closed tabs there all are.
package struct ClosedTabFacts: Hashable, Sendable {
    /// `nil` if that is not noted.
    package var closedAt: Timestamp?
    /// The session in which it was; `nil` if that is not known.
    package var session: SessionID?
    /// Its index there.
    package var index: Int?
    package var isPinned = false
    /// Its group, as it looked then.
    package var group: TabGroup?

    /// The names of the properties.
    package enum Name {
        private static let prefix = "browser-sessions.closed-"
        package static let at = prefix + "at"
        package static let window = prefix + "window"
        package static let index = prefix + "index"
        package static let pinned = prefix + "pinned"
        package static let active = prefix + "active"
        package static let opener = prefix + "opener"
        package static let together = prefix + "together"
        package static let group = prefix + "group"
        package static let groupTitle = prefix + "group-title"
        package static let groupColor = prefix + "group-color"
        package static let groupCollapsed = prefix + "group-collapsed"
    }

    package init() {}

    /// Those among the properties of a tab.
    package init(_ properties: [String: String]) {
        closedAt = properties[Name.at].flatMap { Int64($0) }.map { Timestamp(microseconds: $0) }
        session = properties[Name.window].flatMap { SessionID($0) }
        index = properties[Name.index].flatMap { StoredNumber(decimal: $0)?.index }
        isPinned = properties[Name.pinned] != nil
        group = isPinned ? nil : TabGroup(closed: properties)
    }

    /// Puts what is known among the properties of a tab.
    package func save(in properties: inout [String: String]) {
        properties[Name.at] = closedAt.map { String($0.microseconds) }
        properties[Name.window] = session?.description
        properties[Name.index] = index.map { String($0) }
        properties[Name.pinned] = isPinned ? "yes" : nil
        group?.saveClosed(in: &properties)
    }
}

extension TabGroup {
    /// The group that a closed tab was in; `nil` if it was in none.
    package init?(closed properties: [String: String]) {
        typealias Name = ClosedTabFacts.Name
        guard let id = properties[Name.group].flatMap({ TabGroupID($0) }) else { return nil }
        let color = properties[Name.groupColor].flatMap { Int32($0) } ?? 0
        self.init(
            id: id, title: properties[Name.groupTitle] ?? "",
            color: TabGroupColor(rawValue: color),
            isCollapsed: properties[Name.groupCollapsed] != nil)
    }

    /// Keeps the group among the properties of a tab that was closed.
    package func saveClosed(in properties: inout [String: String]) {
        typealias Name = ClosedTabFacts.Name
        properties[Name.group] = id.description
        properties[Name.groupTitle] = title.isEmpty ? nil : title
        properties[Name.groupColor] = String(color.rawValue)
        properties[Name.groupCollapsed] = isCollapsed ? "yes" : nil
    }
}
