import BrowserSessions

/// Tabs that move and disappear with every numbered set. After set `n`, a guest is in one of two
/// sessions, in turn, and of the tabs that live for one set, only the last is there.
enum WanderingTabs {
    private static let sessions = [3, 4].map { SessionID(window: WindowID(high: 0xC0, low: $0)) }
    private static let guest = TabID(high: 5, low: 0)

    private static func shortLived(_ number: Int) -> TabID {
        TabID(high: 6, low: UInt64(number))
    }

    private static func tab(_ id: TabID, _ number: Int) -> TabMetadata {
        TabMetadata(
            id: id, place: OrderKey.evenlySpaced(count: 2)[id == guest ? 0 : 1],
            url: "https://example.org/\(number)", title: "\(number)")
    }

    /// Adds these changes to a set.
    static func add(_ number: Int, to changes: inout SessionChanges) {
        for session in sessions {
            changes.put(SessionAttributes(title: "\(number)"), for: session)
        }
        changes.remove(guest, from: sessions[(number + 1) % 2])
        changes.put(tab(guest, number), in: sessions[number % 2])
        changes.remove(shortLived(number - 1), from: sessions[0])
        changes.put(tab(shortLived(number), number), in: sessions[0])
    }

    /// Throws a ``Violation`` if the tabs are not as the sets up to this one leave them.
    static func check(
        _ last: Int, in store: any SessionStorage, at version: SessionVersion
    ) async throws {
        for (index, session) in sessions.enumerated() {
            let restored = try await store.restore(session, at: version)
            guard last > 0 else {
                try require(restored == nil, "a session is there, and no set")
                continue
            }
            let found = try unwrap(restored, "set \(last) is there without a session of its own")
            try requireEqual(found.attributes.title, "\(last)", "the set of a further session")
            var expected: Set<TabID> = index == last % 2 ? [guest] : []
            if index == 0 { expected.insert(shortLived(last)) }
            let tabs = Set(found.tabs.map(\.id))
            try require(
                expected.isSubset(of: tabs), "a tab that was moved or opened in set \(last) is gone"
            )
            try require(
                tabs.isSubset(of: expected), "a tab that was moved or closed by set \(last) is back"
            )
            try require(
                found.tabs.allSatisfy { $0.title == "\(last)" },
                "half a set is there: a moved tab is not as set \(last) left it")
        }
    }
}
