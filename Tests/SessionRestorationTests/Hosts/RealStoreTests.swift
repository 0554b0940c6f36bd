import BrowserModel
import BrowserSessions
import DirectoryBackend
import Expectations
import LevelDBBackend
import SQLiteBackend
import SessionRestoration
import SessionTesting
import TestSupport

/// The same host over each of the real stores.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct RealStoreTests {
    nonisolated static let backends: [StorageBackend] = [.directory, .sqlite, .leveldb]

    private func open(_ backend: StorageBackend, at path: String) async throws -> FaultyStorage {
        FaultyStorage(try await backend.open(StorageConfiguration(location: path)))
    }

    @Test(arguments: backends)
    func everythingComesBackFromTheStoreOfALaunchBefore(backend: StorageBackend) async throws {
        let folder = TemporaryFolder()
        let storage = try await open(backend, at: folder.file("store"))
        let host = try await Host.launched(storage: storage)
        let first = try await host.window("a", "b", "c", "d")
        let second = try await host.window("e")
        let secret = try await host.window("s", kind: .incognito)
        try first.tabs.pin(first.tabs[2])
        let group = StructureNode.group(id: .random(), name: "News", color: .red)
        try first.tabs.create(group, of: [first.tabs[1], first.tabs[2]])
        try second.tabs.insert(try first.tabs.detach(first.tabs[3]))
        try first.tab("a").visit("a2")
        let saved = first.tabs.tabs.map(\.metadata)
        try await host.restorer.close()
        try await storage.close()

        let next = try await Host.launched(
            storage: try await open(backend, at: folder.file("store")))
        let restored = try #require(next.windows.window(first.id))
        expect(restored.tabs.tabs.map(\.metadata), is: saved)
        expect(restored.tabs.groups.map { $0.isLike(group) }, is: [true])
        expect(next.windows.window(second.id)?.titles, is: ["e", "d"])
        expect(next.windows.incognito.window(secret.id)?.titles, is: ["s"])
        let state = try await next.restorer.states.state(of: restored.tab("a2"))
        expect(state.history.entries.map(\.title), is: ["a", "a2"])
        next.windows.incognito.window(secret.id)?.tabs.closeAll(reason: .user)
        await next.waitUntilIdle()
        expect(next.seen.events.contains("incognitoDeleted"))
        expect(try await next.storage.base.sessions().allSatisfy { $0.partition == .regular })
        try await next.storage.close()
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
}
