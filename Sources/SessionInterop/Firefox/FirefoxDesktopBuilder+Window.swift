import BrowserSessions

extension FirefoxDesktopBuilder {
    /// The members that are read separately, and those that are not read.
    private static let windowKeys: Set<String> = [
        "tabs", "selected", "groups", "_closedTabs", "closedGroups", "cookies", "splitViews",
        "closedAt", "closedId", "title", "_lastClosedTabGroupCount", "lastClosedTabGroupId",
    ]

    /// Returns the window's own values as properties, such as its frame and its marks.
    func attributes(_ window: JSONValue, isClosed: Bool) -> SessionAttributes {
        var attributes = SessionAttributes()
        for (key, value) in window.object ?? [:] where !Self.windowKeys.contains(key) {
            attributes.properties["firefox." + key] = value.propertyText
        }
        if isClosed { attributes.closedAt = window.moment("closedAt") }
        return attributes
    }

    /// Gives the tabs of each split view a unique mark. A number in the list of a window has no
    /// meaning after one of the tabs is closed or in another window.
    mutating func markSplitViews(
        of window: JSONValue, _ location: String, _ draft: inout SessionDraft
    ) {
        let known = Set((window["splitViews"]?.array ?? []).compactMap { $0["id"]?.integer })
        for index in draft.tabs.indices {
            let properties = draft.tabs[index].metadata.properties
            guard let id = properties[FirefoxProperties.splitViewNumber] else { continue }
            draft.tabs[index].metadata.properties[FirefoxProperties.splitViewNumber] = nil
            guard Int64(id).map({ known.contains($0) }) == true else { continue }
            let mark: WindowID = identity.identifier("split view", location, id)
            draft.tabs[index].metadata.properties[FirefoxProperties.splitView] = "\(mark)"
        }
    }

    /// Makes the tab with the 1-based index active.
    mutating func select(_ value: JSONValue?, _ location: String, _ draft: inout SessionDraft) {
        guard !draft.tabs.isEmpty else { return }
        let selected = value?.integer ?? 0
        if selected >= 1, selected <= draft.tabs.count {
            draft.attributes.activeTab = draft.tabs[Int(selected) - 1].metadata.id
        } else if value != nil {
            reading.log.repair(
                at: location + ".selected", "the selected index is out of range; no tab is active")
        }
    }

    /// Reads the groups of a window. Of a window that contained individually closed tabs, these are
    /// those of the tabs that have no group yet.
    mutating func readGroups(
        of window: JSONValue, _ location: String, _ draft: inout SessionDraft, isClosed: Bool
    ) {
        let used = Set(draft.tabs.compactMap(\.metadata.group)).subtracting(draft.nodes.map(\.id))
        for (index, item) in (window["groups"]?.array ?? []).enumerated() {
            let name = item["id"]?.string
            if isClosed, name.map({ used.contains(identity.identifier("group", $0)) }) != true {
                continue
            }
            draft.nodes.append(group(item, "\(location).groups[\(index)]"))
        }
    }

    /// Returns a group. Its ID is derived from the ID in the source, because tabs refer to that one.
    mutating func group(_ item: JSONValue, _ location: String) -> StructureNode {
        let name = item["id"]?.string
        if name == nil {
            reading.log.loss(at: location + ".id", "a group's id cannot be read")
        }
        var group = StructureNode.group(id: identity.identifier("group", name ?? location))
        group.name = item["name"]?.string ?? ""
        group.isCollapsed = item["collapsed"]?.bool ?? false
        if let name = item["color"]?.string {
            let known = (Int32(0)...8).map { TabGroupColor(rawValue: $0) }
            if let color = known.first(where: { $0.name == (name == "gray" ? "grey" : name) }) {
                group.color = color
            } else {
                reading.log.note(at: location + ".color", "an unknown colour became grey")
            }
        }
        return group
    }
}
