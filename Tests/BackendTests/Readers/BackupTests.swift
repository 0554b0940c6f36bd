import BrowserSessions
import Expectations
import Foundation
import LocalFiles
import StorageEngines
import TestSupport

/// Backups of a store that its owner has open.
struct BackupTests {
    private func backUp(_ fixture: ReaderFixture, to path: String) throws -> StoreBackup {
        try OrderedSessionStorage.backUp(
            StorageConfiguration(location: fixture.location), engine: fixture.subject.engine,
            to: path, on: fixture.files)
    }

    private func steps(_ subject: Subject, in path: String) async throws -> Int {
        let store = try OrderedSessionStorage(
            opening: StorageConfiguration(
                location: path, options: ["access": "readOnly", "create": false]),
            engine: subject.engine)
        expect(try await store.check().isHealthy)
        let step = try await Sample.lastStep(in: store)
        try await store.close()
        return step
    }

    @Test(
        "A backup is a store of what was saved, and replaces the one before", arguments: Subject.all
    )
    func besideOwner(subject: Subject) async throws {
        let fixture = try ReaderFixture(subject)
        let owner = try fixture.own()
        var secret = SessionChanges()
        secret.put(SessionAttributes(title: "a private canary"), for: Sample.incognito)
        _ = try await owner.save(secret)
        for number in 1...25 { _ = try await owner.save(Sample.step(number)) }
        let path = fixture.folder.file("backups/one")
        let before = try Tree(fixture.location)
        let one = try backUp(fixture, to: path)
        expect(try Tree(fixture.location) == before)
        expect(try StoreBackup.found(at: path) == one)
        expect(one.bytes > 20 * 3000 && one.path == path && one.backend == subject.backend.name)
        expect(try Tree(path).files(holding: [UInt8]("a private canary".utf8)) == [])
        expect(try await steps(subject, in: path) == 25)
        // Looking at it is no use of it.
        expect(try StoreBackup.found(at: path) == one)
        let same = try backUp(fixture, to: fixture.folder.file("same"))
        expect(same.digest == one.digest && same.sequence == one.sequence)
        // What restore points there are, does not matter.
        let point = try await owner.takeRestorePoint(name: "a point", pinned: true)
        let pointed = try backUp(fixture, to: fixture.folder.file("pointed"))
        expect(pointed.digest == one.digest && pointed.sequence == point.id.rawValue)
        expect(pointed.store == one.store && !one.store.isEmpty)
        let receipt = try await owner.save(Sample.step(26))
        let two = try backUp(fixture, to: path)
        expect(two.sequence == receipt.sequence && two.digest != one.digest)
        expect(try await steps(subject, in: path) == 26)
        expect(try FileSystem.contents(of: fixture.folder.file("backups")) == ["one"])
        expect(try fixture.copies() == [])
        try await owner.close()
    }

    /// What stands where a backup is to go.
    enum Place: CaseIterable {
        case store, inside, link, folder, file, used, otherDraft, otherReplaced, lockedDraft
        case absentStore, ownFile, ownFileInside, ownLink
    }

    /// Returns the path of the place, and a lock of it.
    private func prepare(
        _ place: Place, _ fixture: ReaderFixture, _ owner: OrderedSessionStorage
    ) async throws -> (String, PosixDirectory?) {
        let path = fixture.folder.file("backup")
        switch place {
        case .store: return (fixture.location, nil)
        case .inside: return (fixture.location + "/regular/new/backup", nil)
        case .link:
            try link(fixture.location, at: fixture.folder.file("link"))
            return (fixture.folder.file("link/backup"), nil)
        case .folder:
            try FileSystem.makeDirectory(path)
            try FileSystem.replace(path + "/notes.txt", with: [1])
        case .file: try FileSystem.replace(path, with: [1])
        case .used: try await use(path, fixture)
        case .ownFile, .ownFileInside, .ownLink:
            _ = try backUp(fixture, to: path)
            let name = place == .ownFileInside ? "regular/notes.txt" : "notes.txt"
            if place == .ownLink {
                try link(fixture.location, at: path + "/" + name)
            } else {
                try FileSystem.replace(path + "/" + name, with: [1])
            }
        case .otherReplaced:
            try FileSystem.makeDirectory(path + ".replaced")
            try FileSystem.replace(path + ".replaced/notes.txt", with: [])
        case .otherDraft, .lockedDraft:
            try FileSystem.makeDirectory(path + ".unfinished")
            let name = place == .otherDraft ? "notes.txt" : "backup.unfinished"
            try FileSystem.replace(path + ".unfinished/" + name, with: [])
            guard place == .lockedDraft else { break }
            let lock = try PosixDirectory(opening: path + ".unfinished")
            expect(try lock.lock())
            return (path, lock)
        case .absentStore:
            try await owner.close()
            try OrderedSessionStorage.remove(
                StorageConfiguration(location: fixture.location), engine: fixture.subject.engine)
        }
        return (path, nil)
    }

