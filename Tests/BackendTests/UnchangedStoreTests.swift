import BrowserSessions
import Expectations
import LocalFiles
import TestSupport

@Suite("a store in which nothing changes")
struct UnchangedStoreTests {
    /// Except where a library writes whenever it opens its files.
    @Test(
        "stays closed, byte for byte",
        arguments: Subject.all.filter { $0.backend.name != "leveldb" })
    func staysClosed(subject: Subject) async throws {
        let folder = TemporaryFolder()
        try await fill(subject, folder)
        let before = try content(of: folder)
        let store = try await subject.open(folder)
        expect(try await store.restore(Sample.window)?.tabs.count == 3)
        expect(try await store.check().isHealthy)
        expect(try marks(in: folder) == ["regular.closed"])
        try await store.close()
        expect(try content(of: folder) == before)
    }

    @Test("is noted as open before it changes, and as closed again", arguments: Subject.all)
    func changes(subject: Subject) async throws {
        let folder = TemporaryFolder()
        try await fill(subject, folder)
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 4))
        expect(try marks(in: folder) == ["regular.opened"])
        try await store.close()
        expect(try marks(in: folder) == ["regular.closed"])
        expect(try await subject.open(folder).check().isHealthy)
    }

    /// Makes a closed store that was opened again: its restore point is the one that an opening
    /// takes.
    private func fill(_ subject: Subject, _ folder: TemporaryFolder) async throws {
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 3))
        try await store.close()
        try await subject.open(folder).close()
    }

    private func marks(in folder: TemporaryFolder) throws -> [String] {
        try FileSystem.contents(of: folder.file("profile")).filter { $0.hasPrefix("regular.") }
    }

    private func content(of folder: TemporaryFolder) throws -> Tree {
        // The owner of the lock is another one.
        try Tree(folder.file("profile")).without("lock")
    }
}
