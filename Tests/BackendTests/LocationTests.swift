import BrowserSessions
import Expectations
import Foundation
import LocalFiles
import StorageEngines
import TestSupport

@Suite("locations that are no good")
struct LocationTests {
    @Test("a place below a file, a link that is written otherwise", arguments: Subject.all)
    func notADirectory(subject: Subject) async throws {
        let folder = TemporaryFolder()
        try FileSystem.overwrite(folder.file("file"), with: [1, 2, 3])
        try FileSystem.makeDirectory(folder.file("real"))
        try link(folder.file("real"), at: folder.file("link"))
        let before = try Tree(folder.path)
        for place in ["file/below", "link//", "link/.", "link/./"] {
            let code = await errorCode { _ = try await subject.open(folder, place) }
            expect(code, is: .unsafeLocation, "\(place)")
        }
        expect(try Tree(folder.path) == before)
    }

    @Test("a path that is none", arguments: Subject.all)
    func noPath(subject: Subject) async throws {
        let folder = TemporaryFolder()
        for location in ["", folder.file("a\u{0}b")] {
            let configuration = StorageConfiguration(location: location)
            let code = await errorCode { _ = try await subject.backend.open(configuration) }
            expect(code, is: .invalidConfiguration)
        }
        let long = folder.file(String(repeating: "x", count: 5000))
        let code = await errorCode {
            _ = try await subject.backend.open(StorageConfiguration(location: long))
        }
        expect(code != nil && code != .corrupted)
        expect(try Tree(folder.path).entries.isEmpty)
    }

    @Test("parents that are missing are made", arguments: Subject.all)
    func missingParents(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder, "a/b/c//")
        _ = try await store.save(Sample.window(tabs: 1))
        try await store.close()
        let again = try await subject.open(folder, "a/b/c")
        expect(try await again.sessions() == [Sample.window])
        try await again.close()
    }

    @Test("a store of another backend is named and left alone", arguments: Subject.all)
    func otherBackend(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 3))
        try await store.close()
        let before = try Tree(folder.path)
        for other in Subject.all where other.backend.name != subject.backend.name {
            let error = await error { _ = try await other.open(folder) }
            expect(error?.code, is: .incompatibleFormat)
            expect(error?.message.contains("'\(subject.backend.name)'"), is: true)
        }
        expect(try Tree(folder.path) == before)
        let again = try await subject.open(folder)
        expect(try await again.restore(Sample.window)?.tabs.count == 3)
        try await again.close()
    }

    @Test("a store of an older or a newer version is refused, untouched", arguments: Subject.all)
    func otherVersion(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 3))
        try await store.close()
        let stamps = ["store.json", "store-copy.json"].map { folder.file("profile/\($0)") }
        let original = try FileSystem.read(stamps[0])
        for (format, engineFormat) in [(1, 1), (3, 1), (2, 99), (7, 99)] {
            for stamp in stamps {
                try FileSystem.overwrite(
                    stamp, with: stampText(subject.backend.name, format, engineFormat))
            }
            let before = try Tree(folder.path)
            expect(await errorCode { _ = try await subject.open(folder) } == .incompatibleFormat)
            expect(try Tree(folder.path) == before)
        }
        for stamp in stamps { try FileSystem.overwrite(stamp, with: original) }
        let again = try await subject.open(folder)
        expect(try await again.restore(Sample.window)?.tabs.count == 3)
        try await again.close()
    }

    @Test("either stamp is enough, and the other is written again", arguments: Subject.all)
    func damagedStamp(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 3))
        try await store.close()
        for name in ["store.json", "store-copy.json"] {
            let stamp = folder.file("profile/\(name)")
            let original = try FileSystem.read(stamp)
            for bytes in [[], [0], [UInt8](repeating: 0x7B, count: 100_000), nil] as [[UInt8]?] {
                try FileSystem.remove(stamp)
                if let bytes { try FileSystem.overwrite(stamp, with: bytes) }
                let again = try await subject.open(folder)
                expect(try await again.restore(Sample.window)?.tabs.count == 3)
                expect(try await again.check().losses == [])
                try await again.close()
                expect(try FileSystem.read(stamp) == original)
            }
        }
    }

    @Test(
        "files with times that a wrong clock gave them are files like others",
        arguments: Subject.all, [-2_208_988_800, 0, 10_413_792_000])
    func fileTimes(subject: Subject, seconds: Int) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 3))
        try await store.close()
        let times = [timespec](repeating: timespec(tv_sec: seconds, tv_nsec: 0), count: 2)
        let profile = folder.file("profile")
        for file in try FileSystem.files(below: profile) {
            expect(utimensat(AT_FDCWD, "\(profile)/\(file)", times, 0), is: 0)
        }
        let again = try await subject.open(folder)
        expect(try await again.restore(Sample.window)?.tabs.count == 3)
        expect(try await again.repair().losses == [])
        try await again.close()
    }

    @Test("links inside a store are refused, not followed", arguments: Subject.all)
    func linksInside(subject: Subject) async throws {
        for name in ["regular", "incognito", "quarantine", "lock", "store.json"] {
            let folder = TemporaryFolder()
            let store = try await subject.open(folder)
            _ = try await store.save(Sample.window(tabs: 3))
            _ = try await store.save(Sample.window(tabs: 3, id: Sample.incognito))
            try await store.close()
            let inside = folder.file("profile/\(name)")
            let outside = folder.file("outside")
            if try FileSystem.exists(inside) {
                try FileSystem.move(inside, to: outside)
            } else {
                try FileSystem.makeDirectory(outside)
            }
            try link(outside, at: inside)
            let before = try Tree(folder.path)
            let code = await errorCode { _ = try await subject.open(folder) }
            expect(code, is: .unsafeLocation, "\(name)")
            expect(try Tree(folder.path).without("profile/lock") == before.without("profile/lock"))
        }
    }
}
