import BrowserSessions

/// Firefox's own values, which the reader keeps as properties: texts as they are, all else as JSON.
enum FirefoxProperties {
    static let prefix = "firefox."
    /// Of the session that has the groups that the user saved and closed.
    static let savedGroups = prefix + "is-saved-groups"
    /// Not values of a file, but notes of the reader.
    private static let notes: Set<String> = [
        "is-selected-window", "is-saved-groups", "closed-at", "position",
    ]
    /// Texts that may look like something else.
    private static let texts: Set<String> = ["userTypedValue", "title"]

    /// The members of a window or tab.
    static func members(_ properties: [String: String]) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for (name, text) in properties where name.hasPrefix(prefix) {
            let key = String(name.dropFirst(prefix.count))
            if !notes.contains(key) { members[key] = value(text, of: key) }
        }
        return members
    }

    private static func value(_ text: String, of key: String) -> JSONValue {
        guard !texts.contains(key) else { return .string(text) }
        let (value, failures) = JSONParser.parse(Array(text.utf8))
        guard failures.isEmpty, let value, value.string == nil else { return .string(text) }
        return value
    }

    /// The members of a group, open or closed.
    static func members(of group: TabGroup) -> [String: JSONValue] {
        [
            "id": .string(name(of: group.id)), "name": .string(group.title),
            "color": .string(color(group.color)), "collapsed": .bool(group.isCollapsed),
        ]
    }

    static func name(of group: TabGroupID) -> String { group.description.lowercased() }

    /// Firefox spells it `gray`; a colour of a later version becomes that.
    private static func color(_ color: TabGroupColor) -> String {
        let name = color.name ?? "grey"
        return name == "grey" ? "gray" : name
    }
}
