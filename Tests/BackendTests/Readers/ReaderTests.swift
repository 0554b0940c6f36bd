import BrowserSessions
import Expectations
import Foundation
import LocalFiles
import StorageEngines
import TestSupport

/// Readers of a store that another opener has.
struct ReaderTests {
    @Test(
        "A reader sees what was saved, nothing later, and nothing private", arguments: Subject.all)
    func besideOwner(subject: Subject) async throws {
        let fixture = try ReaderFixture(subject)
        let owner = try fixture.own()
        for number in 1...5 { _ = try await owner.save(Sample.step(number)) }
        var secret = SessionChanges()
        secret.put(SessionAttributes(title: "a private canary"), for: Sample.incognito)
        _ = try await owner.save(secret)
        let receipt = try await owner.save(Sample.step(6), durability: .processCrash)
        let before = try Tree(fixture.location)
        let reader = try fixture.read()
        expect(try Tree(fixture.location) == before)
        expect(reader.sequence, is: receipt.sequence)
        let copies = try Tree(fixture.temporary)
        expect(copies.files(holding: [UInt8]("a private canary".utf8)), is: [])
        expect(!copies.entries.keys.contains { $0.contains("incognito") })
        _ = try await owner.save(Sample.step(7))
        expect(try await Sample.lastStep(in: reader) == 6)
        expect(try await reader.sessions() == [Sample.window])
        expect(try await reader.check().isHealthy)
        expect(await errorCode { _ = try await reader.save(Sample.step(8)) } == .permissionDenied)
        try await reader.close()
        _ = try await owner.save(Sample.step(8))
        try await owner.close()
        let again = try fixture.own()
        expect(try await Sample.lastStep(in: again) == 8)
        expect(try await again.check().isHealthy)
        try await again.close()
    }

    @Test("A store that a kill left can be read, and is as it was", arguments: Subject.all)
    func killed(subject: Subject) async throws {
        let fixture = try ReaderFixture(subject)
        let owner = try fixture.own()
        for number in 1...5 {
            _ = try await owner.save(Sample.step(number), durability: .processCrash)
        }
        try await fixture.folder.kill(owner)
        let before = try Tree(fixture.location)
        let reader = try fixture.read()
        expect(try await Sample.lastStep(in: reader) == 5)
        try await reader.close()
        expect(try Tree(fixture.location) == before)
    }

    #if os(Linux)
        @Test("The owner in the same process keeps all its locks", arguments: Subject.all)
        func locks(subject: Subject) async throws {
            let fixture = try ReaderFixture(subject)
            let owner = try fixture.own()
            _ = try await owner.save(Sample.step(1))
            let locks = try HeldLocks(of: fixture)
            expect(try locks.areHeld)
            let reader = try fixture.read()
            expect(try locks.areHeld)
            try await reader.close()
            expect(try locks.areHeld)
            try await owner.close()
            expect(try !locks.areHeld)
        }
    #endif

    @Test(
        "A copy is private and goes with its reader, also if that is refused",
        arguments: Subject.all)
    func copies(subject: Subject) async throws {
        let fixture = try ReaderFixture(subject)
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
        expect(await errorCode { _ = try fixture.read() } == .unavailable)
        expect(try fixture.copies() == [])
    }

    @Test(
        "What a killed reader left goes with the next opening and erasure", arguments: Subject.all)
    func leftovers(subject: Subject) async throws {
        let fixture = try ReaderFixture(subject)
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
        try #require(try lock.lock())
        let owner = try fixture.own()
        expect(try !FileSystem.exists(left))
        _ = try leave("browser-sessions-read-left")
        try await owner.eraseRemoved()
        expect(try !FileSystem.exists(left))
        expect(try FileSystem.exists(used) && FileSystem.exists(other))
        try await owner.close()
        lock.unlock()
    }

    @Test("Where no store is, that is said, and nothing is made", arguments: Subject.all)
    func absent(subject: Subject) async throws {
        let fixture = try ReaderFixture(subject)
        for isFolder in [false, true] {
            if isFolder { try FileSystem.makeDirectory(fixture.location) }
            let before = try Tree(fixture.folder.path)
            let error = await error { _ = try fixture.read() }
            expect(error?.code, is: .notFound)
            expect(error?.message.contains("there is no store at '\(fixture.location)'"), is: true)
            expect(try Tree(fixture.folder.path) == before)
        }
    }

    @Test(
        "Damage is no older state: the reader is refused, and says what to do",
        arguments: Subject.all)
    func damaged(subject: Subject) async throws {
        let fixture = try ReaderFixture(subject)
        let owner = try fixture.own()
        for number in 1...9 { _ = try await owner.save(Sample.step(number)) }
        try await owner.close()
        let count = try subject.tamper(fixture.location + "/regular") { key, value in
            key.isTabKey && key.suffix(1) == [3] ? .replace(value.flipped) : .keep
        }
        try #require(count == 1)
        let before = try Tree(fixture.location)
        let error = await error { _ = try fixture.read() }
        expect(error?.code, is: .unavailable)
        expect(error?.message.contains("close the store there, open it and call 'check'"), is: true)
        expect(error?.message.contains(fixture.location) == true || error?.location != nil)
        expect(try Tree(fixture.location) == before)
    }

    @Test("An engine that cannot copy live files is refused")
    func unsupported() async throws {
        struct Plain: FileEngine {
            let base = Subject.all[0].engine
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

#if os(Linux)
    /// The locks of the owner of a store: that of the store, and those of the engine's library.
    ///
    /// A file stays open for as long as this lives, because closing it would drop the locks that this
    /// process has on it.
    private final class HeldLocks {
        private let store: PosixDirectory
        private let file: PosixFile?

        init(of fixture: ReaderFixture) throws {
            store = try PosixDirectory(opening: fixture.location)
            let names = ["sqlite": "sessions.db", "leveldb": "db/LOCK"]
            file = try names[fixture.subject.backend.name].map {
                try PosixFile(opening: "\(fixture.location)/regular/\($0)", flags: O_RDWR)
            }
        }

        var areHeld: Bool {
            get throws {
                if try store.lock() {
                    store.unlock()
                    return false
                }
                guard let file else { return true }
                var lock = flock()
                lock.l_type = Int16(F_WRLCK)
                // Locks of the process conflict with one of an open file.
                let query: Int32 = 36
                guard fcntl(file.raw, query, &lock) == 0 else {
                    throw StorageError(.failed, "the locks cannot be examined")
                }
                return Int32(lock.l_type) != F_UNLCK
            }
        }
    }
#endif
