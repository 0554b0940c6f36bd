import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting

/// State that an engine reports late.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct UnsavedPagesTests {
    private let engine = SimulatedEngine()

    private func host(
        _ policy: RestorationPolicy = RestorationPolicy()
    ) async throws -> (Host, Window, Tab) {
        let host = try await Host.launched(engine: engine, policy: policy)
        let window = try await host.window()
        let tab = try window.tabs.open("https://a.example/")
        engine.runUntilIdle()
        try await host.restorer.save()
        return (host, window, tab)
    }

    private func view(_ tab: Tab) throws -> SimulatedView { try require(engine.view(of: tab)) }

    /// Where the page of a tab is scrolled to after the process was killed.
    private func scrollAfterKill(_ host: Host) async throws -> Int {
        let next = SimulatedEngine(engine.web)
        let relaunched = try await host.relaunched(engine: next)
        next.runUntilIdle()
        let window = try require(relaunched.windows.first)
        return try require(next.view(of: window.tabs[0])).scroll
    }

    @Test(arguments: ["save", "close", "background"])
    func thePageIsAskedFirst(what: String) async throws {
        let (host, window, tab) = try await host()
        window.enterForeground()
        engine.scroll(try view(tab), to: 300)
        switch what {
        case "save": try await host.restorer.save()
        case "close": try await host.restorer.close()
        default:
            window.enterBackground()
            await host.waitUntilIdle()
        }
        expect(try await scrollAfterKill(host) == 300)
    }

    @Test func theStateIsTakenAgainWhenItIsWhole() async throws {
        let (host, _, tab) = try await host()
        engine.scroll(try view(tab), to: 300)
        await host.waitForDelayedSave()
        expect(try await storedScroll(host, tab) == 0)
        expect(!host.restorer.isSaved)
        engine.noticeEverything()
        host.clock.advance(by: engine.stateDelay)
        await host.waitUntilIdle()
        await host.waitForDelayedSave()
        expect(host.restorer.isSaved)
        expect(try await storedScroll(host, tab) == 300)
    }

    private func storedScroll(_ host: Host, _ tab: Tab) async throws -> Int {
        let key = TabStateKey(tab: tab.id, name: .native, partition: .regular)
        let bytes = try require(try await host.storage.base.states(of: [key])[key])
        return String(decoding: bytes, as: UTF8.self).contains("300\t") ? 300 : 0
    }

    @Test func aSignWithoutAChangeWritesNoStateTwice() async throws {
        let (host, _, tab) = try await host()
        tab.page?.stateMayHaveChanged()
        try await host.restorer.save()
        host.storage.forgetCalls()
        host.clock.advance(by: engine.stateDelay * 4)
        await host.waitUntilIdle()
        expect(host.restorer.isSaved && host.storage.calls(of: .save).isEmpty)
    }

    @Test func theStateOfAClosedTabFollowsItsRecord() async throws {
        let (host, window, tab) = try await host()
        engine.scroll(try view(tab), to: 300)
        try window.tabs.close(tab)
        expect(host.restorer.closed.tabs.map(\.id), is: [tab.id])
        try await host.restorer.save()
        expect(try await storedScroll(host, tab) == 300)
        let again = try host.restorer.closed.reopen(tab.id)
        try window.tabs.activate(again)
        await host.waitUntilIdle()
        engine.runUntilIdle()
        expect(try view(again).scroll == 300)
    }

    @Test func theStateOfAClosedWindowFollows() async throws {
        let (host, window, tab) = try await host()
        _ = try await host.window()
        engine.scroll(try view(tab), to: 300)
        try host.windows.close(window)
        await host.waitUntilIdle()
        expect(try await storedScroll(host, tab) == 300)
    }

    @Test func aPrivateTabThatIsClosedIsGone() async throws {
        let (host, _, _) = try await host()
        let hidden = try await host.window(kind: .incognito)
        let tab = try hidden.tabs.open("https://secret.example/")
        engine.runUntilIdle()
        try await host.restorer.save()
        engine.scroll(try view(tab), to: 300)
        try hidden.tabs.close(tab)
        try await host.restorer.save()
        await host.waitUntilIdle()
        expect(try await host.storage.base.sessions().allSatisfy { $0.partition == .regular })
    }

    @Test func aPageThatHangsKeepsNoSaveWaiting() async throws {
        let (host, window, tab) = try await host(.with { $0.flushLimit = .zero })
        engine.scroll(try view(tab), to: 300)
        engine.hang(try view(tab))
        try await host.restorer.save()
        expect(host.restorer.isSaved)
        let view = try view(tab)
        engine.scroll(view, to: 200)
        try window.tabs.close(tab)
        try await host.restorer.save()
        expect(host.restorer.closed.tabs.count, is: 1)
        await host.waitUntilIdle()
        expect(view.isDiscarded)
    }

    /// When memory runs out there is no time to ask one page after the other.
    @Test func unloadingAsksAllPagesTogether() async throws {
        let (host, window, _) = try await host()
        for number in 0..<5 {
            try window.tabs.open("https://\(number).example/")
        }
        engine.runUntilIdle()
        try await host.restorer.save()
        for (number, tab) in window.tabs.enumerated() { engine.scroll(try view(tab), to: number) }
        expect(await host.restorer.realizedTabs.unload(keeping: 0).count == 5)
        for (number, tab) in window.tabs.enumerated().dropLast() {
            let bytes = try require(tab.heldState?.native)
            expect(String(decoding: bytes, as: UTF8.self).contains("\n\(number)\t"))
        }
        expect(window.tabs.last?.isRealized, is: true)
    }

    @Test func whatTheUserDoesWhileAPageIsAskedIsNotForgotten() async throws {
        let (host, _, tab) = try await host()
        let view = try view(tab)
        engine.scroll(view, to: 100)
        engine.duringFlush = { [engine] in
            engine.duringFlush = {}
            engine.scroll(view, to: 300)
        }
        try await host.restorer.save()
        expect(!host.restorer.isSaved)
        engine.noticeEverything()
        // The delay that is under way began with the first change.
        for _ in 0..<2 {
            host.clock.advance(by: engine.stateDelay)
            await host.waitUntilIdle()
        }
        await host.waitForDelayedSave()
        expect(try await storedScroll(host, tab) == 300)
        expect(host.restorer.isSaved)
    }

    @Test func theStateOfATabBetweenWindowsFollows() async throws {
        let (host, window, tab) = try await host()
        engine.scroll(try view(tab), to: 300)
        let detached = try window.tabs.detach(tab)
        try await host.restorer.save()
        expect(try await storedScroll(host, detached) == 300)
        expect(host.restorer.isSaved)
    }

    @Test func unloadingLeavesNothingToAsk() async throws {
        let (host, window, tab) = try await host()
        try window.tabs.open("https://b.example/")
        engine.runUntilIdle()
        try await host.restorer.save()
        engine.scroll(try view(tab), to: 300)
        try await host.restorer.realizedTabs.unload(tab)
        await host.waitForDelayedSave()
        expect(host.restorer.isSaved)
        expect(try await storedScroll(host, tab) == 300)
    }
}
