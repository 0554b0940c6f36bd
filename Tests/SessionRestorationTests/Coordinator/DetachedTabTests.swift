import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

/// A tab between two lists is somebody's: what happens to it is saved, and it is in one place.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct DetachedTabTests {
    @Test func theLastInactiveTabOnItsWayIsKeptWhenItsWindowCloses() async throws {
        let first = try await Host.firstProcess()
        let old = try await first.window("a", "b")
        try old.tab("a").visit("a2")
        first.clock.advance(by: try require(first.restorer.policy.inactiveAge) * 2)
        try first.restorer.inactive.moveUnused()
        _ = try await first.window("c")
        try await first.restorer.close()
        let host = try await first.killed()
        let window = try require(host.windows.window(old.id))
        let inactive = try require(host.windows.window(old.id, kind: .inactive))
        expect(inactive.titles == ["a2"] && window.titles == ["b"])
        let tab = try inactive.tabs.detach(inactive.tab("a2"))
        try host.windows.close(window)
        await host.waitUntilIdle()
        expect(try host.everyTab()[tab.id] == 1)
        let other = try require(host.windows.last { $0.kind == .regular })
        try other.tabs.insert(tab)
        try await host.restorer.save()
        let next = try await host.killed(boot: "another")
        // It was not used for long, so it is inactive again.
        let restored = try require(next.windows.window(other.id, kind: .inactive)).tab("a2")
        expect(try await restored.visited() == ["a", "a2"])
    }

    @Test func theLastPrivateTabThatIsClosedOnItsWayTakesThePartitionAlong() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("secret", kind: .incognito)
        let tab = try window.tabs.detach(window.tabs[0])
        await host.waitUntilIdle()
        expect(host.storage.calls(of: .deleteIncognito).isEmpty)
        tab.close()
        await host.waitUntilIdle()
        expect(host.seen.events.contains("incognitoDeleted"))
        expect(try await host.storage.base.sessions().filter { $0.partition == .incognito }.isEmpty)
    }

    /// Nothing that a restorer knows of tabs that came back keeps them alive.
    @Test(arguments: [SessionKind.regular, .incognito])
    func aTabThatCameBackIsLostWhenItIsLetGoAtOnce(kind: SessionKind) async throws {
        let first = try await Host.firstProcess()
        let window = try await first.window("a", "b", kind: kind)
        let host = try await first.killed(boot: "second")
        let restored = try require(host.windows.list(of: kind).window(window.id, kind: kind))
        let id = try restored.tabs.detach(restored.tabs[0]).id
        try await host.restorer.save()
        let next = try await host.killed(boot: "third")
        expect(next.windows.list(of: kind).window(window.id, kind: kind)?.titles, is: ["b"])
        expect(next.restorer.closed.tabs.map(\.id), is: (kind == .regular ? [id] : []))
    }

    @Test func aTabOutlivesItsWindow() async throws {
        let host = try await Host.firstProcess()
        let (first, second) = (try await host.window("a", "b"), try await host.window("c"))
        let tab = try first.tabs.detach(first.tabs[0])
        tab.visit("a2")
        try host.windows.close(first)
        try await host.restorer.save()
        let killed = try await host.killed()
        expect(killed.windows.windows.map(\.titles), is: [["c", "a2"]])
        expect(killed.restorer.report?.returned, is: [tab.id])
        try second.tabs.insert(tab)
        expect(tab.pages?.history.entries.map(\.title), is: ["a", "a2"])
    }

    @Test("A tab that was in a pinned group comes back pinned when its window has gone")
    func pinnedByItsGroup() async throws {
        let (host, window) = try await Host.structuredWindow("a", "b", "c")
        _ = try await host.window("d")
        let list = window.tabs
        try list.create(.folder(name: "News"), of: [list[0], list[1]], at: .top(.pinned, .last))
        let tab = try list.detach(list[0])
        expect(list.count == 2 && !tab.isPinned)
        tab.visit("a2")
        try host.windows.close(window)
        tab.visit("a3")
        let next = try await host.next()
        expect(next.windows.windows.map(\.titles), is: [["a3", "d"]])
        expect(next.windows.first?.tabs.first?.isPinned, is: true)
    }

    @Test("A tab keeps its zone on its way")
    func zone() async throws {
        let (host, window) = try await Host.structuredWindow("a", "b")
        let list = window.tabs
        try list.move([NodeID(list[0].id)], to: .top(.essential, .last))
        let tab = try list.detach(list[0])
        tab.visit("a2")
        let next = try await host.next()
        let restored = try require(next.windows.window(window.id)).tabs
        expect(restored.map(\.metadata.zone), is: [.essential, .normal])
        expect(restored.first?.title, is: "a2")
    }

    @Test func aTabOnItsWayIsSomewhereAfterAKillWithoutWindows() async throws {
        let host = try await Host.firstProcess(closingGrace: nil)
        let window = try await host.window("a", "b")
        let tab = try window.tabs.detach(window.tabs[0])
        try host.windows.close(window)
        try await host.restorer.save()
        let next = try await host.killed()
        expect(next.restorer.closed.tabs.map(\.id), is: [tab.id])
        expect(try next.everyTab()[tab.id] == 1)
    }

    @Test func aPrivateTabOnItsWayOutlivesItsWindow() async throws {
        let host = try await Host.firstProcess()
        let first = try await host.window("a", "b", kind: .incognito)
        let second = try await host.window("c", kind: .incognito)
        let tab = try first.tabs.detach(first.tabs[0])
        try host.windows.close(first)
        try await host.restorer.save()
        let next = try await host.killed()
        expect(next.windows.incognito.window(second.id)?.titles, is: ["c", "a"])
        try await next.restorer.save()
        expect(try next.everyTab()[tab.id] == 1)
        expect(!tab.isClosed)
    }

    /// The hidden session of the last launch waits to be removed when the next tabs come to it.
    @Test func tabsOnTheirWayAtTwoLaunchesOneAfterTheOtherAreSaved() async throws {
        let host = try await Host.firstProcess(closingGrace: nil)
        let first = try await host.window("a", "b")
        let tab = try first.tabs.detach(first.tabs[0])
        try host.windows.close(first)
        try await host.restorer.save()
        let next = try await host.killed()
        expect(next.restorer.report?.returned, is: [tab.id])
        let window = try next.windows.open()
        try window.tabs.insert(Tab(url: "https://c.example/", title: "c"))
        let other = try window.tabs.detach(window.tabs[0])
        try next.windows.close(window)
        try await next.restorer.save()
        expect(next.restorer.isSaved)
        let last = try await next.killed()
        expect(last.restorer.report?.returned, is: [other.id])
        expect(Set(last.restorer.closed.tabs.map(\.title)), is: ["a", "c"])
        expect(try last.everyTab().values.allSatisfy { $0 == 1 })
    }

    @Test func aPrivateWindowThatIsOpenedAgainBeforeASaveHasNothingOfTheClosedOne() async throws {
        let host = try await Host.firstProcess()
        let (old, kept) = (
            try await host.window("old", kind: .incognito),
            try await host.window("kept", kind: .incognito)
        )
        try host.windows.incognito.close(old)
        let again = try host.windows.incognito.open(old.id)
        try again.tabs.insert(Tab(url: "https://new.example/", title: "new"))
        try await host.restorer.save()
        let next = try await host.killed()
        expect(next.windows.incognito.window(old.id)?.titles, is: ["new"])
        expect(next.windows.incognito.window(kept.id)?.titles, is: ["kept"])
    }

    @Test(arguments: [SessionKind.regular, .incognito])
    func aTabOnItsWayIsInTheStoreThatReplacesAnother(kind: SessionKind) async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b", kind: kind)
        let tab = try window.tabs.detach(window.tabs[0])
        try await host.restorer.save()
        let other = FaultyStorage()
        host.restorer.replaceStorage(with: other)
        try await host.restorer.save()
        expect(try await other.base.restore(window.sessionID, at: .current)?.tabs.count == 2)
        expect(!tab.isClosed)
    }

    @Test func aPrivateTabThatLeavesItsWindowDuringADeletionIsSavedAfterIt() async throws {
        let host = try await Host.firstProcess()
        let old = try await host.window("old", kind: .incognito)
        host.storage.hang(.deleteIncognito)
        old.tabs.closeAll(reason: .user)
        await host.storage.waitForCalls(of: .deleteIncognito)
        let window = try host.windows.incognito.open()
        try window.tabs.insert(Tab(url: "https://new.example/", title: "new"))
        let tab = try window.tabs.detach(window.tabs[0])
        host.storage.release()
        await host.waitUntilIdle()
        try await host.restorer.save()
        let next = try await host.killed()
        expect(next.windows.incognito.window(window.id)?.titles, is: ["new"])
        expect(!tab.isClosed)
    }
}
