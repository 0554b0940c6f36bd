import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting

/// Which closed tabs are kept, and how they are saved.
@MainActor
struct ClosedTabTests {
    private let closed = SessionID(window: .profileWide, kind: .recentlyClosed)

    @Test func aTabThatTheUserClosesMovesInTheSameSetAsTheRest() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b", "c")
        let tab = try window.tab("b")
        try window.tabs.close(window.tabs[1])
        window.title = "W"
        try await host.restorer.save()
        expect(host.storage.savedSets.count, is: 1)
        let changes = try require(host.storage.savedSets.first).changes
        expect(
            changes.contains {
                if case .put(.tab(let put, in: closed)) = $0 { put.id == tab.id } else { false }
            })
        expect(!changes.contains { if case .putState = $0 { true } else { false } })
        expect(try await host.storedTitles(window) == ["a", "c"])
        expect(try await host.stored(closed)?.tabs.map(\.title) == ["b"])
    }

    @Test func whatATabWasIsKnownAfterAKill() async throws {
        let host = try await Host.launched()
        let window = try await host.window("p", "a", "b")
        try window.tabs.pin(window.tabs[0])
        let group = StructureNode.group(id: .random(), name: "G", color: .red, isCollapsed: true)
        try window.tabs.create(group, of: [window.tabs[2]])
        window.tabs.tabs[2].setProperty("host", to: "value")
        try window.tabs.close([window.tabs[0], window.tabs[2]])
        try await host.restorer.save()
        let next = try await host.relaunched()
        let tabs = next.restorer.closed.tabs
        expect(tabs.map(\.title), is: ["p", "b"])
        expect(tabs.map(\.url), is: ["https://p.example/", "https://b.example/"])
        expect(tabs.map(\.window), is: [window.id, window.id])
        expect(tabs.map(\.index), is: [0, 2])
        expect(tabs.map(\.isPinned), is: [true, false])
        expect(tabs.map { $0.group?.isLike(group) }, is: [nil, true])
        expect(tabs.map(\.closedAt), is: [host.clock.timestamp, host.clock.timestamp])
        expect(Set(tabs.map(\.closing)).count, is: 1)
        let tab = try next.restorer.closed.reopen(tabs[1].id)
        expect(tab.metadata.properties, is: ["host": "value"])
    }

    @Test func whatTheAppCleansUpIsNotKept() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b", "c")
        try window.tabs.close(window.tabs[1], reason: .cleanup)
        try window.tabs.replace(
            window.tabs[0], with: Tab(url: "https://new.example/", title: "new"))
        try await host.restorer.save()
        expect(host.restorer.closed.tabs.isEmpty)
        expect(try await host.stored(closed) == nil)
    }

    @Test func blankPagesThatNeverWentAnywhereAreNotKept() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a")
        try window.tabs.insert(Tab(url: "about:blank"))
        try window.tabs.insert(Tab())
        let visited = Tab(url: "https://x.example/", title: "x")
        try window.tabs.insert(visited)
        visited.pages?.navigate(to: NavigationEntry(url: "about:blank", title: "blank"))
        try window.tabs.close([window.tabs[1], window.tabs[2], window.tabs[3]])
        expect(host.restorer.closed.tabs.map(\.title), is: ["blank"])
    }

    @Test func aTabClosedBeforeItWasEverSavedComesWithItsState() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a")
        let tab = try window.addUnsaved("b", then: "c")
        try window.tabs.close(window.tabs[1])
        try await host.restorer.save()
        let next = try await host.relaunched()
        let reopened = try next.restorer.closed.reopen(tab.id)
        expect(try await reopened.visited() == ["b", "c"])
    }

    @Test func tabsClosedBeforeRestoringComeBehindTheSavedOnes() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b")
        try window.tabs.close(window.tabs[0])
        try await host.restorer.save()
        let next = Host(storage: FaultyStorage(host.storage.base), clock: host.clock)
        let early = try next.windows.open()
        try early.tabs.insert(Tab(url: "https://early.example/", title: "early"))
        try early.tabs.insert(Tab(url: "https://x.example/", title: "x"))
        try early.tabs.close(early.tabs[0])
        try await next.restorer.restore()
        expect(next.restorer.closed.tabs.map(\.title), is: ["early", "a"])
        try await next.restorer.save()
        expect(try await next.stored(closed)?.tabs.map(\.title) == ["a", "early"])
    }

    /// It goes on from all of its state, also if only a part of it waits to be saved.
    @Test func aTabThatIsReopenedBeforeTheSaveHasAllOfItsState() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b")
        let tab = try window.tab("a")
        tab.pages?.native = [1, 2, 3]
        tab.stateDidChange()
        try await host.restorer.save()
        tab.visit("a2")
        try window.tabs.close(window.tabs[0])
        let reopened = try require(try host.restorer.closed.reopenLast().first)
        await host.waitUntilIdle()
        expect(reopened.pages?.history.entries.map(\.title), is: ["a", "a2"])
        expect(reopened.pages?.native, is: [1, 2, 3])
        try await host.restorer.save()
        let next = try await host.killed()
        let restored = try require(next.windows.window(window.id)).tab("a2")
        expect(try await next.restorer.states.state(of: restored).native == [1, 2, 3])
    }
}
