import BrowserSessions
import Foundation
import LocalFiles
import TestSupport
import Testing

/// How long damaged bytes are kept, and that they can be done away with.
@Suite("quarantine")
struct QuarantineTests {
    /// A store whose side was damaged and repaired.
    private func repaired(_ subject: Subject) async throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        var store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 20))
        try await store.close()
        try FileSystem.invertFiles(below: folder.file("profile/regular"), first: 64)
        store = try await subject.open(folder)
        #expect(try await store.check().quarantined.count == 1)
        try await store.close()
        return folder
    }

    @Test("the report lists it at every opening, until it is purged", arguments: Subject.all)
    func purge(subject: Subject) async throws {
        let folder = try await repaired(subject)
        let store = try await subject.open(folder)
        let item = try #require(try await store.check().quarantined.first)
        #expect(try FileSystem.exists("\(item)/report.txt"))
        try await store.purgeQuarantine()
        #expect(try await store.check().quarantined == [])
        #expect(try FileSystem.contents(of: folder.file("profile/quarantine")) == [])
        try await store.close()
        let again = try await subject.open(folder)
        #expect(try await again.check().quarantined == [])
        try await again.close()
    }

    @Test("it goes after thirty days", arguments: Subject.all)
    func aging(subject: Subject) async throws {
        let folder = try await repaired(subject)
        let items = folder.file("profile/quarantine")
        let name = try #require(try FileSystem.contents(of: items).first)
        for (days, isKept) in [(29, true), (31, false)] {
            let then = time(nil) - days * 24 * 3600
            let times = [timespec(tv_sec: then, tv_nsec: 0), timespec(tv_sec: then, tv_nsec: 0)]
            #expect(utimensat(AT_FDCWD, "\(items)/\(name)", times, 0) == 0)
            let store = try await subject.open(folder)
            #expect(try await store.check().quarantined.isEmpty == !isKept)
            try await store.close()
        }
    }
}
