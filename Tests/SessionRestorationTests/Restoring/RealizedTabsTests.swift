import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting

@MainActor @Suite(.timeLimit(.minutes(10)))
struct RealizedTabsTests {
    @Test func anUnloadedTabGoesOnWhereItWas() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b")
        let tab = try window.tab("a")
        tab.visit("a2")
        let history = tab.page?.history
        let events = TabEventList()
        tab.addObserver(events)
        try await host.restorer.realizedTabs.unload(tab)
        expect(!tab.isRealized && tab.page == nil && tab.title == "a2")
        expect(events.seen, is: [.unloaded])
        expect(tab.heldState?.history, is: history)
        try window.tabs.activate(tab)
        expect(tab.page?.history == history && events.seen.contains(.realized))
        tab.pages?.goBack()
        expect(tab.title, is: "a")
    }

    @Test func theStateIsHeldUntilTheStoreHasIt() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b")
        let tab = try window.tab("a")
        tab.visit("a2")
        host.storage.fail(.save, with: StorageError(.outOfSpace, "full"))
        try await host.restorer.realizedTabs.unload(tab)
        try? await host.restorer.save()
        expect(tab.heldState != nil)
        try await host.restorer.save()
        expect(tab.heldState == nil)
        let state = try await host.restorer.states.state(of: tab)
        expect(state.history.entries.map(\.title), is: ["a", "a2"])
        let next = try await host.relaunched()
        let restored = try require(next.windows.first)
        expect(restored.titles, is: ["a2", "b"])
    }

    @Test func aTabThatIsNeverSavedKeepsItsState() async throws {
        let host = try await Host.launched(policy: .with { $0.incognito = .neverSave })
        let window = try await host.window("a", "b", kind: .incognito)
        let tab = try window.tab("a")
        try await host.restorer.realizedTabs.unload(tab)
        try await host.restorer.save()
        expect(tab.heldState != nil)
    }

    @Test func theTabInFrontStays() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b")
        let front = try window.tab("b")
        await expect(throws: TabError.active) { try await host.restorer.realizedTabs.unload(front) }
        expect(await host.restorer.realizedTabs.unload(keeping: 0).map(\.title) == ["a"])
        expect(host.restorer.realizedTabs.tabs.map(\.title), is: ["b"])
    }

    @Test func thoseThatWereShownTheLongestAgoGoFirst() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b", "c", "d")
        for (index, title) in ["c", "a", "b", "d"].enumerated() {
            host.clock.advance(by: .seconds(index + 1))
            try window.tabs.activate(window.tab(title))
        }
        try window.tab("a").setLoad(.loading("https://a.example/"))
        let realized = host.restorer.realizedTabs
        expect(await realized.unload(keeping: 3).map(\.title) == ["c"])
        realized.mayUnload = { $0.title != "b" }
        expect(await realized.unload(keeping: 0).isEmpty)
        realized.mayUnload = { _ in true }
        expect(await realized.unload(keeping: 0).map(\.title) == ["b"])
    }

    @Test func theLimitIsKept() async throws {
        let host = try await Host.launched(policy: .with { $0.maximumRealizedTabs = 2 })
        let window = try await host.window("a", "b", "c", "d", "e")
        await host.waitUntilIdle()
        expect(host.restorer.realizedTabs.tabs.count, is: 2)
        expect(window.tabs.count == 5 && window.tabs.activeTab?.isRealized == true)
    }

    @Test func unloadingWhatIsSavedWritesNothing() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b")
        let tab = try window.tab("a")
        try await host.restorer.realizedTabs.unload(tab)
        expect(host.restorer.isSaved && tab.heldState == nil)
    }

    @Test func aTabBetweenListsCanBeUnloaded() async throws {
        let host = try await Host.launched()
        let (window, other) = (try await host.window("a", "b"), try await host.window("c"))
        let tab = try window.tabs.detach(try window.tab("a"))
        tab.visit("a2")
        try tab.unload()
        try other.tabs.insert(tab)
        try await host.restorer.save()
        let next = try await host.relaunched()
        let moved = try require(next.windows.window(other.id))
        let restored = try moved.tab("a2")
        let state = try await next.restorer.states.state(of: restored)
        expect(state.history.entries.map(\.title), is: ["a", "a2"])
    }
}

private final class TabEventList: TabObserver {
    var seen: [TabEvent] = []
    func tab(_ tab: Tab, did event: TabEvent) { seen.append(event) }
}

@MainActor @Suite(.timeLimit(.minutes(10)))
struct IconTests {
    @Test func unrealizedTabsHaveTheirIcons() async throws {
        let engine = SimulatedEngine()
        let host = try await Host.launched(engine: engine)
        let window = try await host.window()
        for (index, address) in ["https://a.example/", "https://b.example/"].enumerated() {
            let tab = try window.tabs.open(address)
            tab.page?.iconChanged(address + "icon", image: [UInt8(index), 7])
        }
        try window.tabs.open("https://none.example/")
        engine.runUntilIdle()
        try await host.restorer.save()
        let next = try await host.relaunched(engine: SimulatedEngine(engine.web))
        let tabs = try require(next.windows.first).tabs
        expect(!tabs[0].isRealized && tabs[0].faviconURL == "https://a.example/icon")
        let icons = try await next.restorer.states.icons(of: tabs)
        expect(icons, is: [tabs[0].id: [0, 7], tabs[1].id: [1, 7]])
        // Realized, a tab still has it, and a page with another icon has another.
        try tabs.activate(tabs[0])
        await next.waitUntilIdle()
        expect(tabs[0].page?.extra[.icon], is: [0, 7])
        tabs[0].page?.iconChanged("https://a.example/other")
        expect(try await next.restorer.states.icons(of: tabs)[tabs[0].id] == nil)
        try await next.restorer.save()
        let last = try await next.relaunched(engine: SimulatedEngine(engine.web))
        let restored = try require(last.windows.first).tabs
        expect(try await last.restorer.states.icons(of: restored) == [tabs[1].id: [1, 7]])
    }
}
