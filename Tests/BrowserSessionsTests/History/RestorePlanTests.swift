import Expectations
import SessionSamples

@testable import BrowserSessions
@testable import StorageEngines

@Suite("plans that go back")
struct RestorePlanTests {
    /// A store with a kept point, and a present that is some edits away from it.
    struct Pair {
        let fixture: StoreFixture
        let point: RestorePoint
        let past: [RestoredSession]
        let present: [RestoredSession]

        init(seed: UInt64) throws {
            var states = RandomStates(seed: seed)
            fixture = try StoreFixture(states.next())
            past = try fixture.sessions()
            point = try fixture.keepPoint()
            try fixture.replace(with: states.next(edits: Int(seed % 40)))
            present = try fixture.sessions()
        }

        var store: OrderedSessionStorage { fixture.store }
    }

    /// The session of each tab. Fails if two sessions have one.
    private func places(_ sessions: [RestoredSession]) -> [TabID: SessionID] {
        var places: [TabID: SessionID] = [:]
        for session in sessions {
            for tab in session.tabs {
                expect(places.updateValue(session.id, forKey: tab.id) == nil)
            }
        }
        return places
    }

    @Test(
        "A plan that merges keeps everything that is there, and brings back all that was",
        arguments: 201...240)
    func merging(seed: UInt64) async throws {
        let pair = try Pair(seed: seed)
        let plan = try await pair.store.restorePlan(at: pair.point.id)
        expect(plan.lines.allSatisfy { $0.action != .remove })
        let result = try await pair.store.apply(plan)
        expect(result.skipped == [] && result.tabsWithoutStates == 0)
        let after = try pair.fixture.sessions()
        let (was, now, earlier) = (places(pair.present), places(after), places(pair.past))
        expect(Set(now.keys), is: Set(was.keys).union(earlier.keys))
        let content = Dictionary(uniqueKeysWithValues: after.flatMap(\.tabs).map { ($0.id, $0) })
        for tab in pair.present.flatMap(\.tabs) {
            let tabNow = try #require(content[tab.id])
            expect(tabNow.url == tab.url && tabNow.title == tab.title)
            let isMoved = now[tab.id] != was[tab.id]
            if isMoved { expect(was[tab.id]?.kind, is: .recentlyClosed) }
        }
        expect(after.allSatisfy { $0.repairs.isEmpty })
        expect(try await pair.store.check().losses == [])
        // Nothing is left to do.
        let again = try await pair.store.restorePlan(at: pair.point.id)
        expect(again.lines.map(\.item), is: [])
    }

    @Test("A plan that replaces makes the past, with its states", arguments: 301...340)
    func replacing(seed: UInt64) async throws {
        let pair = try Pair(seed: seed)
        let result = try await pair.store.goBack(to: pair.point.id, mode: .replace)
        expect(result.skipped, is: [])
        expect(try pair.fixture.sessions() == pair.past)
        for session in pair.past {
            let keys = try await pair.store.stateKeys(in: session.id, at: .point(pair.point.id))
            expect(try await pair.store.stateKeys(in: session.id) == keys)
            expect(
                try await pair.store.states(of: keys)
                    == (try await pair.store.states(of: keys, at: .point(pair.point.id))))
        }
        expect(try await pair.store.restorePlan(at: pair.point.id, mode: .replace).isEmpty)
    }

    @Test(
        "Going back to the present is nothing, and takes no point",
        arguments: RestorePlan.Mode.allCases)
    func nothing(mode: RestorePlan.Mode) async throws {
        var states = RandomStates(seed: 7)
        let fixture = try StoreFixture(states.next())
        let point = try fixture.keepPoint()
        let plan = try await fixture.store.restorePlan(at: point.id, mode: mode)
        expect(plan.isEmpty && plan.lines == [] && plan.summary.tabs.total == 0)
        let result = try await fixture.store.apply(plan)
        expect(result.receipt == nil && result.restorePoint == nil)
        let points = try await fixture.store.restorePoints()
        expect(points.count, is: 1)
    }

    @Test("Whatever is struck out, no tab is lost that no line names", arguments: 401...430)
    func striking(seed: UInt64) async throws {
        let pair = try Pair(seed: seed)
        var generator = SeededGenerator(seed: seed)
        let mode = generator.pick(RestorePlan.Mode.allCases)
        var plan = try await pair.store.restorePlan(at: pair.point.id, mode: mode)
        plan.strike(plan.lines.filter { _ in generator.chance(1, in: 3) }.map(\.id))
        for line in plan.activeLines {
            expect(line.requires.allSatisfy { id in plan.activeLines.contains { $0.id == id } })
        }
        let result = try await pair.store.apply(plan)
        let after = try pair.fixture.sessions()
        let removed = Set(
            plan.activeLines.filter { $0.action == .remove }.compactMap { $0.now?.tab?.id })
        let kept = Set(places(pair.present).keys).subtracting(removed)
        expect(kept.isSubset(of: places(after).keys))
        let added = Set(
            plan.activeLines.filter { $0.action == .add }.compactMap { $0.then?.tab?.id })
        expect(Set(places(after).keys), is: kept.union(added))
        expect(result.skipped, is: [])
        expect(after.allSatisfy { $0.repairs.isEmpty })
    }

    @Test("A plan is the same after it was written and read", arguments: 501...510)
    func encoding(seed: UInt64) async throws {
        let pair = try Pair(seed: seed)
        for mode in RestorePlan.Mode.allCases {
            var plan = try await pair.store.restorePlan(at: pair.point.id, mode: mode)
            plan.strike(1)
            expect(try RestorePlan(encoded: plan.encoded()) == plan)
        }
    }
}
