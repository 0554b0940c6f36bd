import BrowserSessions
import DirectoryBackend
import Expectations
import Foundation
import StorageConformance
import StorageEngines
import TestSupport

/// Readers of a store that another opener has.
struct ReaderTests {
    @Test(
        "A copy is private and goes with its reader, also if that is refused")
    func copies() async throws {
        let fixture = try ReaderFixture(DirectoryEngine())
        let owner = try fixture.own()
        _ = try await owner.save(Sample.step(1))
        let (one, two) = (try fixture.read(), try fixture.read())
        let copies = try fixture.copies()
        expect(copies.count, is: 2)
        for copy in copies {
            expect(try FileSystem.status(fixture.temporary + "/" + copy)?.permissions == 0o700)
        }
        try await one.close()
        expect(try fixture.copies().count == 1)
        try await two.close()
        expect(try fixture.copies() == [])
        try await owner.close()
        try FileSystem.invertFiles(below: fixture.location + "/regular", first: 64)
        let error = await error { _ = try fixture.read() }
        expect(error?.code, is: .unavailable)
        expect(error?.message.contains("close the store there, open it and call 'check'"), is: true)
        expect(try fixture.copies() == [])
    }

    @Test(
        "What a killed reader left goes with the next opening and erasure")
    func leftovers() async throws {
        let fixture = try ReaderFixture(DirectoryEngine())
        func leave(_ name: String) throws -> String {
            let path = "\(fixture.temporary)/\(name)"
            try FileSystem.makeDirectory(path)
            try FileSystem.makeDirectory(path + "/regular")
            try FileSystem.replace(path + "/regular/file", with: [1])
            return path
        }
        let (left, used) = (
            try leave("browser-sessions-read-left"), try leave("browser-sessions-read-used")
        )
        let other = try leave("another")
        let lock = try PosixDirectory(opening: used)
        try require(try lock.lock())
        let owner = try fixture.own()
        expect(try !FileSystem.exists(left))
        _ = try leave("browser-sessions-read-left")
        try await owner.erase(.removedData)
        expect(try !FileSystem.exists(left))
        try await owner.close()
        _ = try leave("browser-sessions-read-left")
        try await fixture.read().close()
        expect(try !FileSystem.exists(left))
        expect(try FileSystem.exists(used) && FileSystem.exists(other))
        lock.unlock()
    }

    @Test("Neither the copy of a reader nor a backup has anything private")
    func nothingPrivate() async throws {
        let fixture = try ReaderFixture(DirectoryEngine())
        let owner = try fixture.own()
        var secret = SessionChanges()
        secret.put(SessionAttributes(title: "a private canary"), for: Sample.incognito)
        _ = try await owner.save(secret)
        let reader = try fixture.read()
        let backup = try OrderedSessionStorage.backUp(
            StorageConfiguration(location: fixture.location), engine: fixture.engine,
            to: fixture.folder.file("backup"), on: fixture.files)
        for place in [fixture.temporary, backup.path] {
            let files = try LocationFiles(place)
            expect(files.paths(holding: [[UInt8]("a private canary".utf8)]), is: [])
            expect(!files.entries.keys.contains { $0.contains("incognito") })
        }
        try await reader.close()
        try await owner.close()
    }

    @Test("An engine that cannot copy live files is refused")
    func unsupported() async throws {
        struct Plain: FileEngine {
            let base = DirectoryEngine()
            var name: String { base.name }
            var formatVersion: Int { base.formatVersion }
            var abilities: EngineAbilities {
                EngineAbilities(durability: .powerLoss, limits: .none, findsDamage: true)
            }
            func recognizes(_ names: [String]) -> Bool { base.recognizes(names) }
            func open(_ request: OpenRequest) throws -> any OrderedByteStore {
                try base.open(request)
            }
        }
        let folder = TemporaryFolder()
        let configuration = StorageConfiguration(location: folder.file("profile"))
        let owner = try OrderedSessionStorage(opening: configuration, engine: Plain())
        expect(!owner.traits.opensReaders)
        let error = await error {
            _ = try OrderedSessionStorage.openReader(configuration, engine: Plain())
        }
        expect(error?.code, is: .unsupported)
        expect(error?.message.contains("access=readOnly"), is: true)
        try await owner.close()
    }
}
