import Expectations
import SessionSamples

@testable import BrowserSessions
@testable import RestorePlans
@testable import StorageEngines

@Suite("plans that go back")
struct RestorePlanTests {
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
        "Going back to the present is nothing, and takes no point",
        arguments: RestorePlan.Mode.allCases)
    func nothing(mode: RestorePlan.Mode) async throws {
        var profiles = RandomProfiles(seed: 7)
        let fixture = try StoreFixture(profiles.next())
        let point = try fixture.keepPoint()
        let plan = try await fixture.store.restorePlan(at: point.id, mode: mode)
        expect(plan.isEmpty && plan.lines == [] && plan.summary.tabs.total == 0)
        let result = try await fixture.store.apply(plan)
        expect(result.receipt == nil && result.restorePoint == nil)
        let points = try await fixture.store.restorePoints()
        expect(points.count, is: 1)
    }

    @Test(
        "Every subset of a plan is a set that a store accepts, and its undo is exact",
        arguments: RestorePlan.Mode.allCases)
    func subsets(mode: RestorePlan.Mode) async throws {
        for seed in 1...UInt64(150) {
            var profiles = RandomProfiles(seed: seed)
            let fixture = try StoreFixture()
            func next() throws {
                let before = profiles.state
                _ = try fixture.store.saveBlocking(
                    SessionEdit(.move, from: before, to: profiles.next()).changes)
            }
            for _ in 0..<3 { try next() }
            let (point, past) = (try fixture.keepPoint(), try fixture.content())
            try next()
            var plan = try await fixture.store.restorePlan(at: point.id, mode: mode)
            let isWhole = profiles.generator.chance(1, in: 3)
            if !isWhole { strikeSome(&plan, &profiles.generator) }
            expect(try RestorePlan(encoded: plan.encoded()) == plan)
            let isLate = profiles.generator.chance(1, in: 3)
            if isLate { try next() }
            let before = try fixture.content()
            let result = try await fixture.store.apply(plan)
            if !isLate { expect(result.skipped.count + result.tabsWithoutStates, is: 0) }
            try check(result, of: plan, from: before, to: fixture.sessions())
            if isWhole, !isLate {
                let again = try await fixture.store.restorePlan(at: point.id, mode: mode)
                let now = try fixture.content()
                expect(again.isEmpty && (mode == .merge || now == past))
            }
            guard let undo = result.restorePoint else { continue }
            let undone = try await fixture.store.goBack(to: undo.id, mode: .replace)
            expect(try undone.skipped == [] && fixture.content() == before, "seed \(seed)")
        }
    }

    private func strikeSome(_ plan: inout RestorePlan, _ generator: inout SeededGenerator) {
        plan.strike(plan.lines.filter { _ in generator.chance(1, in: 3) }.map(\.id))
        let active = Set(plan.activeLines.map(\.id))
        expect(plan.activeLines.allSatisfy { active.isSuperset(of: $0.requires) })
    }

    /// What no line names stays, what comes back is there, and what is so already is.
    private func check(
        _ result: RestorePlanResult, of plan: RestorePlan, from before: [SessionSnapshot],
        to after: [RestoredSession]
    ) throws {
        let removed = plan.activeLines.filter { $0.action == .remove }.compactMap {
            $0.now?.tab?.id
        }
        let added = plan.activeLines.filter { $0.action == .add }.compactMap { $0.then?.tab?.id }
        let tabs = Set(before.flatMap(\.tabs).map(\.metadata.id)).subtracting(removed).union(added)
        expect(tabs.isSubset(of: places(after).keys))
        let there = SessionRecords(after)
        for line in result.skipped.filter({ $0.reason == .alreadySo }).map(\.line) {
            let (now, then) = (there[line.item], line.then)
            expect(now?.session, is: then?.session)
            if plan.mode == .replace {
                expect(now?.title == then?.title && now?.position?.list == then?.position?.list)
            }
        }
    }
}
