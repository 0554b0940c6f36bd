import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

/// Tabs that were not used for long are closed as one, in bad surroundings.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct ClosingUnusedTests {
    private func later(_ host: Host) -> Timestamp {
        host.clock.advance(by: .seconds(100))
        return host.clock.timestamp
    }

    @Test func manyTabsCloseAndComeBackAsOne() async throws {
        let host = try await Host.firstProcess(policy: .with { $0.closed.maximumTabs = 50 })
        let window = try await host.window()
        try window.tabs.performBatch { list throws(TabListError) in
            for number in 0..<4_000 {
                try list.insert(
                    Tab(
                        url: "https://\(number).example/", title: "\(number)",
                        createdAt: host.clock.timestamp))
            }
        }
        try window.tabs.activate(window.tabs[3_999])
        let titles = window.titles
        let moment = later(host)
        expect(try host.restorer.closed.closeTabs(notUsedSince: moment).count == 3_999)
        expect(host.restorer.closed.items.map(\.tabs), is: [3_999])
        expect(try host.restorer.closed.reopenLast().count == 3_999)
        expect(window.titles, is: titles)
    }

    @Test func moreThanIsKeptComesBackAsOneAndGoesWithTheNextClosing() async throws {
        let host = try await Host.firstProcess(policy: .with { $0.closed.maximumTabs = 3 })
        _ = try await host.window("a", "b", "c", "d", "e", "f")
        let moment = later(host)
        expect(try host.restorer.closed.closeTabs(notUsedSince: moment).count == 5)
        try await host.restorer.save()
        let next = try await host.killed()
        expect(next.restorer.closed.items.map(\.tabs), is: [5])
        let again = try require(next.windows.first)
        try again.tabs.insert(Tab(url: "https://g.example/", title: "g"))
        try again.tabs.close(again.tab("g"))
        expect(next.restorer.closed.items.map(\.tabs), is: [1, 2])
        expect(next.restorer.closed.tabs.first?.title, is: "g")
        try await next.restorer.save()
        expect(try next.everyTab().count == 4)
    }

    @Test func nothingClosesForAMomentThatNobodyKnowsAndAllForOneToCome() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b")
        let closed = host.restorer.closed
        expect(try closed.closeTabs(notUsedSince: .unknown).isEmpty)
        expect(try closed.closeTabs(notUsedSince: Timestamp(microseconds: .min)).isEmpty)
        let far = Timestamp(microseconds: .max)
        expect(try closed.closeTabs(notUsedSince: far).map(\.title) == ["a"])
        expect(window.titles == ["b"] && window.tabs.activeTab != nil)
    }

    @Test func windowsThatAreNotOpenAreRefused() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b")
        let secret = try await host.window("s", "t", kind: .incognito)
        let other = try await Host.firstProcess()
        let foreign = try await other.window("x", "y")
        let moment = later(host)
        try host.windows.close(window)
        for wrong in [window, secret, foreign] {
            expect(throws: SessionRestorationError.self) {
                try host.restorer.closed.closeTabs(notUsedSince: moment, in: wrong)
            }
        }
        expect(secret.titles == ["s", "t"] && foreign.titles == ["x", "y"])
    }

    @Test func aTabNeverComesBackToAnotherProfile() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b")
        let spare = try await host.window("c")
        let other = try await Host.firstProcess()
        let foreign = try await other.window("x")
        try window.tabs.close(window.tab("a"))
        try host.windows.close(window)
        expect(throws: SessionRestorationError.self) {
            try host.restorer.closed.reopenLast(in: foreign)
        }
        expect(foreign.titles, is: ["x"])
        expect(host.restorer.closed.tabs.map(\.title), is: ["a"])
        expect(try host.restorer.closed.reopenLast(in: window).map(\.title) == ["a"])
        expect(spare.titles.sorted(), is: ["a", "c"])
    }

    @Test func groupsPinsAndOpenersOfSeveralWindowsComeBack() async throws {
        let host = try await Host.firstProcess()
        let first = try await host.window("p", "a", "b", "c", "z")
        try first.tabs.pin(first.tab("p"))
        let group = StructureNode.group(id: .random(), name: "G")
        try first.tabs.create(group, of: [first.tabs[1], first.tabs[2]])
        try first.tabs.setOpener(
            TabOpener(tab: first.tab("a").id, navigationIndex: 0), of: first.tab("c"))
        let second = try await host.window("d", "e", "y")
        try second.tabs.setOpener(
            TabOpener(tab: second.tab("y").id, navigationIndex: 0), of: second.tab("d"))
        try await host.restorer.save()
        let (was, then) = (first.tabs.map(\.metadata), second.tabs.map(\.metadata))
        expect(try host.restorer.closed.closeTabs(notUsedSince: later(host)).count == 5)
        expect(first.titles == ["p", "z"] && second.titles == ["y"])
        try await host.restorer.save()
        let next = try await host.killed()
        expect(try next.restorer.closed.reopenLast().count == 5)
        // A kill before the next save leaves them closed, one after it open.
        let unsaved = try await next.killed(boot: "another")
        expect(unsaved.restorer.closed.items.map(\.tabs), is: [5])
        expect(try unsaved.restorer.closed.reopenLast().count == 5)
        try await unsaved.restorer.save()
        let third = try await unsaved.killed()
        for (id, old) in [(first.id, was), (second.id, then)] {
            let tabs = try require(third.windows.window(id)?.tabs.map(\.metadata))
            expect(tabs.map(\.title), is: old.map(\.title))
            expect(tabs.map(\.isPinned), is: old.map(\.isPinned))
            expect(tabs.map(\.group), is: old.map(\.group))
            expect(tabs.map(\.opener), is: old.map(\.opener))
        }
        expect(third.windows.window(first.id)?.tabs.groups.map(\.name), is: ["G"])
    }

    @Test func whatClosedAtOneMomentIsInOrder() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b", "c", "d")
        for title in ["a", "b", "c"] { try window.tabs.close(window.tab(title)) }
        expect(host.restorer.closed.items.map(\.title), is: ["c", "b", "a"])
        try await host.restorer.save()
        let next = try await host.killed()
        expect(next.restorer.closed.items.map(\.title), is: ["c", "b", "a"])
    }
}
