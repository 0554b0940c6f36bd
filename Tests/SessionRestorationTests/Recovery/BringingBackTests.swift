import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

@MainActor
struct BringingBackTests {
    /// A process that has set a window with three tabs aside.
    private func launched() async throws -> (Host, Window, SetAsideSession) {
        let first = try await Host.firstProcess()
        let window = try await first.window("a", "b", "c")
        try window.tabs.pin(window.tabs[0])
        try window.tab("b").visit("b2")
        window.title = "errands"
        try await first.restorer.save()
        let host = try await first.killed().killed()
        return (host, window, try #require(host.restorer.setAside.sessions.first))
    }

    @Test func whatWasSetAsideComesBackIntoItsWindowUnrealized() async throws {
        let (host, old, aside) = try await launched()
        let window = try await host.restorer.setAside.bringBack(aside.id)
        expect(window.id == old.id && window.titles == ["a", "b2", "c"])
        expect(window.tabs.pinnedCount == 1 && window.title == "errands")
        expect(window.tabs.tabs.allSatisfy { !$0.isRealized })
        expect(window.tabs.activeTab?.title, is: "c")
        expect(window.attributes, is: window.attributes.broughtBack)
        expect(host.restorer.setAside.sessions.isEmpty)
        expect(try await host.stored(aside.id) == nil)
        expect(try await window.tabs[1].visited() == ["b", "b2"])
        await #expect { _ = try await host.restorer.setAside.bringBack(aside.id) } throws: {
            if case SessionRestorationError.unknownSession(aside.id) = $0 { true } else { false }
        }
        let next = try await host.killed(boot: "later")
        expect(next.windows.windows.map(\.titles), is: [["a", "b2", "c"]])
    }

    @Test func itComesBackAsANewWindowIfItsOwnIsOpen() async throws {
        let (host, old, aside) = try await launched()
        let taken = try host.windows.open(old.id)
        try taken.tabs.insert(Tab(url: "https://new.example/", title: "new"))
        let window = try await host.restorer.setAside.bringBack(aside.id)
        expect(window.id != old.id && window.titles == ["a", "b2", "c"])
        expect(taken.titles, is: ["new"])
    }

    @Test func itComesBackAsANewWindowIfItsOwnIsSavedWithOtherTabs() async throws {
        let (host, old, aside) = try await launched()
        let taken = try host.windows.open(old.id)
        try taken.tabs.insert(Tab(url: "https://new.example/", title: "new"))
        try host.windows.close(taken)
        let window = try await host.restorer.setAside.bringBack(aside.id)
        expect(window.id != old.id)
        expect(try await host.storedTitles(taken) == ["new"])
    }

    @Test func inactiveTabsWaitForTheirWindowAndComeBackWithIt() async throws {
        let first = try await Host.firstProcess()
        let window = try await first.window("a", "b")
        let inactive = try first.windows.open(window.id, kind: .inactive)
        try inactive.tabs.insert(Tab(url: "https://old.example/", title: "old"))
        try await first.restorer.save()
        let host = try await first.killed().killed()
        expect(host.windows.windows.isEmpty)
        let aside = try #require(host.restorer.setAside.sessions.first)
        _ = try await host.restorer.setAside.bringBack(aside.id)
        expect(host.windows.window(window.id, kind: .inactive)?.titles, is: ["old"])
        expect(host.windows.ids.reservedWindows.isEmpty)
    }

    @Test(arguments: [false, true])
    func killedWhileItComesBackNothingIsLost(applied: Bool) async throws {
        let (host, _, aside) = try await launched()
        let tabs = try host.everyTab()
        host.storage.stop(.save, at: 1, applied: applied)
        await #expect(throws: SessionRestorationError.self) {
            _ = try await host.restorer.setAside.bringBack(aside.id)
        }
        expect(host.windows.windows.isEmpty)
        let next = try await host.killed(boot: "later")
        expect(try next.everyTab() == tabs)
        expect(next.restorer.setAside.sessions.count + next.windows.windows.count, is: 1)
    }

    @Test func itStaysUntilItIsAcknowledgedHoweverOldItIs() async throws {
        let (host, _, aside) = try await launched()
        host.clock.advance(by: host.restorer.policy.crashes.setAsideAge * 3)
        _ = try await host.window("new")
        try await host.restorer.save()
        expect(host.restorer.setAside.sessions, is: [aside])
    }

    @Test func whatWasAcknowledgedIsDiscardedByAgeAfterALaterSave() async throws {
        let (host, _, aside) = try await launched()
        try await host.restorer.setAside.acknowledge(aside.id)
        expect(host.restorer.setAside.sessions.map(\.isAcknowledged), is: [true])
        try await host.restorer.close()
        // A clock may be wrong: between two launches no more than two days are believed to have passed.
        let next = try await host.killed(after: host.restorer.policy.crashes.setAsideAge * 2)
        _ = try await next.window("other")
        next.clock.advance(by: host.restorer.policy.crashes.setAsideAge - .seconds(3 * 86_400))
        try await next.restorer.save()
        expect(next.restorer.setAside.sessions.map(\.isAcknowledged), is: [true])
        expect(try await next.stored(aside.id) != nil)
        next.clock.advance(by: .seconds(2 * 86_400))
        _ = try await next.window("new")
        expect(next.restorer.setAside.sessions.isEmpty)
        expect(next.seen.dropped.isEmpty || next.seen.dropped.map(\.setAside) == [[aside.id]])
        try await next.restorer.save()
        expect(try await next.stored(aside.id) == nil)
    }

    @Test func nothingIsDiscardedAfterASuspiciousLoad() async throws {
        let (host, _, aside) = try await launched()
        try await host.restorer.setAside.acknowledge(aside.id)
        let other = try await host.window("other")
        try await host.restorer.close()
        let next = try await host.killed(after: .seconds(100 * 86_400)) { storage in
            storage.failReading(other.sessionID, with: StorageError(.corrupted, "damaged"))
        }
        expect(next.restorer.report?.unreadable.map(\.session), is: [other.sessionID])
        _ = try await next.window("new")
        try await next.restorer.save()
        expect(try await next.stored(aside.id) != nil)
    }

    @Test func onlySoManyAcknowledgedOnesAreKept() async throws {
        var policy = RestorationPolicy()
        policy.crashes.maximumSetAside = 1
        let first = try await Host.firstProcess(policy: policy)
        for title in ["a", "b", "c"] { _ = try await first.window(title) }
        let host = try await first.killed().killed()
        let all = host.restorer.setAside.sessions.map(\.id)
        for id in all.prefix(2) {
            host.clock.advance(by: .seconds(1))
            try await host.restorer.setAside.acknowledge(id)
        }
        try await host.restorer.save()
        expect(Set(host.restorer.setAside.sessions.map(\.id)), is: [all[1], all[2]])
        expect(try await host.stored(all[0]) == nil)
    }

    @Test func whatIsDiscardedIsGone() async throws {
        let (host, _, aside) = try await launched()
        try await host.restorer.setAside.discard(aside.id)
        expect(host.restorer.setAside.sessions.isEmpty)
        expect(try host.everyTab().isEmpty)
    }
}
