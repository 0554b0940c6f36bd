import CDisk
import ChildProcesses
import Expectations
import Foundation
import TestSupport

@testable import StorageConformance

/// What a process does to files is written down, and ended or failed where it was asked to be.
@Suite("A watched process", .enabled(if: disk_is_watchable() == 1, "needs glibc"))
struct DiskTraceTests {
    @Test("everything that it does is written down in its order")
    func order() async throws {
        await #expect(processExitsWith: .success) {
            let watched = try Watched()
            let folder = watched.path
            let file = open("\(folder)/a", O_CREAT | O_RDWR, 0o600)
            write(file, "hello", 5)
            pwrite(file, "j", 1, 0)
            disk_note(SaveNote.begun(7).code)
            fdatasync(file)
            ftruncate(file, 3)
            rename("\(folder)/a", "\(folder)/b")
            link("\(folder)/b", "\(folder)/c")
            unlink("\(folder)/b")
            let directory = open(folder, O_RDONLY | O_DIRECTORY)
            fsync(directory)
            write(watched.other, "not here", 8)
            let trace = try watched.trace()
            let words = trace.actions.map { action in
                switch action {
                case .makeDirectory(let path, _): "directory \(path)"
                case .create(let path, _): "create \(path)"
                case .write(_, let offset, let bytes):
                    "write \(offset) \(String(decoding: bytes, as: UTF8.self))"
                case .truncate(_, let length): "truncate \(length)"
                case .rename(let path, let other, _): "rename \(path) \(other)"
                case .link(let path, let other, _): "link \(path) \(other)"
                case .unlink(let path): "unlink \(path)"
                case .sync(_, let isOfData, let isDone): "sync \(isOfData) \(isDone)"
                case .syncDirectory(let path, let isDone): "names \(path) \(isDone)"
                case .note(let note): "note \(note)"
                default: "\(action)"
                }
            }
            expect(
                words,
                is: [
                    "directory s", "create s/a", "write 0 hello", "write 0 j", "note begun(7)",
                    "sync true true", "truncate 3", "rename s/a s/b", "link s/b s/c", "unlink s/b",
                    "names s true",
                ])
            expect(trace.escapes.isEmpty)
        }
    }

    @Test("what Foundation writes is recorded, and a shared mapping is reported")
    func foundation() async throws {
        await #expect(processExitsWith: .success) {
            let watched = try Watched()
            let url = URL(filePath: "\(watched.path)/atomic")
            try Data("whole".utf8).write(to: url, options: .atomic)
            let trace = try watched.trace()
            var disk = SimulatedDisk(.ordered)
            for action in trace.actions { disk.apply(action) }
            let image = disk.image(after: .everything)
            expect(image.files.map(\.path), is: ["s/atomic"])
            expect(image.files.first?.bytes, is: Array("whole".utf8))
            let file = open(url.path, O_RDWR)
            mmap(nil, 5, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
            expect(try watched.trace().escapes == ["a shared mapping that can be written"])
        }
    }

    @Test("what was done past the C library of the process is found by looking")
    func unseen() async throws {
        await #expect(processExitsWith: .success) {
            let watched = try Watched()
            let file = open("\(watched.path)/a", O_CREAT | O_RDWR, 0o600)
            write(file, "seen", 4)
            expect(try watched.difference() == nil)
            try RunningProgram(["/bin/sh", "-c", "printf more >>'\(watched.path)/a'"]).end()
            expect(try watched.difference() == "a")
        }
    }

    @Test("a descriptor that writes synchronously syncs what it writes")
    func synchronous() async throws {
        await #expect(processExitsWith: .success) {
            let watched = try Watched()
            let file = open("\(watched.path)/a", O_CREAT | O_RDWR | O_DSYNC, 0o600)
            pwrite(file, "abc", 3, 10)
            let last = try require(try watched.trace().actions.last)
            guard case .syncRange(_, 10..<13) = last else { fatalError("\(last)") }
        }
    }

    @Test("a stream is not followed, and one that is synced cannot be")
    func streams() async throws {
        await #expect(processExitsWith: .success) {
            let watched = try Watched()
            let stream = try require(fopen("\(watched.path)/log", "w"))
            fputs("a line", stream)
            fflush(stream)
            expect(try watched.difference() == nil)
            expect(try watched.trace().escapes.isEmpty)
            fsync(fileno(stream))
            expect(try watched.trace().escapes == ["a stream of the C library that is synced"])
        }
    }

    @Test("a stream that also writes is one, a path may be given a length, and space is length")
    func lengths() async throws {
        await #expect(processExitsWith: .success) {
            let watched = try Watched()
            let path = "\(watched.path)/a"
            let file = open(path, O_CREAT | O_RDWR, 0o600)
            expect(posix_fallocate(file, 0, 10), is: 0)
            expect(truncate(path, 4), is: 0)
            expect(truncate("\(watched.path)/none", 4), is: -1)
            let lengths = try watched.trace().actions.compactMap { action in
                if case .truncate(_, let length) = action { length } else { nil }
            }
            expect(lengths, is: [10, 4])
            let stream = try require(fopen(path, "r+"))
            fputs("past the trace", stream)
            fflush(stream)
            expect(try watched.difference() == nil)
            guard case .stream = try watched.trace().actions.last else {
                fatalError("the stream was not seen")
            }
        }
    }

    @Test("it is killed before or within an operation")
    func killed() async throws {
        for effect in [DISK_KILL_BEFORE, DISK_KILL_WITHIN] {
            let folder = TemporaryFolder()
            let name = folder.file("s")
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [name = name as String, effect = effect.rawValue as UInt32] in
                let watched = try Watched(name)
                disk_inject(1 << DISK_WRITE.rawValue, 2, disk_effect(rawValue: effect), 0, 0)
                let file = open("\(watched.path)/a", O_CREAT | O_RDWR, 0o600)
                for _ in 1...3 { write(file, "abcd", 4) }
            }
            let bytes = try Data(contentsOf: URL(filePath: "\(name)/a"))
            expect(
                String(decoding: bytes, as: UTF8.self),
                is: (effect == DISK_KILL_BEFORE ? "abcd" : "abcdab"))
        }
    }

    @Test("its calls fail where they are asked to, once or for ever")
    func failed() async throws {
        await #expect(processExitsWith: .success) {
            let watched = try Watched()
            let file = open("\(watched.path)/a", O_CREAT | O_RDWR, 0o600)
            disk_inject(1 << DISK_SYNC.rawValue, 2, DISK_FAIL, EIO, 0)
            expect([0, 1, 2].map { _ in fsync(file) }, is: [0, -1, 0])
            disk_inject(1 << DISK_SYNC.rawValue, 2, DISK_FAIL, EIO, 1)
            expect([0, 1, 2].map { _ in fsync(file) }, is: [0, -1, -1])
            expect(errno, is: EIO)
            expect(disk_injected_count(), is: 3)
            disk_inject(1 << DISK_WRITE.rawValue, 1, DISK_SHORTEN, 0, 0)
            expect(write(file, "abcdef", 6), is: 3)
            disk_inject(1 << DISK_LOOK.rawValue, 1, DISK_FAIL, EACCES, 1)
            expect(opendir(watched.path) == nil)
            expect(access("\(watched.path)/a", F_OK), is: -1)
            // Neighbors come and go there; what they leave is no look at this store.
            let parent = opendir(URL(filePath: watched.path).deletingLastPathComponent().path)
            expect(readdir(try require(parent)) != nil)
            expect(disk_injected_count(), is: 2)
            var byte: UInt8 = 0
            disk_inject(1 << DISK_READ.rawValue, 2, DISK_FAIL, EIO, 1)
            expect(pread(file, &byte, 1, 0), is: 1)
            expect(pread(file, &byte, 1, 0) == -1 && errno == EIO)
            expect(read(file, &byte, 1), is: -1)
        }
    }
}

/// A watched path in a new folder, in this process.
private struct Watched {
    let path: String
    private let log: String
    /// A file that is not watched.
    let other: Int32

    init(_ path: String? = nil) throws {
        let folder = path.map { URL(filePath: $0).deletingLastPathComponent().path }
        let place = folder ?? FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        self.path = path ?? "\(place)/s"
        log = "\(place)/log"
        other = open("\(place)/other", O_CREAT | O_RDWR, 0o600)
        let file = open(log, O_CREAT | O_RDWR | O_APPEND, 0o600)
        expect(disk_watch(self.path, file), is: 0)
        expect(mkdir(self.path, 0o700), is: 0)
    }

    /// A file that is not as the trace says.
    func difference() throws -> String? {
        var disk = SimulatedDisk(.ordered)
        for action in try trace().actions { disk.apply(action) }
        return try disk.image(after: .kill).difference(from: String(path.dropLast("/s".count)), "s")
    }

    func trace() throws -> DiskTrace {
        try DiskTrace(reading: [UInt8](Data(contentsOf: URL(filePath: log))))
    }
}
