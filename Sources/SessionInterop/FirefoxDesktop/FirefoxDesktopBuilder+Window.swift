import BrowserSessions

extension FirefoxDesktopBuilder {
    /// The window's own values: its title, and its frame and marks as properties.
    func attributes(_ window: JSONValue) -> SessionAttributes {
        var attributes = SessionAttributes()
        for (key, value) in window.object ?? [:] {
            switch value {
            case .string(let text) where !text.isEmpty:
                attributes.properties["firefox." + key] = text
            case .integer(let number): attributes.properties["firefox." + key] = String(number)
            case .number(let number): attributes.properties["firefox." + key] = "\(number)"
            case .bool(let flag): attributes.properties["firefox." + key] = String(flag)
            default: break
            }
        }
        return attributes
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

    mutating func readGroups(
        _ value: JSONValue?, _ location: String, _ draft: inout SessionDraft
    ) {
        for (index, item) in (value?.array ?? []).enumerated() {
            draft.attributes.groups.append(group(item, "\(location).groups[\(index)]"))
        }
    }

    /// A group; its id follows from the source's, since tabs name it by that.
    mutating func group(_ item: JSONValue, _ location: String) -> TabGroup {
        let name = item["id"]?.string
        if name == nil {
            reading.log.loss(at: location + ".id", "a group's id cannot be read")
        }
        var group = TabGroup(id: identity.identifier("group", name ?? location))
        group.title = item["name"]?.string ?? ""
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
