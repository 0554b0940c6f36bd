import BrowserSessions
import DirectoryBackend
import Expectations
import Foundation
import StorageEngines
import TestSupport

/// Stores that are opened for reading only.
struct ReadOnlyTests {
    static let readOnly: [String: OptionValue] = ["access": .text("readOnly")]

    func open(_ folder: TemporaryFolder) async throws -> any SessionStorage {
        try await StorageBackend.directory.open(folder, options: Self.readOnly)
    }

    /// A store with both partitions and its key in a file.
    func fill(_ folder: TemporaryFolder) async throws -> any SessionStorage {
        let store = try await StorageBackend.directory.open(folder)
        _ = try await store.save(Sample.window(tabs: 5))
        _ = try await store.save(Sample.window(tabs: 1, id: Sample.incognito))
        return store
    }

    static let temporary = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"

    @Test("what is read is a copy that goes with its reader")
    func copies() async throws {
        let folder = TemporaryFolder()
        try await fill(folder).close()
        // By this the copy is known from those of other tests.
        let mark = "incognito.\(UUID().uuidString)"
        try FileSystem.replace(folder.file("profile/\(mark)"), with: [])
        func copies() throws -> [String] {
            try FileSystem.contents(of: Self.temporary)
                .filter { $0.hasPrefix("browser-sessions-read-") }
                .map { "\(Self.temporary)/\($0)" }
                .filter { (try? FileSystem.exists("\($0)/\(mark)")) == true }
        }
        let reader = try await open(folder)
        let copy = try require(try copies().first)
        expect(try copies().count == 1)
        expect(try FileSystem.status(copy)?.permissions == 0o700)
        // The key stays where it is.
        expect(try !FileSystem.exists("\(copy)/incognito.key"))
        expect(try FileSystem.exists(folder.file("profile/incognito.key")))
        try await reader.close()
        expect(try copies() == [])
    }

    #if os(Linux)
        @Test(
            "a medium that can only be read is enough",
            .enabled(if: SmallDisk.isPossible, "needs the right to mount"))
        func medium() async throws {
            let disk = try SmallDisk(kibibytes: 4096)
            let store = try await fill(disk.folder)
            let expected = try await store.restore([Sample.window, Sample.incognito])
            try await store.close()
            try disk.setReadOnly(true)
            expect(
                await errorCode { try await StorageBackend.directory.open(disk.folder).close() }
                    == .permissionDenied
            )
            let reader = try await open(disk.folder)
            expect(try await reader.restore([Sample.window, Sample.incognito]) == expected)
            try await reader.close()
            try disk.setReadOnly(false)
        }
    #endif
}