    /// Makes a backup, and saves to it.
    private func use(_ path: String, _ fixture: ReaderFixture) async throws {
        _ = try backUp(fixture, to: path)
        let used = try OrderedSessionStorage(
            opening: StorageConfiguration(location: path), engine: fixture.subject.engine)
        _ = try await used.save(Sample.step(2))
        try await used.close()
        expect(try StoreBackup.found(at: path) == nil)
    }

    @Test(
        "A place that is none is refused and stays as it is", arguments: Subject.all, Place.allCases
    )
    func refused(subject: Subject, place: Place) async throws {
        let fixture = try ReaderFixture(subject)
        let owner = try fixture.own()
        _ = try await owner.save(Sample.step(1))
        let (path, lock) = try await prepare(place, fixture, owner)
        let before = try Tree(fixture.folder.path)
        let error = await error { _ = try backUp(fixture, to: path) }
        let codes: [Place: StorageError.Code] = [.lockedDraft: .locked, .absentStore: .notFound]
        expect(error?.code, is: codes[place, default: .unsafeLocation], "\(error as Any)")
        expect(try Tree(fixture.folder.path) == before)
        if [.ownFile, .ownFileInside, .ownLink].contains(place) {
            expect(error?.message.contains("notes.txt' is no file of the backup"), is: true)
            expect(try StoreBackup.found(at: path) != nil)
            expect(await errorCode { try StoreBackup.remove(at: path) } == .unsafeLocation)
            expect(try Tree(fixture.folder.path) == before)
        }
        lock?.unlock()
        if place != .absentStore { try await owner.close() }
    }

    @Test("What a killed backup left is begun again", arguments: Subject.all)
    func unfinished(subject: Subject) async throws {
        let fixture = try ReaderFixture(subject)
        let owner = try fixture.own()
        _ = try await owner.save(Sample.step(1))
        let path = fixture.folder.file("backup")
        for name in ["backup.unfinished", "regular/junk", "store.json"] {
            let file = "\(path).unfinished/\(name)"
            try FileSystem.makeDirectories(
                String(file.prefix(upTo: file.lastIndex(of: "/") ?? file.endIndex)))
            try FileSystem.replace(file, with: [7])
        }
        // Killed after the one before was put aside.
        try FileSystem.makeDirectory(path + ".replaced")
        _ = try backUp(fixture, to: path)
        expect(try await steps(subject, in: path) == 1)
        expect(try !FileSystem.exists(path + "/regular/junk"))
        expect(try !FileSystem.exists(path + ".unfinished"))
        expect(try !FileSystem.exists(path + ".replaced"))
        try await owner.close()
    }

    @Test("A backup in which a file is missing or cut is none, and a new one replaces it")
    func damaged() async throws {
        let fixture = try ReaderFixture(Subject.all[0])
        let owner = try fixture.own()
        _ = try await owner.save(Sample.step(1))
        let path = fixture.folder.file("backup")
        for cut in [false, true] {
            let one = try backUp(fixture, to: path)
            expect(try StoreBackup.damage(at: path) == nil)
            if cut {
                try FileSystem.replace(path + "/store-copy.json", with: [1])
            } else {
                try FileSystem.remove(path + "/store-copy.json")
            }
            expect(try StoreBackup.found(at: path) == nil)
            let damage = try StoreBackup.damage(at: path)
            expect(damage?.hasPrefix("'store-copy.json' "), is: true)
            expect(try !StoreBackup.remove(at: path))
            expect(try backUp(fixture, to: path).digest == one.digest)
            expect(try StoreBackup.found(at: path) != nil)
        }
        try await owner.close()
    }

    #if os(Linux)
        @Test(
            "A full disk has no half backup, and another file system takes one",
            .enabled(if: SmallDisk.isPossible, "needs the right to mount"), arguments: Subject.all)
        func fullDisk(subject: Subject) async throws {
            let fixture = try ReaderFixture(subject)
            let owner = try fixture.own()
            for number in 1...30 { _ = try await owner.save(Sample.step(number)) }
            let before = try Tree(fixture.location)
            let disk = try SmallDisk(kibibytes: 32768)
            let path = disk.folder.file("backup")
            let one = try backUp(fixture, to: path)
            try disk.fill()
            let kept = try Tree(path)
            expect(await errorCode { _ = try backUp(fixture, to: path) } == .outOfSpace)
            expect(try Tree(path) == kept)
            expect(try StoreBackup.found(at: path) == one)
            expect(try FileSystem.contents(of: disk.path).sorted() == ["backup", "filler"])
            try disk.release()
            expect(try backUp(fixture, to: path).digest == one.digest)
            expect(try Tree(fixture.location) == before)
            try await owner.close()
        }
    #endif
}
