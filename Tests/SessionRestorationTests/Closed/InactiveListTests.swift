import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting

@MainActor @Suite(.timeLimit(.minutes(10)))
struct InactiveListTests {
    @Test func inactiveTabsAreListedWithTheirWindowsAndWhatIsKnownOfThem() async throws {
        var policy = RestorationPolicy()
        policy.inactiveAge = .seconds(60)
        let host = try await Host.launched(policy: policy)
        let windows = [try await host.window("a", "b", "z"), try await host.window("c", "z")]
        let quiet = try await host.window("z")
        for window in windows {
            for tab in window.tabs { tab.wasShown(at: host.clock.timestamp) }
        }
        let then = host.clock.timestamp
        host.clock.advance(by: .seconds(61))
        let inactive = host.restorer.inactive
        expect(try inactive.tabs(of: windows[0]).isEmpty)
        try inactive.moveUnused()
        expect(try inactive.tabs(of: windows[0]).map(\.metadata.title) == ["a", "b"])
        let tabs = try inactive.tabs(of: windows[1].id)
        expect(tabs.map(\.metadata.title) == ["c"] && tabs[0].metadata.lastActiveAt == then)
        expect(try inactive.tabs(of: quiet).isEmpty)
        #expect(throws: SessionRestorationError.self) { try inactive.tabs(of: WindowID.random()) }
        try inactive.reactivate(tabs[0].id)
        expect(windows[1].tabs.map(\.metadata.title), is: ["c", "z"])
        expect(try inactive.tabs(of: windows[1]).isEmpty)
    }
}
