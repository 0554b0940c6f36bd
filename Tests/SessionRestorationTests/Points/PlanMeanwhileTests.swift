import BrowserModel
import BrowserSessions
import SessionTesting
import TestSupport
import Testing

@testable import SessionRestoration

/// What happens while a plan waits for the store.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct PlanMeanwhileTests {
    private let folder = TemporaryFolder()

    private func launched() async throws -> Host { try await Host.ofPoints(in: folder) }

    /// A tab that is being realized shows the page that the plan says.
    @Test func aTabThatIsBeingRealized() async throws {
        let first = try await launched()
        let window = try await first.window("a", "b")
        let then = try await first.point()
        try window.tab("a").visit("a2")
        try await first.end()
        let host = try await launched()
        let again = try #require(host.windows.window(window.id))
        let plan = try await host.restorer.savedWindows.plan(at: then, mode: .replace)
        host.storage.hang(.states)
        try again.tabs.activate(again.tab("a2"))
        await host.storage.waitForHangingCalls()
        let result = try await host.restorer.savedWindows.apply(plan)
        host.storage.release()
        await host.waitUntilIdle()
        let tab = try again.tab("a")
        #expect(again.tabs.activeTab === tab && tab.isRealized && result.skipped.isEmpty)
        #expect(try await tab.visited() == ["a"])
        try await host.restorer.save()
        try await host.expectSaved()
        try await host.end()
    }

    private func expectNothing(
        _ result: RestorePlanResult, of plan: RestorePlan, _ host: Host,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let done = [result.done.sessions, result.done.tabs, result.done.nodes]
        #expect(done.allSatisfy { $0.total == 0 }, sourceLocation: sourceLocation)
        #expect(
            result.skipped.map(\.line) == plan.activeLines, sourceLocation: sourceLocation)
        #expect(
            result.skipped.allSatisfy { $0.reason == .cleared }, sourceLocation: sourceLocation)
        #expect(
            result.restorePoint == nil && result.states == 0, sourceLocation: sourceLocation)
        let points = try await host.restorer.savedWindows.restorePoints()
        #expect(
            !points.contains { $0.name == FaultyStorage.nameOfPointBeforeRestoring },
            sourceLocation: sourceLocation)
        #expect(host.windows.map(\.titles) == [[]], sourceLocation: sourceLocation)
        #expect(host.restorer.closed.items.isEmpty, sourceLocation: sourceLocation)
    }

    /// A plan with a tab that is gone, and one that was closed.
    private func plan(_ host: Host) async throws -> RestorePlan {
        let window = try await host.window("a", "b", "c")
        let then = try await host.point()
        window.tabs.close(at: 1, reason: .cleanup)
        window.tabs.close(at: 0, reason: .user)
        let plan = try await host.restorer.savedWindows.plan(at: then)
        #expect(plan.lines.count == 2)
        host.storage.forgetCalls()
        return plan
    }

    /// Cleared data does not come back, and nobody is told that it did.
    @Test func dataIsClearedMeanwhile() async throws {
        let host = try await launched()
        let plan = try await plan(host)
        host.storage.hang(.restore, on: .nth(2))
        let saved = host.restorer.savedWindows
        let applying = Task { try await saved.apply(plan) }
        await host.storage.waitForHangingCalls()
        #expect(try await host.restorer.browsingData.clear(.everything).isErased)
        host.storage.release()
        try await expectNothing(try await applying.value, of: plan, host)
        try await host.end()
    }

    @Test func dataIsBeingCleared() async throws {
        let host = try await launched()
        let plan = try await plan(host)
        host.storage.hang(.eraseRemoved)
        let data = host.restorer.browsingData
        let clearing = Task { try await data.clear(.everything) }
        await host.storage.waitForHangingCalls()
        let result = try await host.restorer.savedWindows.apply(plan)
        host.storage.release()
        _ = try await clearing.value
        try await expectNothing(result, of: plan, host)
        try await host.end()
    }

    /// No point stays of a plan that then has nothing to do.
    @Test func allOfItIsDoneMeanwhile() async throws {
        let host = try await launched()
        let window = try await host.window("a", "b")
        let then = try await host.point()
        window.tabs.close(at: 0)
        let plan = try await host.restorer.savedWindows.plan(at: then)
        host.storage.forgetCalls()
        host.storage.hang(.restore, on: .nth(2))
        let saved = host.restorer.savedWindows
        let applying = Task { try await saved.apply(plan) }
        await host.storage.waitForHangingCalls()
        try host.restorer.closed.reopenLast()
        host.storage.release()
        let result = try await applying.value
        #expect(result.skipped.map(\.reason) == [.alreadySo] && result.states == 0)
        #expect(result.restorePoint == nil && window.titles == ["a", "b"])
        let points = try await saved.restorePoints()
        #expect(!points.contains { $0.name == FaultyStorage.nameOfPointBeforeRestoring })
        try await host.end()
    }
}
