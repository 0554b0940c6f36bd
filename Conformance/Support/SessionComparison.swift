import BrowserSessions

/// A session as an intact store must return it.
struct ExpectedSession: Sendable {
    var id: SessionID
    var attributes = SessionAttributes()
    /// The tabs, in order.
    var tabs: [TabMetadata] = []
    /// The nodes that are no tabs, in order.
    var nodes: [StructureNode] = []

    /// The set that puts the entire session.
    var changes: SessionChanges {
        var changes = SessionChanges()
        changes.put(attributes, for: id)
        for node in nodes { changes.put(node, in: id) }
        for tab in tabs { changes.put(tab, in: id) }
        return changes
    }

    /// Saves it, and throws a ``Violation`` unless the store returns it.
    func saveAndCheck(in store: any SessionStorage, _ subject: String) async throws {
        _ = try await store.save(changes)
        try await check(in: store, subject)
    }

    /// Throws a ``Violation`` unless the store has exactly this session, intact.
    func check(in store: any SessionStorage, _ subject: String) async throws {
        let found = try unwrap(try await store.restore(id), "\(subject): the session is absent")
        try check(found, subject)
        try requireEqual(found.provenance, .intact, "\(subject): the provenance")
        try requireEqual(found.losses.count, 0, "\(subject): the number of losses")
        try requireEqual(found.repairs.map(\.kind), [], "\(subject): the repairs")
    }

    /// Throws a ``Violation`` unless the content is the same, byte for byte.
    func check(_ found: RestoredSession, _ subject: String) throws {
        try requireEqual(found.id, id, "\(subject): the id of the session")
        let fields = found.attributes.fieldsThatDiffer(from: attributes)
        try require(fields == [], "\(subject): the session differs in \(listed(fields))")
        func requireNone(_ differences: [[String]], _ kind: String) throws {
            for (index, fields) in differences.enumerated() where !fields.isEmpty {
                throw Violation("\(subject): \(kind) \(index) differs in \(listed(fields))")
            }
        }
        try requireEqual(found.tabs.count, tabs.count, "\(subject): the number of tabs")
        try requireNone(zip(found.tabs, tabs).map { $0.differences(from: $1) }, "tab")
        try requireEqual(found.nodes.count, nodes.count, "\(subject): the number of nodes")
        try requireNone(zip(found.nodes, nodes).map { $0.differences(from: $1) }, "node")
    }
}

extension TabMetadata {
    /// Returns the names of what differs, including what is in the record's key.
    func differences(from other: TabMetadata) -> [String] {
        let inKey = [
            ("id", id == other.id), ("place", place == other.place),
            ("closedFrom", closedFrom?.place == other.closedFrom?.place),
        ]
        return inKey.filter { !$0.1 }.map(\.0) + fieldsThatDiffer(from: other)
    }
}

extension StructureNode {
    /// Returns the names of what differs, including what is in the record's key.
    func differences(from other: StructureNode) -> [String] {
        let inKey = [
            ("id", id == other.id), ("place", place == other.place),
            ("closedFrom", closedFrom?.place == other.closedFrom?.place),
        ]
        return inKey.filter { !$0.1 }.map(\.0) + fieldsThatDiffer(from: other)
    }
}

private func listed(_ names: [String]) -> String { names.joined(separator: ", ") }
