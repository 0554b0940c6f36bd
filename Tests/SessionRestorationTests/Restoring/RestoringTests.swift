import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionSamples
import SessionTesting

@MainActor @Suite(.timeLimit(.minutes(10)))
struct RestoringTests {
    private let history = NavigationHistory(
        entries: [
            NavigationEntry(url: "https://x.example/"), NavigationEntry(url: "https://y.example/"),
        ],
        currentIndex: 1)

    /// A tab that no store has, with the history.
    private func tab(for host: Host) -> Tab {
        let place = OrderKey.between(nil, and: nil)
        return host.restorer.states.createUnrealizedTab(
            TabMetadata(id: .random(), place: place, url: "https://y.example/", title: "y"),
            state: TabState(history: history, native: [7]))
    }

    @Test func tenThousandTabsComeBackWithoutReadingOneState() async throws {
        let storage = FaultyStorage()
        var changes = SessionChanges()
        let session = SessionID(window: .random())
        for (number, place) in OrderKey.evenlySpaced(count: 10_000).enumerated() {
            let tab = TabMetadata(id: .random(), place: place, title: "\(number)")
            changes.put(tab, in: session)
            changes.put(
                NavigationHistory(url: "https://\(number).example/", title: "\(number)").encoded(),
                for: TabStateKey(tab: tab.id, name: .navigation, partition: .regular))
        }
        changes.put(SessionAttributes(), for: session)
        _ = try await storage.base.save(changes)
        let host = try await Host.launched(storage: storage)
        let window = try #require(host.windows.window(session.window))
        expect(window.titles, is: (0..<10_000).map(String.init))
        expect(storage.statesRead, is: 0)
        expect(storage.calls(of: .states).isEmpty)
        expect(storage.calls(of: .restore).filter { $0.sessionIDs == [session] }.count, is: 1)
    }

    @Test func onlyTheActiveTabIsRealized() async throws {
        let before = try await Host.launched()
        let window = try await before.window("a", "b", "c")
        try window.tabs.activate(window.tabs[1])
        try await before.restorer.save()
        let host = try await before.relaunched()
        let restored = try #require(host.windows.window(window.id))
        var urls: [String] = []
        for tab in restored.tabs {
            urls += try await host.restorer.states.state(of: tab).history.entries.map(\.url)
        }
        expect(urls, is: ["https://a.example/", "https://b.example/", "https://c.example/"])
        expect(restored.tabs.tabs.map(\.isRealized), is: [false, true, false])
        expect(host.restorer.isSaved)
        expect(host.seen.events.prefix(2), is: ["willRestore", "didRestore"])
    }

    @Test func tabsOpenedBeforeRestoringComeBehindTheRestoredOnes() async throws {
        let before = try await Host.launched()
        let window = try await before.window("a", "b")
        let host = Host(storage: FaultyStorage(before.storage.base))
        let early = try host.windows.open(window.id)
        try early.tabs.insert(Tab(url: "https://link.example/", title: "link"), as: .active)
        try await host.restorer.restore()
        expect(early.titles, is: ["a", "b", "link"])
        expect(early.tabs.activeTab?.title, is: "link")
        await host.waitForDelayedSave()
        expect(try await host.storedTitles(early) == ["a", "b", "link"])
    }

    @Test func aSessionThatCannotBeReadIsReportedAndNotTouched() async throws {
        let before = try await Host.launched()
        let (bad, good) = (try await before.window("a"), try await before.window("b"))
        let storage = FaultyStorage(before.storage.base)
        let error = StorageError(.failed, "input/output error")
        storage.failReading(bad.sessionID, with: error)
        let host = Host(storage: storage)
        let report = try await host.restorer.restore()
        expect(report.unreadable.map(\.session), is: [bad.sessionID])
        expect(report.isSuspicious)
        expect(host.windows.window(good.id)?.titles, is: ["b"])
        expect(host.windows.ids.reopenable.contains { $0.id == bad.id && !$0.isReadable })
        expect(try await host.storedTitles(bad) == ["a"])
        expect(try await host.restorer.savedWindows.open(bad.id).titles == ["a"])
    }

    @Test func aStoreThatCannotSayWhatItHasLeavesTheRestorerAsItWas() async throws {
        let before = try await Host.launched()
        let window = try await before.window("a")
        let host = Host(storage: FaultyStorage(before.storage.base))
        host.storage.fail(.sessions, with: StorageError(.failed, "input/output error"))
        await #expect(throws: SessionRestorationError.self) { try await host.restorer.restore() }
        expect(host.windows.windows.isEmpty)
        try await host.restorer.restore()
        expect(host.windows.window(window.id)?.titles, is: ["a"])
        await #expect(throws: SessionRestorationError.self) { try await host.restorer.restore() }
    }

    @Test func aTabWhoseStateCannotBeReadNowStaysUnrealizedAndCanBeTriedAgain() async throws {
        let before = try await Host.launched()
        let window = try await before.window("a", "b")
        let host = try await before.relaunched()
        let tab = try #require(host.windows.window(window.id)).tab("a")
        host.storage.fail(.states, with: StorageError(.failed, "input/output error"))
        await #expect(throws: StorageError.self) { try await tab.forceRealization() }
        expect(!tab.isRealized)
        expect(try await tab.visited() == ["a"])
    }

    @Test func aTabWithADamagedHistoryGoesOnWithItsLastAddress() async throws {
        let before = try await Host.launched()
        let window = try await before.window("a", "b")
        try window.tab("a").visit("a2")
        try await before.restorer.save()
        let host = try await before.relaunched()
        let tab = try #require(host.windows.window(window.id)).tab("a2")
        host.storage.fail(.states, with: StorageError(.corrupted, "damaged"), on: .first(2))
        try await tab.forceRealization()
        expect(tab.pages?.history.entries.map(\.url), is: ["https://a2.example/"])
        expect(host.seen.events.contains("historyLost"))
        expect(host.restorer.isSaved)
    }

    @Test func aTabCreatedUnrealizedFromAStateIsSavedAndRealizedWhenSelected() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a")
        let tab = tab(for: host)
        try window.tabs.insert(tab)
        expect(!tab.isRealized && tab.metadata.navigationItemCount == 2)
        // What it holds is read before what is saved.
        expect(try await host.restorer.states.state(of: tab).history == history)
        try await host.restorer.save()
        let next = try await host.relaunched()
        let restored = try #require(next.windows.window(window.id)).tab("y")
        expect(!restored.isRealized)
        try await restored.forceRealization()
        expect(restored.pages?.history == history && restored.pages?.native == [7])
    }
}
