import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

/// How many closed tabs and windows are kept, and how long.
@MainActor
struct ClosedTabLimitTests {
    private static let day = Duration.seconds(24 * 60 * 60)

    private static var three: RestorationPolicy {
        var policy = RestorationPolicy()
        policy.closed.maximumTabs = 3
        policy.closed.maximumWindows = 2
        policy.closed.maximumAge = day
        return policy
    }

    @Test func theOldestClosedTabGoesWhenThereIsOneTooMany() async throws {
        let host = try await Host.launched(policy: Self.three)
        let window = try await host.window("a", "b", "c", "d", "e")
        for _ in 0..<4 { try window.tabs.close(window.tabs[0]) }
        expect(host.restorer.closed.tabs.map(\.title), is: ["d", "c", "b"])
        try await host.restorer.save()
        let session = SessionID(window: .profileWide, kind: .recentlyClosed)
        expect(try await host.stored(session)?.tabs.map(\.title) == ["b", "c", "d"])
    }

    @Test func whatIsTooOldGoesWhenAnotherIsClosedAndAtLaunch() async throws {
        let host = try await Host.launched(policy: Self.three)
        let window = try await host.window("a", "b", "c", "d")
        try window.tabs.close(window.tabs[0])
        host.clock.advance(by: Self.day)
        try window.tabs.close(window.tabs[0])
        expect(host.restorer.closed.tabs.map(\.title), is: ["b", "a"])
        host.clock.advance(by: .seconds(1))
        try window.tabs.close(window.tabs[0])
        expect(host.restorer.closed.tabs.map(\.title), is: ["c", "b"])
        try await host.restorer.close()
        host.clock.advance(by: Self.day)
        let next = try await host.relaunched()
        expect(next.restorer.closed.tabs.map(\.title), is: ["c"])
    }

    /// However many there are: none goes because an app was launched.
    @Test func limitsOfTheNextLaunchCountWithItsFirstClosing() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b", "c", "d", "e")
        for _ in 0..<4 { try window.tabs.close(window.tabs[0]) }
        try await host.restorer.save()
        let next = try await host.relaunched(policy: Self.three)
        expect(next.restorer.closed.tabs.map(\.title), is: ["d", "c", "b", "a"])
        let other = try await next.window("f", "g")
        try other.tabs.close(other.tabs[0])
        expect(next.restorer.closed.tabs.map(\.title), is: ["f", "d", "c"])
        expect(next.seen.dropped.map(\.surplusClosedTabs.count), is: [2])
    }

    @Test func nothingIsDroppedAfterASuspiciousLoad() async throws {
        let host = try await Host.launched(policy: Self.three)
        let window = try await host.window("a", "b")
        let other = try await host.window("c")
        try window.tabs.close(window.tabs[0])
        try host.windows.close(other)
        try await host.restorer.close()
        host.clock.advance(by: Self.day * 3)
        let storage = FaultyStorage(host.storage.base)
        storage.failReading(
            window.sessionID, with: StorageError(.corrupted, "damaged"))
        let next = Host(storage: storage, clock: host.clock, policy: Self.three)
        let report = try await next.restorer.restore()
        expect(report.isSuspicious)
        expect(next.restorer.closed.tabs.map(\.title), is: ["a"])
        await #expect { try await next.restorer.savedWindows.purge() } throws: {
            if case SessionRestorationError.suspiciousLoad = $0 { true } else { false }
        }
        expect(try await next.stored(other.sessionID) != nil)
    }

    @Test func purgeRemovesClosedWindowsBeyondTheLimits() async throws {
        let host = try await Host.launched(policy: Self.three)
        let open = try await host.window("open")
        var closed: [Window] = []
        for title in ["a", "b", "c"] {
            let window = try await host.window(title)
            try host.windows.close(window)
            closed.append(window)
            host.clock.advance(by: .seconds(1))
        }
        let purged = try await host.restorer.savedWindows.purge()
        expect(purged.windows, is: [closed[0].id])
        expect(try await host.stored(closed[0].sessionID) == nil)
        expect(try await host.stored(closed[1].sessionID) != nil)
        host.clock.advance(by: Self.day - .milliseconds(500))
        let again = try await host.restorer.savedWindows.purge()
        expect(Set(again.windows), is: [closed[1].id, closed[2].id])
        expect(host.restorer.closed.windows.isEmpty)
        expect(try await host.storedTitles(open) == ["open"])
    }

    /// 25 windows are kept: those that were emptied do not crowd out the one that has tabs.
    @Test func emptiedWindowsCountForNoLimit() async throws {
        let host = try await Host.launched()
        let home = try await host.window("home")
        let full = try await host.window("a", "b")
        try host.windows.close(full)
        for number in 0..<26 {
            let window = try host.windows.open()
            try window.tabs.insert(Tab(url: "https://\(number).example/", title: "\(number)"))
            try window.tabs.transfer([window.tabs[0]], to: home.tabs)
            try host.windows.close(window)
        }
        expect(host.restorer.closed.windows.map(\.id), is: [full.id])
        expect(host.restorer.closed.items.map(\.tabs), is: [2])
        expect(host.windows.ids.reserve().id, is: full.id)
        let purged = try await host.restorer.savedWindows.purge()
        expect(purged.windows.isEmpty && purged.emptyWindows.count == 26)
        let next = try await host.relaunched()
        expect(next.restorer.closed.windows.map(\.tabs), is: [2])
        expect(try await next.restorer.savedWindows.purge().emptyWindows.isEmpty)
    }

    @Test func aWindowWithoutTabsButWithInactiveOnesIsWorthSomething() async throws {
        let host = try await Host.launched()
        _ = try await host.window("home")
        let window = try await host.window("a")
        let inactive = try host.windows.open(window.id, kind: .inactive)
        try inactive.tabs.insert(Tab(url: "https://old.example/", title: "old"))
        window.tabs.closeAll(reason: .cleanup)
        try host.windows.close(window)
        expect(host.restorer.closed.windows.map(\.hiddenTabs), is: [1])
        try await host.restorer.save()
        let next = try await host.relaunched()
        expect(next.restorer.closed.windows.map(\.hiddenTabs), is: [1])
        expect(try await next.restorer.savedWindows.purge() == PurgeReport())
        try await next.restorer.savedWindows.open(window.id)
        expect(next.windows.window(window.id, kind: .inactive)?.titles, is: ["old"])
    }

    @Test func purgeConfirmsABackupThatIsOlderThanADay() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b")
        let shut = try await host.window("c", "d")
        try host.restorer.closeAll(in: window)
        try host.restorer.closeAll(in: shut)
        try host.windows.close(shut)
        host.clock.advance(by: Self.day)
        expect(try await host.restorer.savedWindows.purge().confirmed.isEmpty)
        host.clock.advance(by: .seconds(1))
        let purged = try await host.restorer.savedWindows.purge()
        expect(Set(purged.confirmed), is: [window.id, shut.id])
        expect(Set(host.restorer.closed.tabs.map(\.title)), is: ["a", "b", "c", "d"])
        for id in [window.id, shut.id] {
            expect(try await host.stored(SessionID(window: id, kind: .backup)) == nil)
        }
    }
}
