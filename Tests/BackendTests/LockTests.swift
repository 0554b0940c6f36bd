import BrowserSessions
import Expectations
import Foundation
import LocalFiles
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

    @Test("what a killed process left in the lock file means nothing", arguments: Subject.all)
    func staleLock(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        try await store.close()
        let lock = folder.file("profile/lock")
        for text in ["process 1\n", "", String(repeating: "x", count: 5000), "\u{0}\u{FF}"] {
            try FileSystem.overwrite(lock, with: [UInt8](text.utf8))
            let again = try await subject.open(folder)
            let error = await error { _ = try await subject.open(folder) }
            expect(error?.message.contains("process \(getpid())"), is: true)
            try await again.close()
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
            let store = try await Subject.all[0].open(folder)
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
