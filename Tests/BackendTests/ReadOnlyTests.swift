import BrowserSessions
import Expectations
import Foundation
import LocalFiles
import StorageEngines
import TestSupport

/// Stores that are opened for reading only.
struct ReadOnlyTests {
    static let readOnly: [String: OptionValue] = ["access": .text("readOnly")]

    struct Entry: Equatable {
        /// `nil` for a folder.
        var bytes: [UInt8]?
        var permissions: UInt32?
    }

    /// What is in a folder, with bytes and rights.
    func picture(_ path: String) throws -> [String: Entry] {
        var found: [String: Entry] = [:]
        for name in try FileSystem.contents(of: path) {
            let file = "\(path)/\(name)"
            let status = try FileSystem.status(file)
            found[name] = Entry(permissions: status?.permissions)
            if status?.kind == .directory {
                for (inner, entry) in try picture(file) { found["\(name)/\(inner)"] = entry }
            } else {
                found[name]?.bytes = try FileSystem.read(file)
            }
        }
        return found
    }

    func open(_ subject: Subject, _ folder: TemporaryFolder) async throws -> any SessionStorage {
        try await subject.open(folder, options: Self.readOnly)
    }

    /// A store with both partitions and its key in a file.
    func fill(_ subject: Subject, _ folder: TemporaryFolder) async throws -> any SessionStorage {
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 5))
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "private"), for: Sample.incognito)
        _ = try await store.save(changes)
        return store
    }

    @Test("nothing is changed, the lock included", arguments: Subject.all, [true, false])
    func untouched(subject: Subject, isClosed: Bool) async throws {
        let folder = TemporaryFolder()
        let store = try await fill(subject, folder)
        let expected = try await store.restore([Sample.window, Sample.incognito])
        let killed = TemporaryFolder()
        if !isClosed {
            try FileSystem.copy(folder.file("profile"), to: killed.file("profile"))
        }
        try await store.close()
        let place = isClosed ? folder : killed
        let before = try picture(place.path)
        let reader = try await open(subject, place)
        expect(try await reader.restore([Sample.window, Sample.incognito]) == expected)
        expect(try await reader.check().losses == [])
        // Others may have it meanwhile.
        let other = try await open(subject, place)
        expect(try await other.sessions().count == 2)
        try await other.close()
        try await reader.close()
        expect(try picture(place.path) == before)
    }

    @Test("a store in use is locked for readers, too", arguments: Subject.all)
    func locked(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await fill(subject, folder)
        let error = await error { _ = try await open(subject, folder) }
        expect(error?.code, is: .locked)
        expect(error?.message.contains("process \(getpid())"), is: true)
        try await store.close()
        try await open(subject, folder).close()
    }

    /// What may have become of the regular files.
    enum Harm: CaseIterable { case empty, changed }

    @Test("damage is reported and left as it is", arguments: Subject.all, Harm.allCases)
    func damaged(subject: Subject, harm: Harm) async throws {
        let folder = TemporaryFolder()
        try await fill(subject, folder).close()
        switch harm {
        case .empty:
            try FileSystem.remove(folder.file("profile/regular"))
            try FileSystem.makeDirectory(folder.file("profile/regular"))
        case .changed:
            let count = try subject.tamper(folder.file("profile/regular")) { key, value in
                key.isTabKey && key.suffix(1) == [3] ? .replace(value.flipped) : .keep
            }
            try #require(count == 1)
        }
        let before = try picture(folder.path)
        let reader = try await open(subject, folder)
        expect(try await !reader.check().losses.isEmpty)
        expect(await errorCode { _ = try await reader.repair() } == .permissionDenied)
        try await reader.close()
        expect(try picture(folder.path) == before)
    }

    static let temporary = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"

    @Test("what is read is a copy that goes with its reader", arguments: Subject.all)
    func copies(subject: Subject) async throws {
        let folder = TemporaryFolder()
        try await fill(subject, folder).close()
        // By this the copy is known from those of other tests.
        let mark = "incognito.\(UUID().uuidString)"
        try FileSystem.replace(folder.file("profile/\(mark)"), with: [])
        func copies() throws -> [String] {
            try FileSystem.contents(of: Self.temporary)
                .filter { $0.hasPrefix("browser-sessions-read-") }
                .map { "\(Self.temporary)/\($0)" }
                .filter { (try? FileSystem.exists("\($0)/\(mark)")) == true }
        }
        let reader = try await open(subject, folder)
        let copy = try #require(try copies().first)
        expect(try copies().count == 1)
        expect(try FileSystem.status(copy)?.permissions == 0o700)
        // The key stays where it is.
        expect(try !FileSystem.exists("\(copy)/incognito.key"))
        expect(try FileSystem.exists(folder.file("profile/incognito.key")))
        try await reader.close()
        expect(try copies() == [])
    }

    @Test("what killed readers left is swept, and nothing else")
    func sweeping() async throws {
        let fixture = try ReaderFixture(#require(Subject.all.first))
        let owner = try fixture.own()
        _ = try await owner.save(Sample.step(1))
        try await owner.close()
        func leave(_ name: String) throws -> String {
            let path = "\(fixture.temporary)/browser-sessions-\(name)"
            try FileSystem.makeDirectory(path)
            try FileSystem.replace("\(path)/regular.closed", with: [1])
            return path
        }
        let (other, used) = (try leave("other"), try leave("read-used"))
        let left = try leave("read-left")
        let lock = try PosixDirectory(opening: used)
        try #require(try lock.lock())
        try await fixture.read().close()
        expect(try !FileSystem.exists(left))
        expect(try FileSystem.exists(other) && FileSystem.exists(used))
        expect(try fixture.copies().count == 2)
        lock.unlock()
    }

    #if os(Linux)
        @Test(
            "a medium that can only be read is enough",
            .enabled(if: SmallDisk.isPossible, "needs the right to mount"), arguments: Subject.all)
        func medium(subject: Subject) async throws {
            let disk = try SmallDisk(kibibytes: 4096)
            let store = try await fill(subject, disk.folder)
            let expected = try await store.restore([Sample.window, Sample.incognito])
            try await store.close()
            try disk.setReadOnly(true)
            expect(
                await errorCode { try await subject.open(disk.folder).close() } == .permissionDenied
            )
            let reader = try await open(subject, disk.folder)
            expect(try await reader.restore([Sample.window, Sample.incognito]) == expected)
            try await reader.close()
            try disk.setReadOnly(false)
        }

        @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount"))
        func aDiskCanOnlyBeReadThoughAFileIsOpenForWriting() throws {
            let disk = try SmallDisk(kibibytes: 64)
            let file = try PosixFile(
                opening: disk.folder.file("open"), flags: O_WRONLY | O_CREAT)
            try disk.setReadOnly(true)
            #expect(throws: StorageError.self) {
                try FileSystem.replace(disk.folder.file("new"), with: [1])
            }
            try disk.setReadOnly(false)
            try FileSystem.replace(disk.folder.file("new"), with: [1])
            try file.write([2])
            expect(try FileSystem.read(disk.folder.file("open")) == [2])
        }
    #endif
}
