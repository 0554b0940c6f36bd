import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

/// A store that does not answer, and is replaced or not.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct HangingStoreTests {
    @Test func aHangInTheNoteOfTheLaunchIsToldAndSurvived() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a")
        host.storage.hang(.save)
        try window.tab("a").setLoad(.loading(""))
        await host.storage.waitForHangingCalls()
        host.clock.advance(by: host.restorer.policy.stallLimit)
        await host.waitUntilAllHasBegun()
        expect(host.restorer.health.name, is: "stalled")
        let other = FaultyStorage()
        host.restorer.replaceStorage(with: other)
        try await host.restorer.save()
        expect(try await other.base.restore(window.sessionID, at: .current) != nil)
        expect(host.restorer.health.name, is: "healthy")
    }

    @Test func aDeletionThatHangsStaysOwedWhereverTheTabsAre() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("secret", kind: .incognito)
        _ = try await host.window("a")
        host.storage.hang(.deleteIncognito)
        window.tabs.closeAll(reason: .user)
        await host.storage.waitForCalls(of: .deleteIncognito)
        host.clock.advance(by: host.restorer.policy.stallLimit)
        await host.waitUntilAllHasBegun()
        expect(host.restorer.health.name, is: "stalled")
        // The regular partition is saved all the same.
        try require(host.windows.windows.last).tab("a").setTitle("a2")
        let saves = host.seen.saves.count
        host.clock.advance(by: host.restorer.policy.saveDelay)
        await host.seen.waitForSaves(saves + 1)
        // Then the process is killed, and the next one knows.
        let next = try await host.killed()
        expect(next.windows.windows.map(\.titles), is: [["a2"]])
        expect(try await next.storage.base.sessions().allSatisfy { $0.partition == .regular })
    }

    @Test func windowsComeBackAfterOneWaitThoughNoStateIsRead() async throws {
        let first = try await Host.firstProcess()
        let windows = [try await first.window("a"), try await first.window("b")]
        let host = try first.nextProcess()
        host.storage.hang(.states, on: .every)
        let restoring = Task { try await host.restorer.restore() }
        await host.storage.waitForHangingCalls()
        host.clock.advance(by: host.restorer.policy.answerLimit)
        await host.waitUntilAllHasBegun()
        expect(host.storage.calls(of: .states).count, is: 1)
        host.storage.forgetFaults()
        host.storage.release()
        expect(try await restoring.value.windows.count == 2)
        let active = try windows.map { try require(host.windows.window($0.id)?.tabs.activeTab) }
        expect(active.allSatisfy { !$0.isRealized })
        expect(host.storage.calls(of: .states).count, is: 1)
        for tab in active { try await tab.forceRealization() }
        expect(active.allSatisfy { $0.isRealized })
    }

    @Test func aDeletionThatHangsIsDoneInTheNextStore() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("secret", kind: .incognito)
        host.storage.hang(.deleteIncognito)
        window.tabs.closeAll(reason: .user)
        await host.storage.waitForCalls(of: .deleteIncognito)
        let reopened = FaultyStorage(try require(host.storage.base as? MemoryStorage).reopened())
        host.restorer.replaceStorage(with: reopened)
        await host.waitUntilIdle()
        expect(try await reopened.base.sessions().allSatisfy { $0.partition == .regular })
        expect(host.seen.events.contains("incognitoDeleted"))
    }

    @Test func aDeletionThatIsOwedAndFailsAtTheNextLaunchTooKeepsOnlyPrivateTabsAway() async throws
    {
        let host = try await Host.firstProcess()
        let window = try await host.window("secret", kind: .incognito)
        _ = try await host.window("a")
        host.storage.fail(
            .deleteIncognito, with: StorageError(.failed, "input/output error"), on: .every)
        host.storage.fail(.save, with: StorageError(.failed, "input/output error"), on: .nth(2))
        window.tabs.closeAll(reason: .user)
        await host.waitUntilIdle()
        let next = try await host.killed { storage in
            storage.fail(.deleteIncognito, with: StorageError(.failed, "input/output error"))
        }
        expect(next.windows.windows.map(\.titles), is: [["a"]])
        next.clock.advance(by: .seconds(60))
        await next.waitUntilIdle()
        expect(try await next.storage.base.sessions().allSatisfy { $0.partition == .regular })
    }

    @Test func whoeverWaitsTooLongIsToldAndNothingIsLost() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a")
        host.storage.hang(.save)
        try window.tab("a").setTitle("a2")
        let saving = Task { try await host.restorer.save() }
        await host.storage.waitForHangingCalls()
        host.clock.advance(by: host.restorer.policy.answerLimit)
        await expect(throws: SessionRestorationError.self) { try await saving.value }
        expect(!host.restorer.isSaved)
        // Nothing overtakes the call that is still under way.
        let again = Task { try await host.restorer.save() }
        await host.waitUntilAllHasBegun()
        expect(host.storage.calls(of: .save).count, is: 1)
        host.storage.release()
        try await again.value
        expect(try await host.storedTitles(window) == ["a2"])
        expect(host.restorer.isSaved)
    }

    @Test func aHangInRestoreIsTold() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a")
        let next = try host.nextProcess()
        next.storage.hang(.restore, on: .nth(2))
        let restoring = Task { try await next.restorer.restore() }
        await next.storage.waitForCalls(of: .restore, count: 2)
        next.clock.advance(by: next.restorer.policy.stallLimit)
        await next.waitUntilAllHasBegun()
        expect(next.restorer.health.name, is: "stalled")
        next.restorer.replaceStorage(with: FaultyStorage(next.storage.base))
        await expect(throws: SessionRestorationError.self) { try await restoring.value }
        try await next.restorer.restore()
        expect(next.windows.window(window.id)?.titles, is: ["a"])
    }

    @Test func aHangInCloseEndsWithTheNextStore() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a")
        try window.tab("a").setTitle("a2")
        host.storage.hang(.save)
        let closing = Task { try await host.restorer.close() }
        await host.storage.waitForHangingCalls()
        let other = FaultyStorage()
        host.restorer.replaceStorage(with: other)
        try await closing.value
        let titles = try await other.base.restore(window.sessionID, at: .current)?.tabs
        expect(titles?.map(\.title), is: ["a2"])
    }

    @Test func savingInACancelledTaskSaves() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a")
        try window.tab("a").setTitle("a2")
        let saving = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await host.restorer.save()
        }
        try await saving.value
        expect(try await host.storedTitles(window) == ["a2"])
        expect(host.seen.failures.isEmpty)
    }
}
