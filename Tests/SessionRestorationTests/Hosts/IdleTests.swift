import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

/// What a restorer that is idle has done, and what it has not.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct IdleTests {
    /// A host with a change and a delayed save that hangs in the store.
    private func hostWithAStoreThatHangs() async throws -> Host {
        let host = try await Host.launched()
        let window = try await host.window("a")
        try await host.hangSave { try window.tab("a").setTitle("a2") }
        return host
    }

    @Test func whoWaitsAndIsCancelledGoesOn() async throws {
        let host = try await hostWithAStoreThatHangs()
        let idle = Task { await host.restorer.waitUntilIdle() }
        _ = try await host.storage.sessions()
        idle.cancel()
        await idle.value
        expect(host.storage.hangingCalls.count, is: 1)
        host.storage.release()
        await host.waitUntilIdle()
        expect(host.restorer.isSaved)
    }

    @Test func severalCanWaitWhileTheStoreHangsInASaveOfItsOwn() async throws {
        let host = try await hostWithAStoreThatHangs()
        let tasks = (0..<3).map { _ in
            Task {
                await host.restorer.waitUntilIdle()
                return host.seen.saves.count
            }
        }
        // The store answers from elsewhere: until then the tasks above have their turns.
        _ = try await host.storage.sessions()
        host.storage.release()
        for task in tasks { expect(await task.value == 1) }
        expect(host.restorer.isSaved)
    }

    @Test func itIsWhileADelayHasNotPassed() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a")
        try window.tab("a").setTitle("a2")
        await host.waitUntilIdle()
        expect(!host.restorer.isSaved && host.storage.calls.isEmpty)
        try await host.restorer.save()
        host.clock.advance(by: host.restorer.policy.saveDelay)
        await host.waitUntilIdle()
        expect(host.storage.calls(of: .save).count, is: 1)
    }

    @Test func itIsWhileOthersAwaitASave() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a")
        try window.tab("a").setTitle("a2")
        host.storage.hang(.save)
        let saving = Task { try await host.restorer.save() }
        await host.storage.waitForHangingCalls()
        await host.waitUntilIdle()
        expect(host.storage.hangingCalls.count, is: 1)
        host.storage.release()
        try await saving.value
    }

    @Test func itIsWhenRestoringHasFailedWhateverWasAskedForSince() async throws {
        let host = Host()
        let tab = Tab(url: "https://a.example/")
        try host.windows.open().tabs.insert(tab)
        host.storage.fail(.sessions, with: StorageError(.failed, "input/output error"))
        await expect(throws: SessionRestorationError.self) { try await host.restorer.restore() }
        tab.setLoad(.loading(""))
        await host.waitUntilIdle()
        expect(host.storage.calls(of: .save).count, is: 1)
        try await host.restorer.restore()
        await host.waitUntilIdle()
        expect(host.storage.calls(of: .save).last?.sessionIDs, is: [LaunchMarker.session])
    }

    @Test func aRealClockTellsWhatIsDueToo() async throws {
        var policy = RestorationPolicy()
        policy.saveDelay = .zero
        let windows = WindowList()
        let restorer = SessionRestorer(windows: windows, storage: MemoryStorage(), policy: policy)
        try await restorer.restore()
        try windows.open().tabs.insert(Tab(url: "https://a.example/"))
        expect(!restorer.isSaved)
        await restorer.waitUntilIdle()
        expect(restorer.isSaved)
    }
}
