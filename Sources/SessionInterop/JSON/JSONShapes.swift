/// The lists that matter and their content, which show a reader where to continue after damage.
struct JSONShapes {
    /// A list with its name.
    struct List {
        var name: String
        /// The members that identify an object of the list. Each object has one of them.
        var marks: Set<String>
        /// The names of lists with objects that have this list, and of single objects that have it;
        /// empty for the top-level object.
        var owners: Set<String>
        /// Whether nothing else has this name.
        var isTelling = false
    }

    var lists: [List]

    /// Returns the lists that the value may be an object of, the likeliest first.
    func lists(of value: JSONValue) -> [List] {
        guard let members = value.object else { return [] }
        return lists.filter { list in list.marks.contains { members[$0] != nil } }
    }

    subscript(name: String) -> List? { lists.first { $0.name == name } }
}

extension JSONShapes {
    /// Returns a list, even if its name is damaged, since that would lose everything under it; empty
    /// if there is none. Reports the damage.
    ///
    /// - Parameter isRequired: Whether an object without the list is damaged. If it is, any list of
    ///   such objects is accepted. Otherwise, only one with a similar name is accepted.
    func list(
        _ name: String, of object: JSONValue, at location: String, isRequired: Bool,
        _ log: inout ProblemLog
    ) -> [JSONValue] {
        if let items = object[name]?.array { return items }
        let others = (object.object ?? [:]).filter { key, value in
            guard self[key] == nil, isRequired || key.isSimilar(to: name),
                let first = value.array?.first
            else { return false }
            return lists(of: first).contains { $0.name == name }
        }
        guard others.count == 1, let items = others.first?.value.array else {
            if isRequired { log.loss(at: location, "the list is missing") }
            return []
        }
        log.loss(at: location, "the name of the list is damaged")
        return items
    }
}

extension String {
    /// Returns whether the common beginning and end make up at least half of the other name.
    fileprivate func isSimilar(to other: String) -> Bool {
        let start = zip(self, other).prefix { $0 == $1 }.count
        let rest = (dropFirst(start).reversed(), other.dropFirst(start).reversed())
        let end = zip(rest.0, rest.1).prefix { $0 == $1 }.count
        return 2 * (start + end) >= other.count
    }
}
