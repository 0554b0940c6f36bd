/// What a reader finds its way by after damage: the lists that matter, and what is in them.
struct JSONShapes {
    /// A list by its name.
    struct List {
        var name: String
        /// Members of which an object of the list has one.
        var marks: Set<String>
        /// The names of lists whose objects, and of objects that, have such a list; empty for the
        /// object that holds all others.
        var owners: Set<String>
    }

    var lists: [List]

    /// Those that the value may be an object of, the likeliest first.
    func lists(of value: JSONValue) -> [List] {
        guard let members = value.object else { return [] }
        return lists.filter { list in list.marks.contains { members[$0] != nil } }
    }

    subscript(name: String) -> List? { lists.first { $0.name == name } }
}

extension JSONValue {
    /// The list of a name or, if there is none, the one whose name differs in one character: a damaged
    /// byte in a name would cost all that it names.
    func list(_ name: String) -> (items: [JSONValue], isMisspelt: Bool)? {
        guard let members = object else { return nil }
        if let items = members[name]?.array { return (items, false) }
        for (key, value) in members where key.differsInOneCharacter(from: name) {
            if let items = value.array { return (items, true) }
        }
        return nil
    }
}

extension String {
    fileprivate func differsInOneCharacter(from other: String) -> Bool {
        unicodeScalars.count == other.unicodeScalars.count
            && zip(unicodeScalars, other.unicodeScalars).count { $0 != $1 } == 1
    }
}

extension JSONShapes {
    /// Of `sessionstore` files of Firefox for desktop.
    static let firefoxDesktop = JSONShapes(lists: [
        List(name: "windows", marks: ["tabs"], owners: ["", "lastSessionState"]),
        List(name: "_closedWindows", marks: ["tabs"], owners: [""]),
        List(name: "savedGroups", marks: ["tabs"], owners: [""]),
        List(name: "closedGroups", marks: ["tabs"], owners: ["windows", "_closedWindows"]),
        List(
            name: "tabs", marks: ["entries", "state"],
            owners: ["windows", "_closedWindows", "closedGroups", "savedGroups"]),
        List(name: "_closedTabs", marks: ["state"], owners: ["windows", "_closedWindows"]),
        List(name: "groups", marks: ["collapsed"], owners: ["windows", "_closedWindows"]),
        List(name: "entries", marks: ["url"], owners: ["tabs", "state"]),
        List(name: "children", marks: ["url"], owners: ["entries", "children"]),
    ])

    /// Of window files of Firefox for iOS.
    static let firefoxIOS = JSONShapes(lists: [
        List(
            name: "tabData",
            marks: ["siteUrl", "lastUsedTime", "createdAtTime", "isPrivate"],
            owners: [""])
    ])
}
