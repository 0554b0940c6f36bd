import BrowserModel
import BrowserSessions
import Expectations
import Foundation
import SessionTesting
import TestSupport

@testable import SessionRestoration

/// What is left of browsing data that the user has cleared.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct BrowsingDataTests {
    private let folder = TemporaryFolder()

    private func host(_ backend: StorageBackend) async throws -> Host {
        let store = try await backend.open(StorageConfiguration(location: folder.file("store")))
        return try await Host.launched(storage: FaultyStorage(store))
    }

    /// Every place in which a profile keeps tabs has some with "canary" in their titles and addresses.
    private func fill(_ host: Host) async throws {
        let window = try await host.fillEveryPlace("canary-")
        try window.tab("canary-a").visit("canary-a2")
        let inactive = try await host.window("canary-h", "canary-i")
        host.clock.advance(by: try require(host.restorer.policy.inactiveAge) * 2)
        try inactive.tab("canary-i").wasShown(at: host.clock.timestamp)
        try host.restorer.inactive.moveUnused()
        try await host.restorer.save()
    }

    /// Tabs of a window that crashed are set aside, too.
    private func setAside(in store: any SessionStorage) async throws {
        let aside = SessionID(window: .random(), kind: .setAside)
        let place = OrderKey.between(nil, and: nil)
        var changes = SessionChanges()
        changes.put(SessionAttributes(), for: aside)
        changes.put(
            TabMetadata(id: .random(), place: place, url: "https://canary-x.example/"), in: aside)
        _ = try await store.save(changes)
    }

    private func canaries() throws -> [String] {
        let files = try require(FileManager.default.enumerator(atPath: folder.file("store")))
        return files.compactMap { $0 as? String }.filter { name in
            let data = FileManager.default.contents(atPath: folder.file("store/" + name))
            return data?.range(of: Data("canary".utf8)) != nil
        }
    }

    @Test(arguments: RealStoreTests.backends)
    func nothingIsLeftInAnyFile(backend: StorageBackend) async throws {
        let first = try await host(backend)
        try await fill(first)
        try await first.restorer.close()
        try await setAside(in: first.storage)
        try await first.storage.close()
        // A later opening takes a restore point.
        let host = try await host(backend)
        expect(try !canaries().isEmpty)
        let cleared = try await host.restorer.history.clear()
        expect(cleared.isErased && cleared.setAside == 1 && cleared.incognitoTabs == 1)
        expect(cleared.openTabs >= 4 && cleared.closedTabs >= 1)
        expect(try canaries().isEmpty)
        expect(host.restorer.closed.items.isEmpty && host.restorer.setAside.sessions.isEmpty)
        try await host.restorer.close()
        try await host.storage.close()
        let next = try await self.host(backend)
        expect(next.windows.windows.allSatisfy { $0.tabs.isEmpty })
        expect(next.restorer.closed.items.isEmpty && next.restorer.setAside.sessions.isEmpty)
        try await next.storage.close()
    }

    /// Damages what has one title in all files of the store.
    private func damage() throws {
        for name in try canaries() {
            let path = folder.file("store/" + name)
            var data = try require(FileManager.default.contents(atPath: path))
            while let range = data.range(of: Data("canary-c".utf8)) {
                for index in range { data[index] ^= 0x55 }
            }
            try data.write(to: URL(fileURLWithPath: path))
        }
    }

    @Test func whatAnImportNotedGoesWithEverything() async throws {
        let host = try await Host.launched()
        let notes = SessionID(window: .profileWide, kind: "notes-import")
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "of an import"), for: notes)
        try await host.storage.base.save(changes, durability: .memory)
        try await host.restorer.history.clear(.openTabs)
        expect(try await host.stored(notes) != nil)
        try await host.restorer.history.clear()
        expect(try await host.stored(notes) == nil)
        expect(try await host.stored(LaunchMarker.session) != nil)
    }

    @Test(arguments: RealStoreTests.backends)
    func aDamagedStoreIsClearedAsWell(backend: StorageBackend) async throws {
        let first = try await host(backend)
        try await fill(first)
        try await first.restorer.close()
        try await first.storage.close()
        try damage()
        let host = try await host(backend)
        expect(host.restorer.report?.isSuspicious, is: true)
        // What is damaged may be what was not asked for.
        await expect(throws: SessionRestorationError.self) {
            try await host.restorer.history.clear(.closed)
        }
        expect(try await host.restorer.history.clear().isErased)
        expect(try canaries().isEmpty)
        try await host.restorer.save()
        expect(host.restorer.isSaved)
        try await host.storage.close()
    }

    @Test func whatIsNotAskedForStays() async throws {
        let storage = MemoryStorage()
        try await setAside(in: storage)
        let host = try await Host.launched(storage: FaultyStorage(storage))
        try await fill(host)
        let (tabs, aside) = (host.windows.windows.map(\.titles), host.restorer.setAside.sessions)
        let cleared = try await host.restorer.history.clear(.closed)
        expect(cleared.closedTabs == 4 && cleared.openTabs == 0 && cleared.incognitoTabs == 0)
        expect(host.restorer.closed.items.isEmpty)
        expect(host.windows.windows.map(\.titles), is: tabs.filter { $0 != ["canary-g"] })
        expect(host.restorer.setAside.sessions, is: aside)
        try await host.restorer.close()
        let next = try await host.relaunched()
        expect(next.restorer.closed.items.isEmpty)
        expect(next.restorer.setAside.sessions.map(\.id), is: aside.map(\.id))
    }

    @Test func tabsForgetTheirHistoriesAndGoOnShowingTheirPages() async throws {
        let first = try await Host.launched()
        let old = try await first.window("a", "b")
        try old.tab("a").visit("a2")
        try old.tab("b").visit("b2")
        try await first.restorer.save()
        let host = try await first.relaunched()
        let window = try require(host.windows.first)
        // One is realized, the other one is not.
        expect(try !window.tab("a2").isRealized && window.tab("b2").isRealized)
        let cleared = try await host.restorer.history.clear(.histories)
        expect(cleared.histories == 2 && cleared.keptHistories.isEmpty)
        try await host.restorer.close()
        let next = try await host.relaunched()
        let again = try require(next.windows.first)
        expect(again.titles, is: ["a2", "b2"])
        for tab in again.tabs {
            let state = try await next.restorer.states.state(of: tab)
            expect(state.history.entries.count == 1 && state.history.currentIndex == 0)
        }
    }

    @Test func contentThatCannotForgetIsNamed() async throws {
        let host = try await Host.launched(engine: StubbornEngine())
        let window = try await host.window()
        let tab = Tab(url: "https://a.example/")
        try window.tabs.insert(tab, as: .active)
        tab.page?.load("https://b.example/")
        let cleared = try await host.restorer.history.clear(.histories)
        expect(cleared.keptHistories == [tab.id] && cleared.histories == 0)
    }

    @Test func aFailureIsToldAndTheNextTryClears() async throws {
        let host = try await Host.launched()
        try await fill(host)
        host.storage.fail(.save, with: StorageError(.outOfSpace, "the disk is full"), on: .every)
        await expect(throws: SessionRestorationError.self) {
            try await host.restorer.history.clear()
        }
        host.storage.forgetFaults()
        try await host.restorer.history.clear()
        let next = try await host.relaunched()
        expect(next.windows.windows.allSatisfy { $0.tabs.isEmpty })
        expect(next.restorer.closed.items.isEmpty && next.restorer.setAside.sessions.isEmpty)
    }
}

/// An engine with pages that keep what they have.
private final class StubbornEngine: WebEngine {
    final class View {
        var state = TabState()
        weak var page: WebPage?
    }

    func makeView(_ request: ViewRequest<View>) -> View {
        let view = View()
        view.page = request.page
        return view
    }
    func restore(_ state: TabState, in view: View) -> RestoreAnswer {
        view.state = state
        return .shown
    }
    func load(_ address: String, in view: View) {
        view.state.history.entries.append(NavigationEntry(url: address))
        view.state.history.currentIndex = view.state.history.entries.count - 1
        view.page?.finished()
    }
    func reload(_ view: View) {}
    func go(by steps: Int, in view: View) {}
    func capture(_ view: View) -> TabState { view.state }
}
