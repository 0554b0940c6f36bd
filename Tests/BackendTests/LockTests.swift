import BrowserSessions
import Expectations
import Foundation
import LocalFiles
import StorageEngines
import TestSupport

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
}
