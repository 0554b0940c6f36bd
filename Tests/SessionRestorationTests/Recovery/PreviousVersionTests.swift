import BrowserModel
import BrowserSessions
import DirectoryBackend
import Expectations
import SessionTesting
import TestSupport

@testable import SessionRestoration

@MainActor @Suite(.timeLimit(.minutes(10)))
struct PreviousVersionTests {
    private let folder = TemporaryFolder()

    private func launched() async throws -> Host {
        let store = try await StorageBackend.directory.open(
            StorageConfiguration(location: folder.file("store")))
        return try await Host.launched(storage: FaultyStorage(store))
    }

    private func end(_ host: Host) async throws {
        try await host.restorer.close()
        try await host.storage.close()
    }

    @Test func aWindowWithoutAnEarlierVersionHasNone() async throws {
        let host = try await launched()
        let window = try await host.window("a")
        expect(try await host.restorer.history.previousVersion(of: window.id) == nil)
        try await end(host)
    }

    @Test func tabsOfTheEarlierVersionThatTheWindowLacksComeBackWhereTheyWere() async throws {
        let first = try await launched()
        let old = try await first.window("a", "b", "c")
        try old.tab("b").visit("b2")
        try await end(first)
        let host = try await launched()
        let window = try require(host.windows.window(old.id))
        try window.tabs.close([window.tabs[0], window.tabs[1]], reason: .cleanup)
        try window.tabs.insert(Tab(url: "https://new.example/", title: "new"))
        try await host.restorer.save()
        let earlier = try await host.restorer.history.previousVersion(of: old.id)
        expect(earlier?.tabs.map(\.title), is: ["a", "b2", "c"])
        let added = try await host.restorer.history.restorePreviousVersion(of: old.id)
        expect(added.map(\.title) == ["a", "b2"] && added.allSatisfy { !$0.isRealized })
        expect(window.titles, is: ["a", "b2", "c", "new"])
        expect(try await host.storedTitles(window) == ["a", "b2", "c", "new"])
        expect(try await host.restorer.history.restorePreviousVersion(of: old.id).isEmpty)
        try await end(host)

        let next = try await launched()
        let restored = try require(next.windows.window(old.id))
        let tab = try restored.tab("b2")
        expect(try await tab.visited() == ["b", "b2"])
        try await end(next)
    }

    /// A program empties a window in the first life of a store; the next launches find it with a new page.
    @Test(arguments: ["", "about:blank", "https://new.example/"])
    func aWindowThatWasEmptiedComesBack(page: String) async throws {
        let first = try await launched()
        let old = try await first.window("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k")
        let outline = old.titles
        old.tabs.closeAll(reason: .program)
        if !page.isEmpty { try old.tabs.insert(Tab(url: page, title: "new"), as: .active) }
        try await first.restorer.save()
        try first.restorer.closed.forgetAll()
        try await end(first)
        for _ in 0..<2 {
            let next = try await launched()
            let window = try require(next.windows.window(old.id))
            window.title += "!"
            if page == "about:blank" {
                window.tabs.closeAll(reason: .cleanup)
                try window.tabs.insert(Tab(url: page, title: "new"), as: .active)
            }
            try await end(next)
        }
        let host = try await launched()
        let window = try require(host.windows.window(old.id))
        let added = try await host.restorer.history.restorePreviousVersion(of: old.id)
        expect(added.map(\.title), is: outline)
        expect(window.titles.filter { $0 != "new" }, is: outline)
        try await end(host)
    }

    /// Whether clearing begins before the earlier version is read, or while it is.
    @Test(arguments: [false, true])
    func tabsThatAreClearedMeanwhileDoNotComeBack(clearingIsFirst: Bool) async throws {
        let first = try await launched()
        let old = try await first.window("a", "b")
        try await end(first)
        let host = try await launched()
        let call = clearingIsFirst ? StorageCall.Operation.eraseRemoved : .restore
        host.storage.forgetCalls()
        host.storage.hang(call)
        let history = host.restorer.history
        let clear = { try await host.restorer.history.clear() }
        let restore = { try await history.restorePreviousVersion(of: old.id).count }
        let (clearing, restoring): (Task<ClearedData, any Error>, Task<Int, any Error>)
        if clearingIsFirst {
            clearing = Task { try await clear() }
            await host.storage.waitForHangingCalls()
            restoring = Task { try await restore() }
        } else {
            restoring = Task { try await restore() }
            await host.storage.waitForHangingCalls()
            clearing = Task { try await clear() }
        }
        await host.waitUntilAllHasBegun()
        host.storage.release()
        expect(try await restoring.value == 0)
        _ = try await clearing.value
        expect(host.windows.windows.allSatisfy { $0.tabs.isEmpty })
        try await end(host)
        let next = try await launched()
        expect(next.windows.windows.allSatisfy { $0.tabs.isEmpty })
        try await end(next)
    }

    @Test func aPointThatGoesWhileItsStatesAreReadBringsNothingBack() async throws {
        let first = try await launched()
        let old = try await first.window("a", "b")
        try await end(first)
        let host = try await launched()
        let window = try require(host.windows.window(old.id))
        try window.tabs.close([window.tabs[0], window.tabs[1]], reason: .cleanup)
        try await host.restorer.save()
        host.storage.forgetCalls()
        host.storage.hang(.stateKeys)
        let history = host.restorer.history
        let restoring = Task { try await history.restorePreviousVersion(of: old.id).count }
        await host.storage.waitForHangingCalls()
        _ = try await host.restorer.history.clear()
        host.storage.release()
        expect(try await restoring.value == 0)
        expect(host.windows.windows.allSatisfy { $0.tabs.isEmpty })
        try await end(host)
    }

    @Test func aTabThatIsElsewhereByNowStaysThere() async throws {
        let first = try await launched()
        let old = try await first.window("a", "b")
        try await end(first)
        let host = try await launched()
        let window = try require(host.windows.window(old.id))
        let other = try await host.window("c")
        let moved = try window.tabs.detach(window.tabs[0])
        try other.tabs.insert(moved)
        expect(try await host.restorer.history.restorePreviousVersion(of: old.id).isEmpty)
        expect(window.titles == ["b"] && other.titles.contains("a"))
        try await end(host)
    }
}
