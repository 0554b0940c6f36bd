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
        /// Whether nothing else is named so.
        var isTelling = false
    }

    var lists: [List]

    /// Those that the value may be an object of, the likeliest first.
    func lists(of value: JSONValue) -> [List] {
        guard let members = value.object else { return [] }
        return lists.filter { list in list.marks.contains { members[$0] != nil } }
    }

    subscript(name: String) -> List? { lists.first { $0.name == name } }
}

extension JSONShapes {
    /// A list, also under a damaged name; empty if there is none. What is wrong with it is told.
    func list(
        _ name: String, of object: JSONValue, at location: String, isRequired: Bool,
        _ log: inout ProblemLog
    ) -> [JSONValue] {
        guard let list = list(name, of: object, isRequired: isRequired) else {
            if isRequired { log.loss(at: location, "the list is missing") }
            return []
        }
        if list.isMisspelt { log.loss(at: location, "the name of the list is damaged") }
        return list.items
    }

    /// The list of a name in an object or, if there is none, one whose name is damaged: bytes in a name
    /// would cost all that it names.
    ///
    /// - Parameter isRequired: whether an object is damaged without the list; then any list of such
    ///   objects is taken for it, else only one whose name is similar.
    private func list(_ name: String, of object: JSONValue, isRequired: Bool) -> (
        items: [JSONValue], isMisspelt: Bool
    )? {
        if let items = object[name]?.array { return (items, false) }
        let others = (object.object ?? [:]).filter { key, value in
            guard self[key] == nil, isRequired || key.isSimilar(to: name),
                let first = value.array?.first
            else { return false }
            return lists(of: first).contains { $0.name == name }
        }
        guard others.count == 1, let items = others.first?.value.array else { return nil }
        return (items, true)
    }
}

extension String {
    /// Whether what both begin and end with is half of the other one.
    fileprivate func isSimilar(to other: String) -> Bool {
        let start = zip(self, other).prefix { $0 == $1 }.count
        let rest = (dropFirst(start).reversed(), other.dropFirst(start).reversed())
        let end = zip(rest.0, rest.1).prefix { $0 == $1 }.count
        return 2 * (start + end) >= other.count
    }
}

extension JSONShapes {
    /// Of `sessionstore` files of Firefox for desktop.
    static let firefoxDesktop = JSONShapes(lists: [
        List(name: "windows", marks: ["tabs"], owners: ["", "lastSessionState"], isTelling: true),
        List(name: "_closedWindows", marks: ["tabs"], owners: [""], isTelling: true),
        List(name: "savedGroups", marks: ["tabs"], owners: [""], isTelling: true),
        List(
            name: "closedGroups", marks: ["tabs"], owners: ["windows", "_closedWindows"],
            isTelling: true),
        List(
            name: "tabs", marks: ["entries", "state"],
            owners: ["windows", "_closedWindows", "closedGroups", "savedGroups"]),
        List(
            name: "_closedTabs", marks: ["state"], owners: ["windows", "_closedWindows"],
            isTelling: true),
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
