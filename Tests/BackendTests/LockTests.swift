import BrowserSessions
import Foundation
import TestSupport
import Testing

@Suite("one writer")
struct LockTests {
    @Test("a second opener in the process is told who has the store", arguments: Subject.all)
    func sameProcess(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 3))
        let before = try Tree(folder.path)
        for _ in 1...2 {
            let error = await error { _ = try await subject.open(folder) }
            #expect(error?.code == .locked)
            #expect(error?.message.contains("process \(getpid())") == true)
        }
        #expect(try Tree(folder.path) == before)
        _ = try await store.save(Sample.window(tabs: 4))
        #expect(try await store.restore(Sample.window)?.tabs.count == 4)
        try await store.close()
        let again = try await subject.open(folder)
        #expect(try await again.restore(Sample.window)?.tabs.count == 4)
        try await again.close()
    }

    @Test("a store that another process has is not touched", arguments: Subject.all)
    func otherProcess(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 3))
        try await store.close()
        let before = try Tree(folder.path)
        let holder = try LockHolder(folder.file("profile/lock"))
        #expect(await errorCode { _ = try await subject.open(folder) } == .locked)
        #expect(try Tree(folder.path) == before)
        holder.release()
        let again = try await subject.open(folder)
        #expect(try await again.restore(Sample.window)?.tabs.count == 3)
        try await again.close()
    }

    @Test("an open store is locked for other processes, a closed one is not")
    func seenFromOutside() async throws {
        for subject in Subject.all {
            let folder = TemporaryFolder()
            let lock = folder.file("profile/lock")
            let store = try await subject.open(folder)
            // Another descriptor of the same file must not release the lock when it closes.
            _ = try FileSystem.read(lock)
            #expect(try !LockHolder.canLock(lock))
            try await store.close()
            #expect(try LockHolder.canLock(lock))
        }
    }

    @Test("a copy of the descriptor, as a starting process has, does not keep the lock")
    func releasedDespiteCopies() throws {
        let folder = TemporaryFolder()
        let file = folder.file("lock")
        let holder = try FileDescriptor(opening: file, O_RDWR | O_CREAT)
        #expect(try holder.lock())
        let copy = dup(holder.raw)
        defer { close(copy) }
        let other = try FileDescriptor(opening: file, O_RDWR)
        #expect(try !other.lock())
        holder.unlock()
        #expect(try other.lock())
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
            #expect(error?.message.contains("process \(getpid())") == true)
            try await again.close()
        }
    }
}

/// Another process that has the lock of a file.
private final class LockHolder {
    private let process = Process()
    private let input = Pipe()

    /// Returns when the process has the lock.
    init(_ file: String) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "exec 9<>\"$0\"; flock -n 9 && echo held; read line", file]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let answer = output.fileHandleForReading.availableData
        #expect(String(decoding: answer, as: UTF8.self) == "held\n")
    }

    func release() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    static func canLock(_ file: String) throws -> Bool {
        let process = try Process.run(
            URL(fileURLWithPath: "/bin/sh"),
            arguments: ["-c", "exec 9<>\"$0\"; flock -n 9", file])
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
