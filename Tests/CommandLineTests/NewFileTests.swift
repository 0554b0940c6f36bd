import BrowserSessions
import CommandLineSupport
import Expectations
import Foundation
import StorageEngines
import TestSupport

struct NewFileTests {
    let folder = TemporaryFolder()

    @Test func aFileIsThereWhenItIsWhole() throws {
        let path = folder.file("out")
        do { try NewFile(path).write([1]) }
        expect(try FileSystem.contents(of: folder.path) == [])
        let file = try NewFile(path)
        try file.write([1, 2])
        try file.write([3])
        expect(try !FileSystem.exists(path))
        try file.finish()
        expect(try FileSystem.read(path) == [1, 2, 3])
        expect(file.bytes, is: 3)
        expect(try FileSystem.status(path)?.permissions == 0o600)
        expect(try FileSystem.contents(of: folder.path) == ["out"])
    }

    @Test func whatIsThereStays() throws {
        let path = folder.file("precious")
        try FileSystem.replace(path, with: [7])
        var error = expect(throws: StorageError.self) { _ = try NewFile(path) }
        expect(error?.code, is: .unsafeLocation)
        expect(error?.message.contains("'\(path)' is there already"), is: true)
        let link = folder.file("link")
        try require(symlink("nowhere", link) == 0)
        expect(throws: StorageError.self) { _ = try NewFile(link) }
        // Also if somebody puts it there meanwhile.
        let late = folder.file("late")
        let file = try NewFile(late)
        try file.write([1])
        try FileSystem.replace(late, with: [8])
        error = expect(throws: StorageError.self) { try file.finish() }
        expect(error?.code, is: .unsafeLocation)
        expect(try FileSystem.read(late) == [8])
        expect(try FileSystem.read(path) == [7])
    }

    @Test func longNamesAndFoldersThatAreNotThere() throws {
        let long = folder.file(String(repeating: "n", count: 255))
        let file = try NewFile(long)
        try file.finish()
        expect(try FileSystem.read(long) == [])
        let error = expect(throws: StorageError.self) { _ = try NewFile(folder.file("no/out")) }
        expect(error?.code, is: .notFound)
        expect(error?.message.contains(folder.file("no/out")), is: true)
    }

    @Test func namesAreBytes() throws {
        // Ten characters, and 250 bytes of the 255 that a name may have.
        let name = String(repeating: "👨‍👩‍👧‍👦", count: 10)
        try require(name.utf8.count == 250)
        let file = try NewFile(folder.file(name))
        try file.write([1])
        let draft = try require(try FileSystem.contents(of: folder.path).first)
        expect(draft.hasPrefix("👨‍👩‍👧‍👦") && draft.contains(".part-"))
        expect((248...255).contains(draft.utf8.count))
        try file.finish()
        expect(try FileSystem.contents(of: folder.path) == [name])
    }

    @Test func aFolderIsThereWhenItIsWhole() throws {
        let path = folder.file("out")
        do {
            let new = try NewFolder(path)
            try new.write([1], to: "a")
            expect(try !FileSystem.exists(path))
        }
        expect(try FileSystem.contents(of: folder.path) == [])
        let new = try NewFolder(path)
        for name in ["a", "deep/down/b", "deep/c"] { try new.write([1, 2], to: name) }
        expect(throws: StorageError.self) { try new.write([3], to: "deep/c") }
        expect(try !FileSystem.exists(path))
        try new.finish()
        expect(new.bytes, is: 6)
        expect(try FileSystem.contents(of: path) == ["a", "deep"])
        expect(try FileSystem.contents(of: path + "/deep") == ["c", "down"])
        expect(try FileSystem.read(path + "/deep/down/b") == [1, 2])
        expect(try FileSystem.read(path + "/deep/c") == [1, 2])
        expect(try FileSystem.status(path + "/deep/c")?.permissions == 0o600)
        expect(try FileSystem.contents(of: folder.path) == ["out"])
    }

    #if os(Linux)
        @Test func devicesAreWrittenTo() throws {
            let file = try NewFile("/dev/null")
            try file.write([1])
            try file.finish()
            let full = try NewFile("/dev/full")
            expect(expect(throws: StorageError.self) { try full.write([1]) }?.code, is: .outOfSpace)
        }

        @Test(
            "On a full disk nothing half written is left",
            .enabled(if: SmallDisk.isPossible, "needs the right to mount"))
        func fullDisk() throws {
            let disk = try SmallDisk(kibibytes: 256)
            do {
                let file = try NewFile(disk.folder.file("out"))
                let error = expect(throws: StorageError.self) {
                    for _ in 0..<100 { try file.write([UInt8](repeating: 1, count: 8192)) }
                    try file.finish()
                }
                expect(error?.code, is: .outOfSpace)
                expect(error?.message.contains(disk.folder.file("out")), is: true)
            }
            expect(try FileSystem.contents(of: disk.path) == [])
        }
    #endif
}
