import BrowserModel
import BrowserSessions
import DirectoryBackend
import Expectations
import Foundation
import LevelDBBackend
import SQLiteBackend
import SessionRestoration
import SessionTesting
import StorageEngines
import TestSupport

/// The same host over each of the real stores.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct RealStoreTests {
    nonisolated static let backends: [StorageBackend] = [.directory, .sqlite, .leveldb]

    private func open(_ backend: StorageBackend, at path: String) async throws -> FaultyStorage {
        FaultyStorage(try await backend.open(StorageConfiguration(location: path)))
    }

    @Test(.enabled(if: SmallDisk.isPossible), arguments: backends)
    func aDiskThatIsFullLosesNothingAndIsSavedToWhenItHasRoom(backend: StorageBackend) async throws
    {
        let disk = try SmallDisk(kibibytes: 8192)
        let host = try await Host.launched(
            storage: try await open(backend, at: disk.folder.file("store")))
        let window = try await host.window("a", "b")
        try disk.fill()
        var number = 0
        while host.seen.failures.isEmpty, number < 200 {
            number += 1
            try window.tabs.insert(
                Tab(url: "https://\(number).example/", title: "\(number)"), as: .active)
            window.tabs.activeTab?.pages?.native = [UInt8](repeating: 7, count: 100_000)
            try? await host.restorer.save()
        }
        expect(!host.seen.failures.isEmpty && !host.restorer.isSaved)
        expect(host.restorer.health.name, is: "failing")
        try disk.release()
        let titles = window.titles
        let path = disk.folder.file("store")
        do {
            try await host.restorer.save()
        } catch {
            // The store wants to be opened again; the changes wait in the restorer.
            try await host.storage.close()
            host.restorer.replaceStorage(with: try await open(backend, at: path))
            try await host.restorer.save()
        }
        expect(host.restorer.isSaved)
        try await host.restorer.close()
        try await host.restorer.currentStorage.close()
        let next = try await Host.launched(storage: try await open(backend, at: path))
        expect(next.windows.window(window.id)?.titles, is: titles)
        try await next.storage.close()
    }

    // MARK: Closing

    private func launched(_ backend: StorageBackend, at path: String) async throws -> Host {
        // Keys that no one deletes would stay in the user's keyring.
        let store = try await backend.open(
            StorageConfiguration(location: path, options: ["incognitoKeys": .text("file")]))
        return try await Host.launched(storage: FaultyStorage(store))
    }

    @Test(arguments: backends)
    func closedTabsAndClosedWindowsComeBackAfterALaunchThatDidNotEnd(backend: StorageBackend)
        async throws
    {
        let folder = TemporaryFolder()
        let host = try await launched(backend, at: folder.file("store"))
        let first = try await host.window("a", "b", "c")
        let second = try await host.window("d", "e")
        let group = StructureNode.group(id: .random(), name: "G", color: .pink)
        try first.tabs.create(group, of: [first.tabs[0], first.tabs[1]])
        try first.tab("b").visit("b2")
        try first.tabs.closeAll(in: group.id)
        try host.restorer.closeAll(in: second)
        try await host.restorer.save()
        // The restorer does not end; only the store's lock is given back.
        try await host.storage.close()

        let next = try await launched(backend, at: folder.file("store"))
        expect(next.restorer.report?.backups, is: [second.id])
        try next.restorer.closeAll.undo(in: second.id)
        expect(next.windows.window(second.id)?.titles, is: ["d", "e"])
        let tabs = try next.restorer.closed.reopenLast()
        expect(next.windows.window(first.id)?.titles, is: ["a", "b2", "c"])
        expect(next.windows.window(first.id)?.tabs.groups.map { $0.isLike(group) }, is: [true])
        expect(try await tabs[1].visited() == ["b", "b2"])
        try await next.restorer.savedWindows.discard([first.id])
        try await next.restorer.close()
        try await next.storage.close()
    }

    @Test(arguments: backends)
    func noFileHasAClosedIncognitoTab(backend: StorageBackend) async throws {
        let folder = TemporaryFolder()
        let host = try await launched(backend, at: folder.file("store"))
        let kept = try await host.window("kept")
        let secret = try await host.window("canarysecret", "another", kind: .incognito)
        try secret.tabs.close(secret.tabs[0])
        try kept.tabs.insert(Tab(url: "https://canaryknown.example/", title: "canaryknown"))
        try kept.tabs.close(kept.tabs[1])
        try await host.restorer.save()
        try await host.storage.close()
        expect(host.restorer.closed.tabs.map(\.title), is: ["canaryknown"])
        expect(try files(of: folder.path, with: "canaryknown") > 0)
        expect(try files(of: folder.path, with: "canarysecret") == 0)
    }

    /// How many files of a folder have the text.
    private func files(of path: String, with text: String) throws -> Int {
        try FileSystem.files(in: path).count { Data($0.value).range(of: Data(text.utf8)) != nil }
    }
}
