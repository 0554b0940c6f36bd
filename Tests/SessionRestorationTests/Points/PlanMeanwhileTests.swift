import BrowserModel
import BrowserSessions
import Expectations
import RestorePlans
import SessionTesting
import TestSupport

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
        let again = try require(host.windows.window(window.id))
        let plan = try await host.restorer.history.plan(at: then, mode: .replace)
        host.storage.hang(.states)
        try again.tabs.activate(again.tab("a2"))
        await host.storage.waitForHangingCalls()
        let result = try await host.restorer.history.apply(plan)
        host.storage.release()
        await host.waitUntilIdle()
        let tab = try again.tab("a")
        expect(again.tabs.activeTab === tab && tab.isRealized && result.skipped.isEmpty)
        expect(try await tab.visited() == ["a"])
        try await host.endSaved()
    }

    /// Cleared data does not come back, and no answer says that it did, whether clearing or the plan is first.
    @Test(arguments: [false, true])
    func dataIsCleared(isFirst: Bool) async throws {
        let host = try await launched()
        let window = try await host.window("a", "b", "c")
        let then = try await host.point()
        // One tab is gone, and one was closed.
        try window.tabs.close(window.tabs[1], reason: .cleanup)
        try window.tabs.close(window.tabs[0], reason: .user)
        let history = host.restorer.history
        let plan = try await history.plan(at: then)
        expect(plan.lines.count, is: 2)
        let result: RestorePlanResult
        if isFirst {
            host.storage.forgetCalls()
            host.storage.hang(.eraseRemoved)
            let clearing = Task { try await history.clear(.everything) }
            await host.storage.waitForHangingCalls()
            result = try await history.apply(plan)
            host.storage.release()
            _ = try await clearing.value
        } else {
            result = try await applying(plan, host) { _ = try await history.clear(.everything) }
        }
        let done = [result.done.sessions, result.done.tabs, result.done.nodes]
        expect(done.allSatisfy { $0.total == 0 })
        expect(result.skipped.map(\.line), is: plan.activeLines)
        expect(result.skipped.allSatisfy { $0.reason == .cleared })
        expect(result.restorePoint == nil && result.states == 0)
        let points = try await history.restorePoints()
        expect(!points.contains { $0.name == RestorePoint.nameBeforeRestoring })
        expect(host.windows.map(\.titles), is: [[]])
        expect(host.restorer.closed.items.isEmpty)
        try await host.end()
    }

    /// No point stays of a plan that then has nothing to do.
    @Test func allOfItIsDoneMeanwhile() async throws {
        let host = try await launched()
        let window = try await host.window("a", "b")
        let then = try await host.point()
        try window.tabs.close(window.tabs[0])
        let plan = try await host.restorer.history.plan(at: then)
        let result = try await applying(plan, host) { try host.restorer.closed.reopenLast() }
        expect(result.skipped.map(\.reason) == [.alreadySo] && result.states == 0)
        expect(result.restorePoint == nil && window.titles == ["a", "b"])
        let points = try await host.restorer.history.restorePoints()
        expect(!points.contains { $0.name == RestorePoint.nameBeforeRestoring })
        try await host.end()
    }

    /// A plan that waits for the second time that it reads.
    private func applying(
        _ plan: RestorePlan, _ host: Host, _ meanwhile: () async throws -> Void
    ) async throws -> RestorePlanResult {
        host.storage.forgetCalls()
        host.storage.hang(.restore, on: .nth(2))
        let saved = host.restorer.history
        let applying = Task { try await saved.apply(plan) }
        await host.storage.waitForHangingCalls()
        try await meanwhile()
        host.storage.release()
        return try await applying.value
    }

    @Test func aTabIsBetweenTwoWindows() async throws {
        let host = try await launched()
        let window = try await host.window("a", "b")
        let then = try await host.point()
        try window.tabs.close(window.tabs[0])
        let plan = try await host.restorer.history.plan(at: then)
        var detached: Tab?
        let result = try await applying(plan, host) {
            let tab = try require(try host.restorer.closed.reopenLast().first)
            detached = try window.tabs.detach(tab)
        }
        expect(result.skipped.map(\.reason) == [.alreadySo] && window.titles == ["b"])
        try window.tabs.insert(try require(detached))
        try await host.endSaved()
    }

    @Test func aWindowIsClosed() async throws {
        let host = try await launched()
        _ = try await host.window("s")
        let window = try await host.window("a", "b")
        try window.tabs.create(StructureNode.folder(name: "F"), of: [window.tab("b")])
        let then = try await host.point()
        try window.tabs.closeAll(in: window.tabs.nodes[0], reason: .cleanup)
        let plan = try await host.restorer.history.plan(at: then)
        _ = try await applying(plan, host) { try host.windows.close(window) }
        try await host.restorer.save()
        let stored = try require(try await host.stored(window.sessionID))
        expect(stored.attributes.closedAt != nil && stored.tabs.map(\.title) == ["a", "b"])
        expect(host.restorer.closed.windows.map(\.tabs), is: [2])
        try await host.end()
    }

    @Test func aClosedWindowIsDiscarded() async throws {
        let host = try await launched()
        _ = try await host.window("s")
        let window = try await host.window("a", "b")
        let then = try await host.point()
        try host.windows.close(window)
        let plan = try await host.restorer.history.plan(at: then)
        host.storage.forgetCalls()
        host.storage.hang(.restore, on: .nth(2))
        let (history, windows) = (host.restorer.history, host.restorer.savedWindows)
        let applying = Task { try await history.apply(plan) }
        await host.storage.waitForHangingCalls()
        // The removal is not saved yet when the store answers.
        host.storage.hang(.save)
        let discarding = Task { try await windows.discard([window.id]) }
        await host.storage.waitForHangingCalls(2)
        host.storage.release(.restore)
        await host.storage.waitForAnswers(of: .restore, count: 2)
        host.storage.release()
        let result = try await applying.value
        _ = try await discarding.value
        expect(host.windows.map(\.titles), is: [["s"]])
        expect(result.skipped.map(\.reason), is: [.gone])
        try await host.end()
    }

    @Test func theRestorerEnds() async throws {
        let host = try await launched()
        let window = try await host.window("a", "b")
        let then = try await host.point()
        try window.tabs.close(window.tabs[0], reason: .cleanup)
        let plan = try await host.restorer.history.plan(at: then)
        await expect(throws: SessionRestorationError.self) {
            try await applying(plan, host) { try await host.restorer.close() }
        }
        expect(window.titles, is: ["b"])
        try await host.storage.close()
    }

    /// A save that fails keeps what the plan did. A tab that is closed before the emptied shelf is saved stays
    /// closed.
    @Test func aTabIsClosedBeforeThePlanIsSaved() async throws {
        let host = try await launched()
        let window = try await host.window("a", "b", "c")
        let then = try await host.point()
        try window.tabs.close(window.tabs[0])
        let plan = try await host.restorer.history.plan(at: then)
        host.storage.fail(.save, with: StorageError(.outOfSpace, "full"))
        await expect(throws: SessionRestorationError.self) {
            try await host.restorer.history.apply(plan)
        }
        expect(window.titles == ["a", "b", "c"] && !host.restorer.isSaved)
        try window.tabs.close(window.tab("b"))
        try await host.restorer.save()
        try await host.expectSaved()
        expect(try await host.stored(ClosedTabRecords.session)?.tabs.map(\.title) == ["b"])
        try await host.end()
    }
}
