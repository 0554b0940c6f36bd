import BrowserModel
import BrowserSessions

/// A tab list written as text: `^p *a {b c} d` is a pinned tab, the active one, a group of two and
/// a tab behind it. Titles distinguish tabs.
extension TabList {
    /// Makes a list of a text. Groups get the identifiers ``group(_:)`` of 1, 2 and so on.
    static func of(
        _ text: String, _ list: TabList = TabList(), groupsFrom first: Int = 1
    ) throws -> TabList {
        var active: Tab?
        var groups: [[Tab]] = []
        var isInGroup = false
        for token in text.split(separator: " ") {
            let name = String(token.filter(\.isLetter))
            let tab = Tab(url: "https://\(name).example/", title: name)
            try list.insert(
                tab, as: TabInsertion(at: list.count, isPinned: token.contains("^")))
            if token.contains("{") { groups.append([]) }
            if token.contains("{") || isInGroup { groups[groups.count - 1].append(tab) }
            isInGroup = (isInGroup || token.contains("{")) && !token.contains("}")
            if token.contains("*") { active = tab }
        }
        for (number, members) in groups.enumerated() {
            try list.create(.group(id: group(number + first)), of: members)
        }
        if let active { try list.activate(active) }
        return list
    }

    /// The identifier of a group of a text, counted from 1.
    static func group(_ number: Int) -> NodeID { NodeID(high: 7, low: UInt64(number)) }

    /// The list as text.
    var layout: String {
        tabs.indices.map { index in
            let tab = tabs[index]
            let group = tab.metadata.group
            let isFirst = index == 0 || tabs[index - 1].metadata.group != group
            let isLast = index == count - 1 || tabs[index + 1].metadata.group != group
            return (group != nil && isFirst ? "{" : "") + (tab.metadata.isPinned ? "^" : "")
                + (tab === activeTab ? "*" : "") + tab.title + (group != nil && isLast ? "}" : "")
        }.joined(separator: " ")
    }

    /// The tab with a title.
    subscript(title: String) -> Tab {
        guard let tab = tabs.first(where: { $0.title == title }) else {
            preconditionFailure("the list has no tab \(title)")
        }
        return tab
    }

    /// The index of the tab with a title.
    func at(_ title: String) -> Int {
        guard let index = tabs.firstIndex(where: { $0.title == title }) else {
            preconditionFailure("the list has no tab \(title)")
        }
        return index
    }

    func at(_ titles: String...) -> [Int] { titles.map { at($0) } }

    /// Inserts a new tab with a title.
    @discardableResult
    func insert(_ title: String, as insertion: TabInsertion = .automatic) throws -> Tab {
        let tab = Tab(url: "https://\(title).example/", title: title)
        try insert(tab, as: insertion)
        return tab
    }

    var places: [OrderKey] { tabs.map(\.metadata.place) }
}

extension StructureNode {
    /// Whether a node is the same but for its place.
    func isLike(_ other: StructureNode) -> Bool {
        var copy = self
        copy.place = other.place
        return copy == other
    }
}
