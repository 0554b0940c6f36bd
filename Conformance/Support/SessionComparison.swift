import BrowserSessions

/// A session as an intact store must return it.
struct ExpectedSession: Sendable {
    var id: SessionID
    var attributes = SessionAttributes()
    /// The tabs, in order.
    var tabs: [TabMetadata] = []

    /// The set that puts the entire session.
    var changes: SessionChanges {
        var changes = SessionChanges()
        changes.put(attributes, for: id)
        for tab in tabs { changes.put(tab, in: id) }
        return changes
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
        try requireEqual(found.tabs.count, tabs.count, "\(subject): the number of tabs")
        for (index, pair) in zip(found.tabs, tabs).enumerated() {
            let fields = pair.0.fieldsThatDiffer(from: pair.1)
            try require(
                fields == [], "\(subject): tab \(index) differs in \(listed(fields))")
        }
    }
}

extension TabMetadata {
    /// Returns the names of fields that differ. Compares text by its bytes, because two strings
    /// that Swift calls equal may be written differently.
    func fieldsThatDiffer(from other: TabMetadata) -> [String] {
        let checks: [(String, Bool)] = [
            ("id", id == other.id),
            ("place", place == other.place),
            ("url", url.isIdentical(to: other.url)),
            ("title", title.isIdentical(to: other.title)),
            ("faviconURL", faviconURL.isIdentical(to: other.faviconURL)),
            ("createdAt", createdAt == other.createdAt),
            ("lastActiveAt", lastActiveAt == other.lastActiveAt),
            ("navigationItemCount", navigationItemCount == other.navigationItemCount),
            ("isPinned", isPinned == other.isPinned),
            ("group", group == other.group),
            ("opener", opener == other.opener),
            ("properties", properties.isIdentical(to: other.properties)),
            ("unknownFields", unknownFields == other.unknownFields),
        ]
        return checks.filter { !$0.1 }.map(\.0)
    }
}

extension SessionAttributes {
    /// Returns the names of fields that differ. Compares text by its bytes.
    func fieldsThatDiffer(from other: SessionAttributes) -> [String] {
        let sameGroups =
            groups == other.groups
            && zip(groups, other.groups).allSatisfy { $0.title.isIdentical(to: $1.title) }
        let checks: [(String, Bool)] = [
            ("title", title.isIdentical(to: other.title)),
            ("activeTab", activeTab == other.activeTab),
            ("groups", sameGroups),
            ("createdAt", createdAt == other.createdAt),
            ("lastActiveAt", lastActiveAt == other.lastActiveAt),
            ("properties", properties.isIdentical(to: other.properties)),
            ("unknownFields", unknownFields == other.unknownFields),
        ]
        return checks.filter { !$0.1 }.map(\.0)
    }
}

extension String {
    fileprivate func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension [String: String] {
    fileprivate func isIdentical(to other: Self) -> Bool {
        self == other
            && allSatisfy { key, value in
                guard let index = other.index(forKey: key) else { return false }
                return key.isIdentical(to: other[index].key)
                    && value.isIdentical(to: other[index].value)
            }
    }
}

private func listed(_ names: [String]) -> String { names.joined(separator: ", ") }
