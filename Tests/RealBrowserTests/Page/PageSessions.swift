import BrowserSessions
import SessionSamples

/// Sessions in which tests know every tab.
enum PageSessions {
    /// Two windows, closed tabs and incognito tabs. The first window has a folded group.
    static func few() -> [SessionSnapshot] {
        let groups = [
            StructureNode.group(id: NodeID(high: 1, low: 1), name: "Reise", color: .blue),
            StructureNode.group(
                id: NodeID(high: 1, low: 2), name: "Später", color: .pink, isCollapsed: true),
        ]
        var first = session(
            1, .regular,
            [
                ("Żółć i woda", "https://a.example/zolc"), ("Straße", "https://b.example/x"),
                ("STRASSE nach İstanbul", "https://a.example/y"),
                ("Résumé (PDF)", "https://c.example/cv.pdf"), ("Новости", "https://d.example/"),
            ])
        first.attributes.title = "Büro"
        first.nodes = groups
        first.attributes.activeTab = first.tabs[1].metadata.id
        first.tabs[0].metadata.isPinned = true
        first.tabs[1].metadata.group = groups[0].id
        first.tabs[2].metadata.group = groups[0].id
        first.tabs[3].metadata.group = groups[1].id
        let second = session(
            2, .regular,
            [
                ("resume the game", "https://www.b.example/game?x=%D0%BD%D0%BE%D0%B2%D0%BE"),
                ("", "https://untitled.example/path"), ("note", "about:config"),
            ])
        let closed = session(1, .recentlyClosed, [("Closed zolc", "https://a.example/closed")])
        let incognito = session(3, .incognito, [("Secret", "https://e.example/secret")])
        return [first, second, closed, incognito]
    }

    /// Tabs are used in turn, the later in the list the earlier.
    private static func session(
        _ window: UInt64, _ kind: SessionKind, _ tabs: [(title: String, url: String)]
    ) -> SessionSnapshot {
        let places = OrderKey.evenlySpaced(count: tabs.count)
        let snapshots = tabs.enumerated().map { index, tab in
            let hours = Int64(window) * 100 + Int64(index)
            let used = SessionSampler.now.microseconds - hours * 3_600_000_000
            let metadata = TabMetadata(
                id: TabID(high: window, low: UInt64(kind.rawValue.count * 1000 + index)),
                place: places[index], url: tab.url, title: tab.title,
                lastActiveAt: Timestamp(microseconds: used), navigationItemCount: 1)
            return TabSnapshot(metadata: metadata)
        }
        return SessionSnapshot(
            id: SessionID(window: WindowID(high: 0, low: window), kind: kind), tabs: snapshots)
    }

    /// What people have after years, and tabs with the longest texts that any list can meet.
    static func many(windows: Int, tabs: Int) -> [SessionSnapshot] {
        var sampler = SessionSampler(seed: 11)
        var sessions = sampler.windows(windows, tabs: tabs, state: .navigationOnly)
        sessions.append(sampler.window(tabs: 20, kind: .recentlyClosed, state: .navigationOnly))
        sessions.append(sampler.window(tabs: 20, kind: .incognito, state: .navigationOnly))
        let long = String(repeating: "unbreakable", count: 400)
        for index in sessions.indices {
            sessions[index].attributes.title = long
            for group in sessions[index].nodes.indices {
                sessions[index].nodes[group].name = long
            }
            guard !sessions[index].tabs.isEmpty else { continue }
            sessions[index].tabs[0].metadata.title = long
            sessions[index].tabs[0].metadata.url = "https://\(long).example/\(long)"
        }
        return sessions
    }
}
