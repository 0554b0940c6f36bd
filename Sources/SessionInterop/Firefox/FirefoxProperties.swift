import BrowserSessions

/// Firefox's own values, which the reader keeps as properties: texts as they are, and all others as
/// JSON.
///
/// Only values that stay true whatever happens to the tabs are written. Values that this version
/// does not know may count or name tabs, so they are left out.
enum FirefoxProperties {
    static let prefix = "firefox."
    /// The property of the session that has the groups that the user saved and closed.
    static let savedGroups = prefix + "is-saved-groups"
    /// The mark of the split view of a tab.
    static let splitView = prefix + "split-view"
    /// Firefox's own property for split views.
    static let splitViewNumber = prefix + "splitViewId"

    private static let ofWindow: Set<String> = [
        "width", "height", "screenX", "screenY", "sizemode", "sizemodeBeforeMinimized", "sidebar",
        "workspaceID", "extData",
    ]
    /// The marks of windows without a tab bar, where further tabs would be out of reach.
    private static let ofOneTab: Set<String> = [
        "isPopup", "isTaskbarTab", "hidden", "chromeFlags",
    ]
    private static let ofTab: Set<String> = [
        "userContextId", "muted", "mutedReason", "attributes", "extData", "hidden",
        "canonicalUrl", "tabNote",
    ]

    /// Returns the names of what is written of a window with this many tabs.
    static func names(ofWindow tabs: Int) -> Set<String> {
        tabs > 1 ? ofWindow : ofWindow.union(ofOneTab)
    }

    /// Returns the names of what is written of a tab. A tab that is shown or pinned is not hidden.
    static func names(ofTab isShown: Bool) -> Set<String> {
        isShown ? ofTab.subtracting(["hidden"]) : ofTab
    }

    /// Returns the members with these names, and counts the other properties.
    static func members(
        _ names: Set<String>, of properties: [String: String], _ losses: inout ExportLosses,
        besides other: String? = nil
    ) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for name in names { members[name] = properties[prefix + name].map(value) }
        losses.countProperties(properties) { name in
            name == other
                || name.hasPrefix(prefix) && names.contains(String(name.dropFirst(prefix.count)))
        }
        return members
    }

    private static func value(_ text: String) -> JSONValue {
        let (value, failures) = JSONParser.parse(Array(text.utf8))
        guard failures.isEmpty, let value, value.string == nil else { return .string(text) }
        return value
    }

    /// Returns the members of a group, open or closed.
    static func members(of group: StructureNode) -> [String: JSONValue] {
        // Colors of later versions become Firefox's `gray`.
        let color = group.color.name.flatMap { $0 == "grey" ? nil : $0 } ?? "gray"
        return [
            "id": .string(name(of: group.id)), "name": .string(group.name),
            "color": .string(color), "collapsed": .bool(group.isCollapsed),
        ]
    }

    static func name(of group: NodeID) -> String { group.description.lowercased() }
}

/// The split views of a window. Each is two or more adjacent tabs with the same mark.
struct FirefoxSplitViews {
    /// The number of the split view by tab index.
    private(set) var numbers: [Int: Int] = [:]
    private(set) var sizes: [Int] = []

    init(_ tabs: [ExportedTab]) {
        let marks = tabs.map { $0.metadata.properties[FirefoxProperties.splitView] }
        let all = Dictionary(grouping: marks.indices.filter { marks[$0] != nil }) { marks[$0] }
        for places in all.values.sorted(by: { $0[0] < $1[0] }) {
            let members = places.map { tabs[$0].metadata }
            let isOnePiece = places.last.map { $0 - places[0] + 1 == places.count } ?? false
            guard places.count > 1, isOnePiece, !members.contains(where: \.isPinned),
                Set(members.map(\.group)).count == 1
            else { continue }
            sizes.append(places.count)
            for place in places { numbers[place] = sizes.count }
        }
    }

    var list: JSONValue {
        .array(
            sizes.enumerated().map { index, size in
                .object([
                    "id": .integer(Int64(index) + 1), "numberOfTabs": .integer(Int64(size)),
                ])
            })
    }
}
