import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting

/// Where closed tabs come back to.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct ReopeningTests {
    @Test func aTabComesBackToItsPlaceActiveAndRealizedWithItsIdentifier() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b", "c")
        let id = try window.tab("b").id
        try window.tabs.close(window.tabs[1])
        try await host.restorer.save()
        let next = try await host.relaunched()
        let again = try require(next.windows.window(window.id))
        let tab = try next.restorer.closed.reopen(id)
        expect(again.titles, is: ["a", "b", "c"])
        expect(tab.id, is: id)
        expect(again.tabs.activeTab === tab)
        await next.waitUntilIdle()
        expect(tab.isRealized)
        expect(tab.pages?.currentEntry?.title, is: "b")
        expect(next.restorer.closed.tabs.isEmpty)
        try await next.restorer.save()
        expect(try await next.storedTitles(again) == ["a", "b", "c"])
    }

    /// The tabs that a host closes in a batch, call by call.
    @Test(arguments: [
        [["a"], ["b"], ["c"]], [["c"], ["b"], ["a"]], [["b"], ["c"], ["a"]], [["c", "b"], ["a"]],
    ])
    func aBatchIsOneClosingThatComesBackInTheOrderOfTheWindow(_ calls: [[String]]) async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b", "c", "d")
        try window.tabs.performBatch { list throws(TabListError) in
            for titles in calls { try list.close(list.tabs.filter { titles.contains($0.title) }) }
        }
        let closing = try require(host.restorer.closed.items.first)
        expect(try await host.restorer.closed.reopen(closing).map(\.title) == ["a", "b", "c"])
        expect(window.titles, is: ["a", "b", "c", "d"])
    }

    @Test func aTabIsInItsGroupAgain() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b", "c", "d")
        let group = StructureNode.group(id: .random(), name: "G", color: .blue)
        try window.tabs.create(group, of: [window.tabs[1], window.tabs[2]])
        try window.tabs.close(window.tabs[2])
        try window.tabs.update(StructureNode.group(id: group.id, name: "renamed"))
        try host.restorer.closed.reopenLast()
        expect(window.titles, is: ["a", "b", "c", "d"])
        expect(window.tabs.range(of: group.id), is: 1..<3)
        expect(window.tabs.group(group.id)?.name, is: "renamed")
    }

    @Test func anOpenerIsThereAgainIfItsTabIs() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b", "c")
        let opener = TabOpener(tab: window.tabs[0].id, navigationIndex: 2)
        try window.tabs.setOpener(opener, of: window.tabs[1])
        try window.tabs.setOpener(TabOpener(tab: window.tabs[1].id), of: window.tabs[2])
        try window.tabs.close([window.tabs[1], window.tabs[2]])
        try host.restorer.closed.reopenLast()
        expect(window.tabs[1].metadata.opener, is: opener)
        expect(window.tabs[2].metadata.opener?.tab, is: window.tabs[1].id)
        try window.tabs.close(window.tabs[2])
        try window.tabs.close(window.tabs[1])
        let child = try require(host.restorer.closed.tabs.last)
        expect(try host.restorer.closed.reopen(child.id).metadata.opener == nil)
    }

    @Test func aTabWhoseWindowIsClosedComesToTheGivenOne() async throws {
        let host = try await Host.launched()
        let first = try await host.window("a", "b")
        let second = try await host.window("c")
        let third = try await host.window("d")
        try first.tabs.close(first.tabs[0])
        try host.windows.close(first)
        try host.restorer.closed.reopenLast(in: second)
        expect(second.titles, is: ["a", "c"])
        try second.tabs.close(second.tabs[1])
        try host.windows.close(second)
        try host.restorer.closed.reopenLast()
        expect(third.titles == ["c", "d"] || third.titles == ["d", "c"])
    }

    @Test func withoutAnyWindowTheTabStaysClosed() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b")
        let hidden = try await host.window("x", kind: .incognito)
        try window.tabs.close(window.tabs[0])
        try host.windows.close(window)
        #expect { try host.restorer.closed.reopenLast() } throws: {
            if case SessionRestorationError.noOpenWindow = $0 { true } else { false }
        }
        #expect { try host.restorer.closed.reopenLast(in: hidden) } throws: {
            if case SessionRestorationError.notRegular = $0 { true } else { false }
        }
        expect(host.restorer.closed.tabs.map(\.title), is: ["a"])
    }

    @Test func anUnknownTabIsAnErrorThatNamesIt() async throws {
        let host = try await Host.launched()
        let id = TabID.random()
        #expect { try host.restorer.closed.reopen(id) } throws: {
            if case SessionRestorationError.unknownClosedTab(id) = $0 { true } else { false }
        }
        expect(try host.restorer.closed.reopenLast().isEmpty)
        let early = Host()
        #expect { try early.restorer.closed.reopenLast() } throws: {
            if case SessionRestorationError.notRestored = $0 { true } else { false }
        }
    }

    @Test func aForgottenTabIsGoneWithItsState() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b", "c")
        try window.tabs.close([window.tabs[0], window.tabs[1]])
        try await host.restorer.save()
        let (a, b) = (host.restorer.closed.tabs[0].id, host.restorer.closed.tabs[1].id)
        try host.restorer.closed.forget(a)
        expect(host.restorer.closed.tabs.map(\.id), is: [b])
        try await host.restorer.save()
        let key = TabStateKey(tab: a, name: .navigation, partition: .regular)
        expect(try await host.storage.base.state(of: key) == nil)
        try host.restorer.closed.forgetAll()
        try await host.restorer.save()
        let session = SessionID(window: .profileWide, kind: .recentlyClosed)
        expect(try await host.stored(session) == nil)
    }
}
