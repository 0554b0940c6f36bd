/// What is known about a closed tab, kept in its properties. A store corrects pins, groups and
/// openers that are out of order in a session, and those of closed tabs always are.
package struct ClosedTabFacts: Hashable, Sendable {
    /// When the tab was closed; `nil` if unknown.
    package var closedAt: Timestamp?
    /// The session that held the tab; `nil` if unknown.
    package var session: SessionID?
    /// The tab's index in that session.
    package var index: Int?
    package var isPinned = false
    /// The tab's group at that time.
    package var group: StructureNode?

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

    /// Reads the facts from the properties of a tab.
    package init(_ properties: [String: String]) {
        closedAt = properties[Name.at].flatMap { Int64($0) }.map { Timestamp(microseconds: $0) }
        session = properties[Name.window].flatMap { SessionID($0) }
        index = properties[Name.index].flatMap { StoredNumber(decimal: $0)?.index }
        isPinned = properties[Name.pinned] != nil
        group = isPinned ? nil : StructureNode(closed: properties)
    }

    /// Saves the facts in the properties of a tab.
    package func save(in properties: inout [String: String]) {
        properties[Name.at] = closedAt.map { String($0.microseconds) }
        properties[Name.window] = session?.description
        properties[Name.index] = index.map { String($0) }
        properties[Name.pinned] = isPinned ? "yes" : nil
        group?.saveClosed(in: &properties)
    }
}

extension StructureNode {
    /// Reads the group of a closed tab; `nil` if it was in none.
    package init?(closed properties: [String: String]) {
        typealias Name = ClosedTabFacts.Name
        guard let id = properties[Name.group].flatMap({ TabGroupID($0) }) else { return nil }
        let color = properties[Name.groupColor].flatMap { Int32($0) } ?? 0
        self = .group(
            id: id, name: properties[Name.groupTitle] ?? "",
            color: TabGroupColor(rawValue: color),
            isCollapsed: properties[Name.groupCollapsed] != nil)
    }

    /// Saves the group in the properties of a closed tab.
    package func saveClosed(in properties: inout [String: String]) {
        typealias Name = ClosedTabFacts.Name
        properties[Name.group] = id.description
        properties[Name.groupTitle] = name.isEmpty ? nil : name
        properties[Name.groupColor] = String(color.rawValue)
        properties[Name.groupCollapsed] = isCollapsed ? "yes" : nil
    }
}
