import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting

@MainActor @Suite(.timeLimit(.minutes(10)))
struct InactiveListTests {
    @Test func inactiveTabsAreListedWithTheirWindowsAndWhatIsKnownOfThem() async throws {
        let host = try await Host.launched(policy: RestorationPolicy(inactiveAge: .seconds(60)))
        let windows = [try await host.window("a", "b", "z"), try await host.window("c", "z")]
        let quiet = try await host.window("z")
        for window in windows {
            for tab in window.tabs { tab.wasShown(at: host.clock.timestamp) }
        }
        let then = host.clock.timestamp
        host.clock.advance(by: .seconds(61))
        expect(host.restorer.inactive.all.isEmpty)
        try host.restorer.inactive.moveUnused()
        let all = host.restorer.inactive.all
        expect(all.map(\.tab.metadata.title), is: ["a", "b", "c"])
        expect(all.map(\.window), is: [windows[0].id, windows[0].id, windows[1].id])
        expect(all.allSatisfy { $0.tab.metadata.lastActiveAt == then && $0.id == $0.tab.id })
        let inactive = host.restorer.inactive
        expect(try inactive.tabs(of: windows[0]).map(\.metadata.title) == ["a", "b"])
        expect(try inactive.tabs(of: windows[1].id).map(\.metadata.title) == ["c"])
        expect(try inactive.tabs(of: quiet).isEmpty)
        #expect(throws: SessionRestorationError.self) { try inactive.tabs(of: WindowID.random()) }
        try inactive.reactivate(all[2].id)
        expect(windows[1].tabs.map(\.metadata.title), is: ["c", "z"])
        expect(inactive.all.map(\.tab.metadata.title), is: ["a", "b"])
    }
}
