import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

/// A tab goes on from all of its state, also if only a part of it waits to be saved.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct UnsavedStateTests {
    @Test func aTabThatIsReopenedBeforeTheSaveHasAllOfItsState() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b")
        let tab = try window.tab("a")
        tab.pages?.native = [1, 2, 3]
        tab.stateDidChange()
        try await host.restorer.save()
        tab.visit("a2")
        try window.tabs.close(window.tabs[0])
        let reopened = try #require(try host.restorer.closed.reopenLast().first)
        await host.waitUntilIdle()
        expect(reopened.pages?.history.entries.map(\.title), is: ["a", "a2"])
        expect(reopened.pages?.native, is: [1, 2, 3])
        try await host.restorer.save()
        let next = try await host.killed()
        let restored = try #require(next.windows.window(window.id)).tab("a2")
        expect(try await next.restorer.states.state(of: restored).native == [1, 2, 3])
    }
}
