import BrowserSessions
import DirectoryBackend
import Expectations
import StorageConformance
import StorageEngines
import TestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file may be large and take no space: a copy of it takes none either.
@Suite("Copies of files with holes")
struct SparseCopyTests {
    private let folder = TemporaryFolder()
    /// More than there is space or time for.
    private static let large = 1 << 40

    /// How many bytes of the disk a file takes.
    private func space(_ path: String) throws -> Int {
        var status = stat()
        try require(lstat(path, &status) == 0)
        return Int(status.st_blocks) * 512
    }

    @Test("a copy has the same bytes and the same holes")
    func holes() throws {
        let directory = try PosixDirectory(opening: folder.path)
        let file = try directory.open("file", mode: .new)
        try file.write([1, 2, 3])
        try directory.open("file", mode: .append).truncate(to: 1 << 30)
        try directory.open("file", mode: .append).write([4, 5, 6])
        try directory.open("file", mode: .append).truncate(to: Self.large)
        expect(try directory.writtenBytes(of: "file") < 1 << 20)
        try directory.copy("file", to: "copy", in: directory)
        let copy = try directory.open("copy", mode: .read)
        expect(try copy.size() == Self.large)
        expect(try copy.read(4, at: 0) == [1, 2, 3, 0])
        expect(try copy.read(4, at: 1 << 30) == [4, 5, 6, 0])
        expect(try space(folder.file("copy")) < 1 << 20)
        let empty = try directory.open("empty", mode: .new)
        expect(try directory.writtenBytes(of: "empty") == 0)
        try directory.copy("empty", to: "empty copy", in: directory)
        expect(try directory.open("empty copy", mode: .read).size() == 0)
        _ = empty
    }

    @Test("a store with a large hole can be looked at")
    func look() throws {
        let path = folder.file("profile")
        try OrderedSessionStorage(
            opening: StorageConfiguration(location: path), engine: DirectoryEngine()
        ).closeBlocking()
        // A name of the store that no engine reads.
        let store = try PosixDirectory(opening: path)
        _ = try store.open("regular.hole", mode: .new)
        try store.open("regular.hole", mode: .append).truncate(to: Self.large)
        let look = try OrderedSessionStorage(
            opening: StorageConfiguration(
                location: path, options: ["access": .text("readOnly")]),
            engine: DirectoryEngine())
        expect(try look.sessionsBlocking() == [])
        try look.closeBlocking()
    }

    /// A disk that is nearly full.
    private struct FullDisk: LocalFileSystem {
        final class Directory: FileDirectoryDecorator {
            let base: any FileDirectory
            init(_ base: any FileDirectory) { self.base = base }
            var freeBytes: Int { 10 }
        }

        let base = SimulatedFileSystem(.ordered)
        var user: UInt32 { base.user }

        func status(of path: String) throws(StorageError) -> FileStatus? {
            try base.status(of: path)
        }

        func directory(at path: String) throws(StorageError) -> any FileDirectory {
            Directory(try base.directory(at: path))
        }

        func makeDirectories(_ path: String) throws(StorageError) {
            try base.makeDirectories(path)
        }

        func requireAccess(to path: String) {}
    }

    @Test("a copy for which there is no space is not begun")
    func space() throws {
        let disk = FullDisk()
        let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        try disk.makeDirectories(temporary)
        try OrderedSessionStorage(
            opening: StorageConfiguration(location: "/profile"), engine: DirectoryEngine(),
            on: disk
        ).closeBlocking()
        let before = try disk.directory(at: temporary).names()
        let error = expect(throws: StorageError.self) {
            try OrderedSessionStorage(
                opening: StorageConfiguration(
                    location: "/profile", options: ["access": .text("readOnly")]),
                engine: DirectoryEngine(), on: disk)
        }
        expect(error?.code, is: .outOfSpace)
        expect(error?.message.contains("space for 10"), is: true)
        expect(error?.message.contains("TMPDIR"), is: true)
        expect(try disk.directory(at: temporary).names() == before)
    }
}
