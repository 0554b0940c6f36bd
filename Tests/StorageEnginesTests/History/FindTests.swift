import Expectations
import SessionSamples

@testable import BrowserSessions
@testable import RestorePlans
@testable import StorageEngines

@Suite("tabs are found wherever they are")
struct FindTests {
    private func tab(_ number: UInt64, _ title: String) -> TabMetadata {
        TabMetadata(
            id: TabID(high: 3, low: number), place: OrderKey.evenlySpaced(count: 20)[Int(number)],
            url: "https://example.org/\(number)", title: title,
            lastActiveAt: Timestamp(microseconds: Int64(number)))
    }

    private func session(_ number: UInt64, _ kind: SessionKind = .regular) -> SessionID {
        SessionID(window: WindowID(high: 7, low: number), kind: kind)
    }

    /// A store with a tab in sessions of all kinds.
    private func filled() throws -> StoreFixture {
        let fixture = try StoreFixture()
        var changes = SessionChanges()
        let sessions = [
            session(1), session(1, .inactive), session(2), session(3, .recentlyClosed),
            session(4, .setAside), session(5, .library), session(1, .incognito),
        ]
        for (number, id) in sessions.enumerated() where id.partition == .regular {
            var attributes = SessionAttributes(title: "Session \(number)")
            if number == 2 { attributes.closedAt = Timestamp(microseconds: 5) }
            changes.put(attributes, for: id)
            changes.put(tab(UInt64(number), "Überblick \(number)"), in: id)
        }
        changes.put(tab(10, "Overview"), in: session(1))
        changes.put(tab(11, "Überblick, gone"), in: session(1))
        changes.put(tab(12, "Überblick, expired"), in: session(3, .recentlyClosed))
        try fixture.store.saveBlocking(changes, durability: .powerLoss)
        var hidden = SessionChanges()
        hidden.put(tab(13, "Überblick, private"), in: session(1, .incognito))
        try fixture.store.saveBlocking(hidden, durability: .powerLoss)
        return fixture
    }

    @Test("Each tab is found once: where it is, or where it was seen last")
    func places() async throws {
        let fixture = try filled()
        let point = try fixture.keepPoint()
        try fixture.save(.remove(tab(11, "").id, from: session(1)))
        try fixture.save(.remove(tab(12, "").id, from: session(3, .recentlyClosed)))
        let later = try fixture.keepPoint()

        let found = try await fixture.store.find("uberblick")
        expect(
            found.map(\.place),
            is: [
                .open, .open, .inactive, .closedWindow, .closed, .setAside, .gone, .gone,
            ])
        try require(found.count == 8)
        // The most recently used first.
        expect(found.map { Int($0.tab.id.low) }, is: [5, 0, 1, 2, 3, 4, 12, 11])
        expect(found[1].session == session(1) && found[1].sessionTitle == "Session 0")
        expect(found.prefix(6).allSatisfy { $0.lastSeen == nil })
        expect(found[6].lastSeen, is: .init(point: point, goneBy: later, cause: .closed))
        expect(found[7].lastSeen, is: .init(point: point, goneBy: later, cause: .unknown))
        expect(found[7].session == session(1) && found[7].sessionTitle == "Session 0")
        expect(try await fixture.store.find("blick UBER", includingEarlier: false).count == 6)
        expect(try await fixture.store.find("example.org/11").map(\.place) == [.gone])
        expect(try await fixture.store.find("nothing of this") == [])
        expect(try await fixture.store.find(" ") == [])
    }

    @Test("What was taken before a loss says so")
    func loss() async throws {
        let fixture = try StoreFixture()
        var changes = SessionChanges()
        for number in UInt64(1)...12 { changes.put(tab(number, "lost \(number)"), in: session(1)) }
        try fixture.store.saveBlocking(changes, durability: .powerLoss)
        try fixture.keepPoint()
        try fixture.save(.put(tab(13, "later"), in: session(1)))
        try fixture.save(.remove(session(1)))
        let found = try require(try await fixture.store.find("lost 12").first)
        let point = try require(try fixture.store.restorePointsBlocking().first)
        expect(point.reason == .beforeLoss && point.lostTabCount == 13)
        expect(found.lastSeen, is: .init(point: point, goneBy: nil, cause: .loss))
    }

    @Test("A closed store finds nothing, and says why")
    func closedStore() async throws {
        let fixture = try StoreFixture()
        try await fixture.store.close()
        for words in ["", "words"] {
            let error = await expect(throws: StorageError.self) {
                try await fixture.store.find(words)
            }
            expect(error?.code, is: .closed)
        }
    }
}
