import BrowserSessions
import Expectations
import StorageConformance
import StorageEngines
import TestSupport

@Suite("a store in which nothing changes")
struct UnchangedStoreTests {
    /// Except where a library writes whenever it opens its files.
    @Test(
        "stays closed, byte for byte",
        arguments: TestedEngine.withDirectory.filter { $0.backend.name != "leveldb" })
    func staysClosed(tested: TestedEngine) async throws {
        let folder = TemporaryFolder()
        try await fill(tested, folder)
        let before = try LocationFiles(folder.file("profile"))
        let store = try await tested.backend.open(folder)
        expect(try await store.restore(Sample.window)?.tabs.count == 3)
        expect(try await store.check().isHealthy)
        expect(try marks(in: folder) == ["regular.closed"])
        try await store.close()
        expect(try LocationFiles(folder.file("profile")).difference(from: before) == nil)
    }

    @Test(
        "is noted as open before it changes, and as closed again",
        arguments: TestedEngine.withDirectory)
    func changes(tested: TestedEngine) async throws {
        let folder = TemporaryFolder()
        try await fill(tested, folder)
        let store = try await tested.backend.open(folder)
        _ = try await store.save(Sample.window(tabs: 4))
        expect(try marks(in: folder) == ["regular.opened"])
        try await store.close()
        expect(try marks(in: folder) == ["regular.closed"])
        expect(try await tested.backend.open(folder).check().isHealthy)
    }

    /// Makes a closed store that was opened again: its restore point is the one that an opening
    /// takes.
    private func fill(_ tested: TestedEngine, _ folder: TemporaryFolder) async throws {
        let store = try await tested.backend.open(folder)
        _ = try await store.save(Sample.window(tabs: 3))
        try await store.close()
        try await tested.backend.open(folder).close()
    }

    private func marks(in folder: TemporaryFolder) throws -> [String] {
        try FileSystem.contents(of: folder.file("profile")).filter { $0.hasPrefix("regular.") }
    }
}
