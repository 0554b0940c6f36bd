import BrowserSessions
import Expectations
import TestSupport

@testable import sessionctl

/// Sites that a store forgets.
struct ForgetTests {
    private let workspace = Workspace()
    private let window = SessionID(window: WindowID(high: 3, low: 1))
    private let closed = SessionID(window: WindowID(high: 3, low: 2), kind: .recentlyClosed)

    /// A store with one open and one closed tab on a site, and one closed tab elsewhere.
    private func store(_ backend: String, _ workspace: Workspace) async throws -> String {
        let location = workspace.store(backend, "profile")
        var changes = SessionChanges()
        let tabs: [(UInt64, String, SessionID)] = [
            (1, "https://secret.example/1", window), (2, "https://www.secret.example/2", closed),
            (3, "https://other.example/", closed),
        ]
        for (number, url, session) in tabs {
            let places = OrderKey.evenlySpaced(count: 4)
            changes.put(
                TabMetadata(
                    id: TabID(high: 4, low: number), place: places[Int(number)], url: url,
                    title: "Tab \(number)"), in: session)
        }
        try await workspace.withStore(location) { [changes] store in
            _ = try await store.save(changes)
            _ = try await store.takeRestorePoint(name: "before", pinned: false)
        }
        return location
    }

    @Test(arguments: Workspace.backends)
    func forgets(backend: String) async throws {
        let store = try await store(backend, workspace)
        let dry = try Tool.run(["forget", "secret.example", "--dry-run", "--storage", store])
        expect(
            dry.output,
            is: """
                1 closed tab, 0 entries of histories, 0 states, 2 tabs of restore points, 0 items of the \
                quarantine would be forgotten
                1 open tab on the sites stay; close them and forget again

                """)
        let json = try Tool.run(
            ["forget", "https://secret.example/x", "--format", "json", "--storage", store]
        ).json()
        expect(json["closedTabs"].integer == 1 && json["earlierTabs"].integer == 2)
        let found = try Tool.run(["find", "tab", "--storage", store])
        expect(found.output.contains("Tab 1") && found.output.contains("Tab 3"))
        expect(!found.output.contains("Tab 2"))
        let points = try Tool.run(["points", "--storage", store])
        expect(points.output.contains("'before'"))
    }

    @Test(arguments: [["forget", "https://"], ["forget", "a b"], ["forget", ","]])
    func noSite(arguments: [String]) async throws {
        let store = try await store("directory", workspace)
        let outcome = try Tool.run(arguments + ["--storage", store])
        expect(outcome.status != 0 && outcome.messages.contains("site"))
        try Tool.run(["forget", "a.example", "--since", "soon", "--storage", store]).expectRefusal(
            "'soon' is no moment", status: 64)
    }

    @Test(
        arguments: [
            ("90m", -5400), ("24h", -86_400), ("7d", -604_800), ("0d", 0), ("d", nil), ("-1d", nil),
            ("1w", nil), ("", nil), ("2026-13-01", nil),
        ] as [(String, Int64?)])
    func moments(text: String, seconds: Int64?) {
        let now = Timestamp(microseconds: 1_800_000_000_000_000)
        let found = Forget.moment(text, now: now)
        expect(found?.microseconds, is: seconds.map { now.microseconds + $0 * 1_000_000 })
        expect(
            Forget.moment("2026-11-27T14:00:00Z", now: now)?.microseconds, is: 1_795_788_000_000_000
        )
        expect(Forget.moment("2026-11-27", now: now) != nil)
    }
}
