import BrowserSessions
import DirectoryBackend
import Expectations
import Foundation
import StorageConformance
import StorageEngines
import TestSupport

/// Backups of a store that its owner has open.
struct BackupTests {
    private func backUp(_ fixture: ReaderFixture, to path: String) throws -> StoreBackup {
        try OrderedSessionStorage.backUp(
            StorageConfiguration(location: fixture.location), engine: fixture.engine,
            to: path, on: fixture.files)
    }

    @Test("Where another process makes a backup it is locked, and stays as it is")
    func locked() async throws {
        let fixture = try ReaderFixture(DirectoryEngine())
        let owner = try fixture.own()
        let draft = fixture.folder.file("backup.unfinished")
        try FileSystem.makeDirectory(draft)
        try FileSystem.replace(draft + "/backup.unfinished", with: [])
        let lock = try PosixDirectory(opening: draft)
        expect(try lock.lock())
        let path = fixture.folder.file("backup")
        expect(await errorCode { _ = try backUp(fixture, to: path) } == .locked)
        expect(try FileSystem.contents(of: draft) == ["backup.unfinished"])
        lock.unlock()
        try await owner.close()
    }

    @Test("A backup in which a file is missing or cut is none, and a new one replaces it")
    func damaged() async throws {
        let fixture = try ReaderFixture(DirectoryEngine())
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
            .enabled(if: SmallDisk.isPossible, "needs the right to mount"))
        func fullDisk() async throws {
            let fixture = try ReaderFixture(DirectoryEngine())
            let owner = try fixture.own()
            for number in 1...30 { _ = try await owner.save(Sample.step(number)) }
            let before = try LocationFiles(fixture.location)
            let disk = try SmallDisk(kibibytes: 32768)
            let path = disk.folder.file("backup")
            let one = try backUp(fixture, to: path)
            try disk.fill()
            let kept = try LocationFiles(path)
            expect(await errorCode { _ = try backUp(fixture, to: path) } == .outOfSpace)
            expect(try LocationFiles(path) == kept)
            expect(try StoreBackup.found(at: path) == one)
            expect(try FileSystem.contents(of: disk.path).sorted() == ["backup", "filler"])
            try disk.release()
            expect(try backUp(fixture, to: path).digest == one.digest)
            expect(try LocationFiles(fixture.location) == before)
            try await owner.close()
        }
    #endif
}
