import BrowserModel
import BrowserSessions
import SessionTesting
import Testing

@testable import SessionRestoration

@MainActor @Suite(.timeLimit(.minutes(10)))
struct EmptiedWindowTests {
    private func emptied(_ host: Host) -> [Int] {
        host.seen.restorations.compactMap {
            if case .windowEmptied(_, let tabs) = $0 { tabs } else { nil }
        }
    }

    @Test func aWindowThatLosesAllItsTabsByTheProgramIsNotBelieved() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b", "c")
        window.tabs.closeAll(reason: .program)
        try await host.restorer.save()
        #expect(emptied(host) == [3])
        let aside = try #require(host.restorer.setAside.sessions.first)
        #expect(aside.reason == .emptied && aside.tabs == 3 && aside.originalWindow == window.id)
        #expect(try await host.stored(aside.id)?.tabs.map(\.title) == ["a", "b", "c"])
        let next = try await host.killed()
        #expect(next.restorer.setAside.sessions == [aside])
        #expect(next.windows.windows.map(\.titles) == [[]])
    }

    @Test func itIsNotBelievedStepByStepEither() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b", "c")
        for _ in 0..<3 {
            window.tabs.close(at: 0, reason: .program)
            host.clock.advance(by: .milliseconds(500))
            await host.waitUntilIdle()
        }
        await host.waitForDelayedSave()
        #expect(host.restorer.setAside.sessions.map(\.tabs) == [3])
    }

    @Test func itIsNotBelievedIfOtherTabsCameAfterwards() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b")
        window.tabs.closeAll(reason: .program)
        try window.tabs.insert(Tab(url: "https://new.example/", title: "new"))
        try await host.restorer.save()
        #expect(host.restorer.setAside.sessions.map(\.tabs) == [2])
        #expect(try await host.storedTitles(window) == ["new"])
    }

    @Test func itIsNotBelievedIfTheWindowIsClosedAfterwards() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b")
        window.tabs.closeAll(reason: .program)
        try host.windows.close(window)
        try await host.restorer.save()
        #expect(host.restorer.setAside.sessions.map(\.tabs) == [2])
    }

    @Test func whatTheUserClosedIsClosed() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b", "c")
        window.tabs.closeAll(reason: .user)
        try await host.restorer.save()
        #expect(host.restorer.setAside.sessions.isEmpty && emptied(host).isEmpty)
        #expect(try await host.storedTitles(window) == [])
    }

    @Test func whatTheUserClosedOfAnEmptiedWindowIsNotSetAside() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b", "c")
        window.tabs.close(at: 0, reason: .user)
        window.tabs.closeAll(reason: .program)
        try await host.restorer.save()
        let aside = try #require(host.restorer.setAside.sessions.first)
        #expect(try await host.stored(aside.id)?.tabs.map(\.title) == ["b", "c"])
    }

    @Test func theUserWhoClosesTheLastTabEmptiesTheWindow() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b", "c")
        window.tabs.close(at: [0, 1], reason: .program)
        window.tabs.close(at: 0, reason: .user)
        try await host.restorer.save()
        #expect(host.restorer.setAside.sessions.isEmpty)
    }

    @Test func aSmallLossIsBelieved() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a")
        window.tabs.closeAll(reason: .program)
        try await host.restorer.save()
        #expect(host.restorer.setAside.sessions.isEmpty)
        #expect(try host.everyTab().isEmpty)
    }

    @Test func aWindowThatKeepsATabIsBelieved() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b", "c")
        window.tabs.close(at: [0, 1], reason: .program)
        try await host.restorer.save()
        #expect(host.restorer.setAside.sessions.isEmpty)
        #expect(try host.everyTab() == [window.tabs[0].id: 1])
        #expect(host.restorer.isSaved)
    }

    @Test func theStateThatATabHadWhenItWasClosedIsKept() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b")
        try window.tab("a").visit("a2")
        try window.tabs.insert(Tab(url: "https://c.example/", title: "c"))
        window.tabs.closeAll(reason: .program)
        try await host.restorer.save()
        let next = try await host.killed()
        let aside = try #require(next.restorer.setAside.sessions.first)
        let back = try await next.restorer.setAside.bringBack(aside.id)
        #expect(back.titles == ["a2", "b", "c"])
        for tab in back.tabs.tabs { try await tab.forceRealization() }
        let histories = back.tabs.tabs.map { $0.pages?.history.entries.map(\.title) }
        #expect(histories == [["a", "a2"], ["b"], ["c"]])
    }

    @Test func pinsAndGroupsComeBackWithTheTabs() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b", "c")
        window.tabs.setPinned(true, at: 0)
        let group = StructureNode.group(id: .random(), name: "g")
        _ = try window.tabs.createGroup(group, at: [1, 2])
        window.tabs.closeAll(reason: .program)
        try await host.restorer.save()
        let aside = try #require(host.restorer.setAside.sessions.first)
        let stored = try #require(try await host.stored(aside.id))
        #expect(stored.tabs.map(\.isPinned) == [true, false, false])
        #expect(stored.tabs.map(\.group) == [nil, group.id, group.id])
        #expect(stored.nodes.map(\.name) == ["g"])
    }

    @Test func aTabThatIsBackByTheTimeOfTheSaveIsInOnePlace() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b", "c")
        let back = window.tabs[0].metadata
        window.tabs.closeAll(reason: .program)
        let state = TabState(
            history: NavigationHistory(url: back.url, title: back.title, time: .now()))
        try window.tabs.insert(host.restorer.states.createUnrealizedTab(back, state: state))
        try await host.restorer.save()
        #expect(host.restorer.setAside.sessions.map(\.tabs) == [2])
        #expect(try await host.storedTitles(window) == ["a"])
        #expect(try host.everyTab().values.allSatisfy { $0 == 1 })
    }

    @Test func aSaveThatFailsLosesNothingOfIt() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b")
        let tabs = try host.everyTab()
        window.tabs.closeAll(reason: .program)
        host.storage.fail(.save, with: StorageError(.outOfSpace, "full"))
        await #expect(throws: SessionRestorationError.self) { try await host.restorer.save() }
        #expect(try host.everyTab() == tabs)
        try await host.restorer.save()
        #expect(try host.everyTab() == tabs)
        #expect(emptied(host) == [2] && host.restorer.setAside.sessions.count == 1)
    }
}
