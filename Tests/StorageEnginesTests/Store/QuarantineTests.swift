import BrowserSessions
import DirectoryBackend
import Expectations
import Foundation
import StorageEngines
import TestSupport

/// How long damaged bytes are kept, and that they can be done away with.
@Suite("quarantine")
struct QuarantineTests {
    /// A store with a partition that was damaged and repaired.
    private func repaired() async throws -> TemporaryFolder {
        let folder = try await StorageBackend.directory.damagedStore()
        let store = try await StorageBackend.directory.open(folder)
        expect(try await store.check().quarantined.count == 1)
        try await store.close()
        return folder
    }

    /// The times of files say nothing: a copy of a store, or a clock that was wrong, has others.
    @Test(
        "it goes after thirty days that the store has counted, and the report says so")
    func aging() async throws {
        let folder = try await repaired()
        let items = folder.file("profile/quarantine")
        let name = try require(try FileSystem.contents(of: items).first { $0 != "ages" })
        let then = time(nil) - 400 * 24 * 3600
        let times = [timespec(tv_sec: then, tv_nsec: 0), timespec(tv_sec: then, tv_nsec: 0)]
        expect(utimensat(AT_FDCWD, "\(items)/\(name)", times, 0), is: 0)
        for (days, isKept) in [(27, true), (29, false)] {
            // The last opening was 400 days ago by the clock, which counts as two.
            let text = "count \(days * 24 * 3600)\nseen \(then)\n0 \(name)\n"
            try FileSystem.replace("\(items)/ages", with: [UInt8](text.utf8))
            let store = try await StorageBackend.directory.open(folder)
            let report = try await store.check()
            expect(report.quarantined.isEmpty, is: !isKept)
            expect(report.notes.contains { $0.contains("30 days have passed") }, is: !isKept)
            try await store.close()
        }
    }

    /// What lies there as a key may be anything, of any size.
    @Test("what is no key of ours is removed, not overwritten")
    func strangeKeys() async throws {
        let folder = TemporaryFolder()
        let store = try await StorageBackend.directory.open(folder)
        let item = folder.file("profile/quarantine/item")
        try FileManager.default.createDirectory(
            atPath: item, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: item + "/large.key"))
        try FileHandle(forWritingTo: URL(filePath: item + "/large.key")).truncate(atOffset: 1 << 40)
        let other = folder.file("other")
        try Data([1, 2, 3]).write(to: URL(filePath: other))
        try FileManager.default.linkItem(atPath: other, toPath: item + "/linked.key")
        try await store.erase(.quarantine)
        expect(try FileSystem.contents(of: folder.file("profile/quarantine")) == [])
        expect(try FileSystem.read(other) == [1, 2, 3])
        try await store.close()
    }
}
