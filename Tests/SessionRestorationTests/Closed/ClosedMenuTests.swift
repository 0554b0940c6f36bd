import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting

/// What a menu of closed tabs and windows is built from.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct ClosedMenuTests {
    @Test func itemsSayWhatAUserInterfaceShows() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b", "c", "d")
        try window.tab("a").setFavicon(url: "https://a.example/icon")
        try window.tabs.close(window.tab("a"))
        host.clock.advance(by: .seconds(10))
        let group = StructureNode.group(id: .random(), name: "Holiday")
        try window.tabs.create(group, of: [window.tabs[0], window.tabs[1]])
        try window.tabs.close([window.tab("b"), window.tab("c")])
        host.clock.advance(by: .seconds(10))
        let other = try await host.window("e", "f")
        try other.tab("f").setFavicon(url: "https://f.example/icon")
        try host.windows.close(other)

        func check(_ items: [ClosedItem]) {
            expect(items.map(\.title), is: ["f", "Holiday", "a"])
            expect(items.map(\.tabs), is: [2, 2, 1])
            expect(items.first?.shownTab?.faviconURL, is: "https://f.example/icon")
            expect(items.last?.shownTab?.faviconURL, is: "https://a.example/icon")
            expect(items.map(\.closedAt), is: items.map(\.closedAt).sorted(by: >))
            expect(Set(items.map(\.id)).count, is: 3)
        }
        check(host.restorer.closed.items)
        try await host.restorer.save()
        let next = try await host.relaunched()
        let items = next.restorer.closed.items
        check(items)
        let closed = next.restorer.closed
        expect(try await closed.reopen(items[1]).map(\.title) == ["b", "c"])
        expect(try await closed.reopen(items[1]).isEmpty)
        expect(try await closed.reopen(items[0]).map(\.title) == ["e", "f"])
        expect(next.windows.first?.tabs.groups.map(\.name), is: ["Holiday"])
    }

    @Test func aMenuIsBuiltAgainOnceForWhatChangesTogether() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b", "c")
        func changes(after work: () async throws -> Void) async throws -> Int {
            await host.waitUntilIdle()
            host.seen.reset()
            try await work()
            await host.waitUntilIdle()
            return host.seen.restorations.count {
                if case .savedItemsChanged = $0 { true } else { false }
            }
        }
        let closed = host.restorer.closed
        expect(try await changes { try window.tabs.close(window.tabs) } == 1)
        expect(try await changes { try closed.reopenLast() } == 1)
        expect(try await changes { try host.windows.close(window) } == 1)
        expect(try await changes { try await host.restorer.savedWindows.discard([window.id]) } == 1)
        expect(try await changes { try await host.restorer.save() } == 0)
    }

    @Test func tabsThatAreNotUsedCloseAsOneAndComeBackToTheirWindows() async throws {
        let host = try await Host.launched()
        let (first, second) = (
            try await host.window("a", "b", "c"), try await host.window("d", "e")
        )
        try first.tabs.pin(first.tab("a"))
        host.clock.advance(by: .seconds(100))
        let moment = host.clock.timestamp
        host.clock.advance(by: .seconds(1))
        let new = Tab(url: "https://new.example/", title: "new", createdAt: host.clock.timestamp)
        try second.tabs.insert(new)
        let secret = try await host.window("s", "t", kind: .incognito)
        let closed = try host.restorer.closed.closeTabs(notUsedSince: moment)
        expect(Set(closed.map(\.title)), is: ["b", "d"])
        expect(first.titles == ["a", "c"] && second.titles == ["e", "new"])
        expect(secret.titles, is: ["s", "t"])
        expect(host.restorer.closed.items.map(\.tabs), is: [2])
        try await host.restorer.save()
        let next = try await host.relaunched()
        expect(try next.restorer.closed.reopenLast().count == 2)
        expect(next.windows.window(first.id)?.titles, is: ["a", "b", "c"])
        expect(next.windows.window(second.id)?.titles, is: ["d", "e", "new"])
        expect(next.restorer.closed.items.isEmpty)
    }

    @Test func whatIsSetAsideSaysWhatItShows() async throws {
        let first = try await Host.firstProcess()
        let window = try await first.window("a", "b")
        try window.tab("b").setFavicon(url: "https://b.example/icon")
        try await first.restorer.save()
        let host = try await first.killed().killed()
        let next = try await host.relaunched()
        let aside = try require(next.restorer.setAside.sessions.first)
        expect(aside.tabs == 2 && aside.shownTab != nil)
        expect(aside.shownTab, is: host.restorer.setAside.sessions.first?.shownTab)
    }
}
