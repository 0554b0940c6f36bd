import BrowserSessions
import DirectoryBackend
import Expectations
import StorageEngines
import Synchronization
import TestSupport

/// The copies of readers, which have no use after a power cut: their syncs would make the owner's wait.
struct TemporaryCopyTests {
    /// Notes where partitions are opened.
    private final class Engine: FileEngine {
        private let base: any FileEngine
        private let found = Mutex<[Bool]>([])
        var areTemporary: [Bool] { found.withLock(\.self) }

        init() { base = DirectoryEngine() }

        var name: String { base.name }
        var formatVersion: Int { base.formatVersion }
        var abilities: EngineAbilities { base.abilities }

        func recognizes(_ names: [String]) -> Bool { base.recognizes(names) }

        func open(_ request: OpenRequest) throws -> any OrderedByteStore {
            found.withLock { $0.append(request.directory.isTemporary) }
            return try base.open(request)
        }

        func copyLive(_ directory: any FileDirectory, to copy: LiveStoreCopy) throws {
            try base.copyLive(directory, to: copy)
        }
    }

    @Test(
        "Only the copy of a reader is temporary; a store and a backup are not")
    func places() async throws {
        let fixture = try ReaderFixture(DirectoryEngine())
        let owner = try fixture.own()
        _ = try await owner.save(Sample.step(1))
        let configuration = StorageConfiguration(location: fixture.location)
        let engine = Engine()
        let reader = try OrderedSessionStorage.openReader(
            configuration, engine: engine, on: fixture.files)
        expect(engine.areTemporary, is: [true])
        try await reader.close()
        _ = try OrderedSessionStorage.backUp(
            configuration, engine: engine, to: fixture.folder.file("backup"), on: fixture.files)
        expect(engine.areTemporary, is: [true, false])
        try await owner.close()
        let store = try OrderedSessionStorage(
            opening: configuration, engine: engine, on: fixture.files)
        expect(!engine.areTemporary.dropFirst(2).contains(true))
        try await store.close()
    }

    #if os(Linux)
        /// Nothing can be synced in this file system: a call that tries fails.
        @Test("In a temporary directory no sync reaches the system, at any depth")
        func syncs() throws {
            let directory = try PosixDirectory(opening: "/proc/self", followingLink: true)
            expect(throws: StorageError.self) { try directory.sync() }
            expect(throws: StorageError.self) { try directory.open("stat", mode: .read).syncData() }
            let temporary = directory.asTemporary()
            expect(temporary.isTemporary && !directory.isTemporary)
            for place in [temporary, try temporary.directory("net")] {
                try place.sync()
                let name = try require(try place.names().first { $0 == "stat" || $0 == "route" })
                try place.open(name, mode: .read).syncData()
            }
        }
    #endif
}
