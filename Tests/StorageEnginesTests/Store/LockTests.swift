import BrowserSessions
import DirectoryBackend
import Expectations
import Foundation
import StorageConformance
import TestSupport

@testable import StorageEngines

/// What the conformance suite does not ask of the lock (CONCURRENCY-3, -4, -6 and -7).
@Suite("one writer")
struct LockTests {
    @Test("a copy of the descriptor, as a starting process has, does not keep the lock")
    func releasedDespiteCopies() throws {
        let folder = TemporaryFolder()
        let file = folder.file("lock")
        let holder = try PosixFile(opening: file, flags: O_RDWR | O_CREAT)
        expect(try holder.lock())
        let copy = dup(holder.raw)
        defer { close(copy) }
        let other = try PosixFile(opening: file, flags: O_RDWR)
        expect(try !other.lock())
        holder.unlock()
        expect(try other.lock())
    }

    @Test("what a killed process left in the lock file means nothing")
    func staleLock() async throws {
        let folder = TemporaryFolder()
        let store = try await StorageBackend.directory.open(folder)
        try await store.close()
        let lock = folder.file("profile/lock")
        // A changed digit can name a thread of this process, which has the same descriptors.
        let threads =
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let thread = threads.first { $0 != "\(getpid())" } ?? "1"
        let own = try String(contentsOfFile: lock, encoding: .utf8)
        let ofThread = own.replacing("/proc/\(getpid())/", with: "/proc/\(thread)/")
        for text in [
            "process 1\n", "", String(repeating: "x", count: 5000), "\u{0}\u{FF}", ofThread,
        ] {
            try LocationFiles.overwrite(lock, with: [UInt8](text.utf8))
            let again = try await StorageBackend.directory.open(folder)
            let error = await error { _ = try await StorageBackend.directory.open(folder) }
            expect(error?.message.contains("process \(getpid())"), is: true)
            try await again.close()
        }
    }

    @Test("a removed or replaced lock file lets no other process in")
    func lockFile() async throws {
        let folder = TemporaryFolder()
        let store = try await StorageBackend.directory.open(folder)
        let lock = folder.file("profile/lock")
        try FileSystem.remove(lock)
        expect(await errorCode { _ = try await StorageBackend.directory.open(folder) } == .locked)
        try LocationFiles.overwrite(lock, with: [1, 2, 3])
        expect(await errorCode { _ = try await StorageBackend.directory.open(folder) } == .locked)
        _ = try await store.save(Sample.window(tabs: 3))
        try await store.close()
        let again = try await StorageBackend.directory.open(folder)
        expect(try await again.restore(Sample.window)?.tabs.count == 3)
        // One that cannot be read may be another opener's.
        try FileSystem.remove(lock)
        try FileSystem.makeDirectories(lock)
        expect(await errorCode { _ = try await again.save(Sample.window(tabs: 4)) } == .fenced)
        try FileSystem.remove(lock)
        expect(await errorCode { try await again.close() } == .fenced)
    }

    @Test(
        "a store that is removed while it is open says so within sixteen saves")
    func removed() async throws {
        for part in ["profile", "profile/regular"] {
            let folder = TemporaryFolder()
            let store = try await StorageBackend.directory.open(folder)
            _ = try await store.save(Sample.window(tabs: 3))
            try FileSystem.remove(folder.file(part))
            // It looks after one in sixteen saves, and after each durable one.
            for _ in 1...15 {
                _ = try? await store.save(Sample.window(tabs: 4), durability: .processCrash)
            }
            for durability in [Durability.processCrash, .powerLoss] {
                let error = await error {
                    _ = try await store.save(Sample.window(tabs: 4), durability: durability)
                }
                expect(error?.code, is: .durabilityLost)
            }
            try? await store.close()
            let new = try await StorageBackend.directory.open(folder)
            _ = try await new.save(Sample.window(tabs: 5))
            expect(try await new.restore(Sample.window)?.tabs.count == 5)
            try await new.close()
        }
    }

    #if os(Linux)
        /// A directory that two file systems show, each with locks of its own.
        private final class ShownTwice: FileDirectoryDecorator {
            let base: any FileDirectory
            init(_ base: any FileDirectory) { self.base = base }
            func lock() -> Bool { true }
            func unlock() {}
        }

        @Test("an opener is refused if the process named in the lock file sees what it writes")
        func heldElsewhere() async throws {
            let folder = TemporaryFolder()
            let store = try await StorageBackend.directory.open(folder)
            let directory = ShownTwice(
                try PosixDirectory(opening: folder.file("profile")))
            let error = await error { _ = try StoreHolder(of: directory, token: 1) }
            expect(error?.code, is: .locked)
            _ = try await store.save(Sample.window(tabs: 3), durability: .powerLoss)
            expect(try FileSystem.exists(folder.file("profile/lock.new")), is: false)
            try FileSystem.copy(folder.file("profile"), to: folder.file("copy"))
            let copy = try PosixDirectory(opening: folder.file("copy"))
            _ = try StoreHolder(of: copy, token: 1)
            try await store.close()
            _ = try StoreHolder(of: directory, token: 1)
        }
    #endif
}
