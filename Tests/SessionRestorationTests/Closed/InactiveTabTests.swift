import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting

/// Tabs that were not used for a long time.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct InactiveTabTests {
    private static let day = Duration.seconds(24 * 60 * 60)

    private func inactive(_ host: Host, _ window: Window) -> [String] {
        host.windows.window(window.id, kind: .inactive)?.titles ?? []
    }

    /// A window of tabs that were all used at the start of time; the last is active.
    private func oldWindow(_ host: Host, _ age: Duration = day * 21 + .seconds(1)) async throws
        -> Window
    {
        let window = try await host.window("p", "a", "b", "c", "z")
        try window.tabs.pin(window.tabs[0])
        try window.tabs.insert(Tab(url: "about:blank", createdAt: host.clock.timestamp))
        for tab in window.tabs.tabs { tab.wasShown(at: host.clock.timestamp) }
        try await host.restorer.save()
        host.clock.advance(by: age)
        return window
    }

    @Test func tabsUnusedForLongerThanTheAgeMoveInOneSet() async throws {
        let host = try await Host.launched()
        let window = try await oldWindow(host)
        try window.tab("b").wasShown(at: host.clock.timestamp)
        try await host.restorer.save()
        host.storage.forgetCalls()
        expect(try host.restorer.inactive.moveUnused() == 2)
        expect(window.titles, is: ["p", "b", "z", ""])
        expect(inactive(host, window), is: ["a", "c"])
        try await host.restorer.save()
        expect(host.storage.savedSets.count, is: 1)
        expect(try await host.storedTitles(window) == ["p", "b", "z", ""])
        let session = SessionID(window: window.id, kind: .inactive)
        expect(try await host.stored(session)?.tabs.map(\.title) == ["a", "c"])
    }

    @Test func anAgeIsStrictlyExceeded() async throws {
        let host = try await Host.launched()
        let window = try await oldWindow(host, Self.day * 21)
        expect(try host.restorer.inactive.moveUnused() == 0)
        host.clock.advance(by: .microseconds(1))
        expect(try host.restorer.inactive.moveUnused() == 3)
        expect(inactive(host, window), is: ["a", "b", "c"])
    }

    @Test func itHappensAtLaunchAndRealizesNothing() async throws {
        let host = try await Host.launched()
        let window = try await oldWindow(host)
        try await host.restorer.close()
        let next = try await host.relaunched()
        let again = try require(next.windows.window(window.id))
        expect(again.titles, is: ["p", "z", ""])
        expect(inactive(next, again), is: ["a", "b", "c"])
        let hidden = try require(next.windows.window(window.id, kind: .inactive))
        try hidden.tabs.activate(hidden.tabs[1])
        await next.waitUntilIdle()
        expect(hidden.tabs.tabs.allSatisfy { !$0.isRealized })
        try await next.restorer.close()
        let third = try await next.relaunched()
        expect(inactive(third, window), is: ["a", "b", "c"])
    }

    @Test func aTabComesBackBehindThePinnedOnesAndIsActive() async throws {
        let host = try await Host.launched()
        let window = try await oldWindow(host)
        try host.restorer.inactive.moveUnused()
        let hidden = try require(host.windows.window(window.id, kind: .inactive))
        let tab = try hidden.tab("b")
        try host.restorer.inactive.reactivate(tab)
        expect(window.titles, is: ["p", "b", "z", ""])
        expect(window.tabs.activeTab === tab)
        expect(tab.metadata.lastActiveAt, is: host.clock.timestamp)
        #expect { try host.restorer.inactive.reactivate(tab) } throws: {
            if case SessionRestorationError.notInactive(tab.id) = $0 { true } else { false }
        }
        expect(try host.restorer.inactive.moveUnused() == 1)
    }

    @Test func allTabsComeBackAndStay() async throws {
        let host = try await Host.launched()
        let window = try await oldWindow(host)
        try host.restorer.inactive.moveUnused()
        try await host.restorer.save()
        expect(try host.restorer.inactive.reactivateAll(in: window) == 3)
        expect(window.titles, is: ["p", "a", "b", "c", "z", ""])
        expect(host.windows.window(window.id, kind: .inactive) == nil)
        try window.tabs.activate(window.tabs[1])
        expect(try host.restorer.inactive.moveUnused() == 1)
        try await host.restorer.save()
        expect(inactive(host, window), is: ["z"])
    }

    @Test func withoutAnAgeAllComeBackAtLaunch() async throws {
        let host = try await Host.launched()
        let window = try await oldWindow(host)
        try host.restorer.inactive.moveUnused()
        try await host.restorer.close()
        let next = try await host.relaunched(policy: .with { $0.inactiveAge = nil })
        let again = try require(next.windows.window(window.id))
        expect(again.titles, is: ["p", "a", "b", "c", "z", ""])
        expect(again.tabs.tabs.count { $0.isRealized }, is: 1)
        try await next.restorer.save()
        expect(try await next.stored(SessionID(window: window.id, kind: .inactive)) == nil)
        expect(try await next.storedTitles(again) == ["p", "a", "b", "c", "z", ""])
    }

    @Test func aRaisedAgeBringsBackThoseThatAreNotOverIt() async throws {
        let host = try await Host.launched()
        let window = try await oldWindow(host, Self.day * 10)
        try window.tab("b").wasShown(at: host.clock.timestamp)
        host.clock.advance(by: Self.day * 25)
        try host.restorer.inactive.moveUnused()
        expect(inactive(host, window), is: ["a", "b", "c"])
        try await host.restorer.close()
        let next = try await host.relaunched(policy: .with { $0.inactiveAge = Self.day * 30 })
        expect(next.windows.window(window.id)?.titles, is: ["p", "b", "z", ""])
        expect(inactive(next, window), is: ["a", "c"])
    }

    @Test func aGroupIsTheSameAfterItsTabsWereAway() async throws {
        let host = try await Host.launched()
        let window = try await oldWindow(host)
        let group = StructureNode.group(id: .random(), name: "G")
        try window.tabs.create(group, of: [window.tabs[1], window.tabs[2], window.tabs[3]])
        try window.tab("b").wasShown(at: host.clock.timestamp)
        try host.restorer.inactive.moveUnused()
        expect(inactive(host, window), is: ["a", "c"])
        try host.restorer.inactive.reactivateAll(in: window)
        expect(window.titles, is: ["p", "b", "a", "c", "z", ""])
        expect(window.tabs.range(of: group.id), is: 1..<4)
    }

    @Test func anInactiveTabThatIsClosedCanBeReopened() async throws {
        let host = try await Host.launched()
        let window = try await oldWindow(host)
        try host.restorer.inactive.moveUnused()
        let hidden = try require(host.windows.window(window.id, kind: .inactive))
        try hidden.tabs.close(hidden.tabs[0])
        expect(host.restorer.closed.tabs.map(\.index), is: [nil])
        try host.restorer.closed.reopenLast()
        expect(window.titles.last, is: "a")
    }

    @Test func aTabThatDamageLeftInBothSessionsEndsInOne() async throws {
        let host = try await Host.launched()
        let window = try await oldWindow(host)
        try host.restorer.inactive.moveUnused()
        try await host.restorer.close()
        let twin = try require(try await host.stored(window.sessionID)?.tabs.first)
        let session = SessionID(window: window.id, kind: .inactive)
        let doubled = DoublingStorage(base: host.storage.base, tab: twin, session: session)
        let next = Host(storage: FaultyStorage(doubled), clock: host.clock)
        try await next.restorer.restore()
        let places = next.windows.windows.filter { $0.tabs.tab(twin.id) != nil }
        expect(places.map(\.kind), is: [.regular])
        expect(next.windows.window(window.id)?.titles, is: ["p", "z", ""])
        try await next.restorer.save()
        let id = window.sessionID
        let put = next.storage.savedChanges.flatMap(\.changes).contains {
            if case .put(.tab(let tab, id)) = $0 { tab.id == twin.id } else { false }
        }
        expect(put, "saved again where it is, it is nowhere else")
    }

    @Test func inactiveTabsAreListedWithTheirWindowsAndWhatIsKnownOfThem() async throws {
        let host = try await Host.launched(policy: .with { $0.inactiveAge = .seconds(60) })
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
        expect(throws: SessionRestorationError.self) { try inactive.tabs(of: WindowID.random()) }
        try inactive.reactivate(tabs[0].id)
        expect(windows[1].tabs.map(\.metadata.title), is: ["c", "z"])
        expect(try inactive.tabs(of: windows[1]).isEmpty)
    }
}

/// A store in which damage has left a tab in a second session, too.
struct DoublingStorage: StorageDecorator {
    let base: any SessionStorage
    let tab: TabMetadata
    let session: SessionID

    func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
        -> [RestoredSession]
    {
        var found = try await base.restore(ids, at: version)
        for index in found.indices where found[index].id == session {
            found[index].tabs.insert(tab, at: 0)
        }
        return found
    }
}
