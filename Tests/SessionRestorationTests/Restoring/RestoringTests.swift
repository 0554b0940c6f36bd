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
        let window = try require(host.windows.window(session.window))
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
        let restored = try require(host.windows.window(window.id))
        var urls: [String] = []
        for tab in restored.tabs {
            urls += try await host.restorer.states.state(of: tab).history.entries.map(\.url)
        }
        expect(urls, is: ["https://a.example/", "https://b.example/", "https://c.example/"])
        expect(restored.tabs.tabs.map(\.isRealized), is: [false, true, false])
        expect(host.restorer.isSaved)
        expect(host.seen.events.prefix(2), is: ["willRestore", "didRestore"])
        await expect(throws: SessionRestorationError.self) { try await host.restorer.restore() }
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

    @Test func aTabWhoseStateCannotBeReadNowStaysUnrealizedAndCanBeTriedAgain() async throws {
        let before = try await Host.launched()
        let window = try await before.window("a", "b")
        let host = try await before.relaunched()
        let tab = try require(host.windows.window(window.id)).tab("a")
        host.storage.fail(.states, with: StorageError(.failed, "input/output error"))
        await expect(throws: StorageError.self) { try await tab.forceRealization() }
        expect(!tab.isRealized)
        expect(try await tab.visited() == ["a"])
    }

    @Test func aTabWithADamagedHistoryGoesOnWithItsLastAddress() async throws {
        let before = try await Host.launched()
        let window = try await before.window("a", "b")
        try window.tab("a").visit("a2")
        try await before.restorer.save()
        let host = try await before.relaunched()
        let tab = try require(host.windows.window(window.id)).tab("a2")
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
        let restored = try require(next.windows.window(window.id)).tab("y")
        expect(!restored.isRealized)
        try await restored.forceRealization()
        expect(restored.pages?.history == history && restored.pages?.native == [7])
    }

    /// The one pane of a split takes its place, and what comes behind it is saved with a place that counts
    /// on that.
    @Test func aTabBesideOneThatWasMovedComesBackThere() async throws {
        let window = SessionID(window: .random())
        let group = StructureNode.group(id: .random(), name: "group")
        let host = Host()
        var changes = SessionChanges()
        changes.put(SessionAttributes(), for: window)
        changes.put(group, in: window)
        let split = StructureNode(
            id: .random(), .split, place: .between(group.place, and: nil), parent: group.id)
        changes.put(split, in: window)
        var place: OrderKey?
        for title in ["first", "other", "apart"] {
            let next = OrderKey.between(place, and: nil)
            place = next
            var tab = TabMetadata(
                id: .random(), place: next, url: "https://\(title).example/", title: title)
            tab.parent = title == "first" ? group.id : title == "apart" ? split.id : nil
            changes.put(tab, in: window)
        }
        _ = try await host.storage.base.save(changes, durability: .memory)
        let report = try await host.restorer.restore()
        try require(report.windows.first?.repairs.map(\.kind) == [.splitOfOneRemoved])
        let tabs = try require(host.windows.first).tabs
        try tabs.insert(
            Tab(url: "https://new.example/", title: "new"),
            as: TabInsertion(at: 2, group: group.id))
        expect(tabs.map(\.title), is: ["first", "apart", "new", "other"])
        try await host.restorer.save()
        let next = try await host.relaunched()
        expect(next.windows.map(\.titles), is: [["first", "apart", "new", "other"]])
    }
}
