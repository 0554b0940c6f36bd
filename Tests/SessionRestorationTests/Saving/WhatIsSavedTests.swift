import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting

@MainActor
struct WhatIsSavedTests {
    /// The puts and removals of tabs and states in the last save.
    private func lastChanges(_ host: Host) throws -> [SessionChanges.Change] {
        try require(host.storage.savedSets.last).changes
    }

    @Test func movingAnUnrealizedTabDoesNotRealizeItAndWritesOneRecord() async throws {
        let before = try await Host.launched()
        let (first, second) = (
            try await before.window("a", "b"), try await before.window("c")
        )
        let host = try await before.relaunched()
        let from = try require(host.windows.window(first.id))
        let to = try require(host.windows.window(second.id))
        host.storage.forgetCalls()
        let tab = try from.tab("a")
        try to.tabs.insert(try from.tabs.detach(from.tabs[0]))
        try await host.restorer.save()
        expect(!tab.isRealized)
        expect(host.storage.statesRead, is: 0)
        expect(try lastChanges(host) == [.put(tab.metadata, in: to.sessionID)])
        expect(try await host.storedTitles(from) == ["b"])
        let state = try await host.restorer.states.state(of: tab)
        expect(state.history.entries.map(\.title), is: ["a"])
    }

    @Test func movingARealizedSavedTabDoesNotSaveItsStateAgain() async throws {
        let host = try await Host.launched()
        let (first, second) = (try await host.window("a", "b"), try await host.window("c"))
        try second.tabs.insert(try first.tabs.detach(first.tabs[0]))
        try await host.restorer.save()
        expect(host.storage.stateBytesSaved, is: 0)
    }

    @Test func becomingRealizedChangesNothing() async throws {
        let before = try await Host.launched()
        let window = try await before.window("a", "b")
        let host = try await before.relaunched()
        let tab = try require(host.windows.window(window.id)).tab("a")
        try await tab.forceRealization()
        expect(tab.isRealized && host.restorer.isSaved)
    }

    @Test func scrollingSavesTheStateAndATitleOnlyTheRecord() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a")
        let tab = try window.tab("a")
        tab.setTitle("a2")
        try await host.restorer.save()
        expect(try lastChanges(host).count == 1)
        tab.pages?.native = [1, 2, 3]
        tab.stateDidChange()
        try await host.restorer.save()
        let key = TabStateKey(tab: tab.id, name: .native, partition: .regular)
        expect(try lastChanges(host).contains(.putState([1, 2, 3], for: key)))
    }

    @Test func aPrerenderedTabThatReplacesAnotherTakesItsPlaceAndTheOldOneIsGone() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b", "c")
        let old = try window.tab("b")
        try window.tabs.replace(
            window.tabs[1], with: Tab(url: "https://new.example/", title: "new"))
        try await host.restorer.save()
        expect(try await host.storedTitles(window) == ["a", "new", "c"])
        let key = TabStateKey(tab: old.id, name: .navigation, partition: .regular)
        expect(try lastChanges(host).contains(.remove(old.id, from: window.sessionID)))
        expect(try await host.storage.base.state(of: key) == nil)
    }

    @Test func aLinkThatWasOpenedAndNotLoadedYetIsKept() async throws {
        let engine = SlowEngine()
        let host = try await Host.launched(engine: engine)
        let window = try await host.window("a")
        try window.tabs.insert(Tab(url: "https://slow.example/"))
        try await host.restorer.save()
        let next = try await host.relaunched()
        let tab = try require(next.windows.window(window.id)?.tabs.tabs.last)
        let state = try await next.restorer.states.state(of: tab)
        expect(state.history.entries.map(\.url), is: ["https://slow.example/"])
    }
}

/// An engine with pages that never finish loading.
final class SlowEngine: WebEngine {
    final class View {}

    func makeView(_ request: ViewRequest<View>) -> View { View() }
    func restore(_ state: TabState, in view: View) -> RestoreAnswer { .refused }
    func load(_ address: String, in view: View) {}
    func reload(_ view: View) {}
    func go(by steps: Int, in view: View) {}
    func capture(_ view: View) -> TabState { TabState() }
}
