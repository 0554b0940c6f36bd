import BrowserSessions
import Expectations
import Foundation
import IncognitoEncryption
import LocalFiles
import Synchronization
import TestSupport

/// Stores that are removed: as a whole, with what belongs to them, and nothing else.
@Suite("removal")
struct RemovalTests {
    /// A closed store with both partitions, something set aside, and the host's keys.
    private func filled(_ subject: Subject, _ keys: HostKeys) async throws -> TemporaryFolder {
        let subject = subject.keeping(keys)
        let folder = try await subject.damagedStore()
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 3))
        _ = try await store.save(Sample.window(tabs: 4, id: Sample.incognito))
        try await store.close()
        expect(try FileSystem.exists(folder.file("profile/quarantine")))
        return folder
    }

    private func place(_ folder: TemporaryFolder, create: Bool = true) -> StorageConfiguration {
        StorageConfiguration(
            location: folder.file("profile"), options: ["create": .bool(create)])
    }

    private func remove(_ subject: Subject, _ folder: TemporaryFolder) async throws -> Bool {
        try await subject.backend.remove(place(folder))
    }

    /// No opener finds a store, and a new one is empty.
    private func requireNone(_ subject: Subject, _ folder: TemporaryFolder) async throws {
        expect(try !subject.backend.hasStore(at: folder.file("profile")))
        expect(
            await errorCode { _ = try await subject.backend.open(place(folder, create: false)) }
                == .notFound)
        let store = try await subject.open(folder)
        expect(try await store.sessions() == [])
        let report = try await store.check()
        expect(report.isHealthy && report.quarantined == [] && report.notes == [])
        _ = try await store.save(Sample.window(tabs: 1))
        try await store.close()
    }

    @Test("everything that belongs to it goes, and its folder", arguments: Subject.all)
    func everything(subject: Subject) async throws {
        let keys = HostKeys()
        let folder = try await filled(subject, keys)
        try FileSystem.overwrite(folder.file("beside"), with: [1])
        expect(keys.keys.count, is: 1)
        expect(try await remove(subject.keeping(keys), folder))
        expect(keys.keys.isEmpty)
        expect(try FileSystem.contents(of: folder.path) == ["beside"])
        expect(try await !remove(subject, folder))
        expect(try FileSystem.contents(of: folder.path) == ["beside"])
        try await requireNone(subject, folder)
        expect(try subject.backend.removeBlocking(place(folder)))
        expect(try FileSystem.contents(of: folder.path) == ["beside"])
    }

    @Test("a key in a file goes, too", arguments: Subject.all)
    func keyInAFile(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 4, id: Sample.incognito))
        try await store.close()
        expect(try FileSystem.exists(folder.file("profile/incognito.key")))
        expect(try await remove(subject, folder))
        expect(try FileSystem.contents(of: folder.path) == [])
    }

    @Test("what is not the store's stays, and its folder then", arguments: Subject.all)
    func foreignFiles(subject: Subject) async throws {
        let keys = HostKeys()
        let folder = try await filled(subject, keys)
        let profile = folder.file("profile")
        try FileSystem.makeDirectory("\(profile)/photos")
        for name in ["notes.txt", "regular-notes", "store.json.bak", "photos/regular"] {
            try FileSystem.overwrite("\(profile)/\(name)", with: [1, 2, 3])
        }
        expect(try await remove(subject.keeping(keys), folder))
        expect(
            try Tree(profile).entries.keys.sorted()
                == ["notes.txt", "photos/", "photos/regular", "regular-notes", "store.json.bak"])
        expect(try await !remove(subject, folder))
        expect(
            await errorCode { _ = try await subject.backend.open(place(folder, create: false)) }
                == .notFound)
        expect(await errorCode { _ = try await subject.open(folder) } == .unsafeLocation)
        expect(try Tree(profile).entries.count == 5)
    }

    @Test("a folder without a store is left alone", arguments: Subject.all)
    func noStore(subject: Subject) async throws {
        let folder = TemporaryFolder()
        expect(try await !remove(subject, folder))
        expect(try FileSystem.contents(of: folder.path) == [])
        for names in [[], ["lock"], ["notes.txt"], ["quarantine"]] {
            try FileSystem.makeDirectory(folder.file("profile"))
            for name in names { try FileSystem.overwrite(folder.file("profile/\(name)"), with: []) }
            let before = try Tree(folder.path)
            expect(await wasThere { try await remove(subject, folder) } != true)
            expect(try Tree(folder.path) == before)
            try FileSystem.remove(folder.file("profile"))
        }
    }

    private func wasThere(_ work: () async throws -> Bool) async -> Bool? { try? await work() }

    @Test("one that is open stays, and the error names its process", arguments: Subject.all)
    func open(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 3))
        let before = try Tree(folder.path)
        let error = await error { _ = try await remove(subject, folder) }
        expect(error?.code == .locked && error?.operation == "remove")
        expect(error?.message.contains("process \(getpid())"), is: true)
        expect(try Tree(folder.path) == before)
        _ = try await store.save(Sample.window(tabs: 4))
        try await store.close()
        expect(try await remove(subject, folder))
    }

    @Test("one of another kind or a newer format stays", arguments: Subject.all)
    func otherKinds(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 3))
        try await store.close()
        var before = try Tree(folder.path)
        for other in Subject.all where other.backend.name != subject.backend.name {
            let error = await error { _ = try await remove(other, folder) }
            expect(error?.code, is: .incompatibleFormat)
            expect(error?.message.contains("'\(subject.backend.name)'"), is: true)
        }
        expect(try Tree(folder.path) == before)
        for name in ["store.json", "store-copy.json"] {
            try FileSystem.overwrite(
                folder.file("profile/\(name)"), with: stampText(subject.backend.name, 99, 1))
        }
        before = try Tree(folder.path)
        expect(await errorCode { _ = try await remove(subject, folder) } == .incompatibleFormat)
        expect(try Tree(folder.path) == before)
    }

    @Test("links and files are refused, and nothing behind them is touched", arguments: Subject.all)
    func links(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder, "real")
        _ = try await store.save(Sample.window(tabs: 3))
        try await store.close()
        try link(folder.file("real"), at: folder.file("profile"))
        try FileSystem.overwrite(folder.file("file"), with: [1, 2, 3])
        let before = try Tree(folder.path)
        for path in ["profile", "profile/", "profile/.", "file", "file/below"] {
            let place = StorageConfiguration(location: folder.file(path))
            let code = await errorCode { try await subject.backend.remove(place) }
            expect(code, is: .unsafeLocation, "\(path)")
        }
        expect(try Tree(folder.path) == before)
        // One within the store.
        try FileSystem.makeDirectory(folder.file("elsewhere"))
        try FileSystem.overwrite(folder.file("elsewhere/precious"), with: [1])
        try FileSystem.remove(folder.file("real/quarantine"))
        try link(folder.file("elsewhere"), at: folder.file("real/quarantine"))
        let place = StorageConfiguration(location: folder.file("real"))
        let code = await errorCode { try await subject.backend.remove(place) }
        expect(code, is: .unsafeLocation)
        expect(try FileSystem.read(folder.file("elsewhere/precious")) == [1])
        // Links inside the quarantine are removed, not followed.
        try FileSystem.remove(folder.file("real/quarantine"))
        try FileSystem.makeDirectory(folder.file("real/quarantine"))
        try link(folder.file("elsewhere"), at: folder.file("real/quarantine/item"))
        expect(try await subject.backend.remove(place))
        expect(try FileSystem.read(folder.file("elsewhere/precious")) == [1])
        expect(try !FileSystem.exists(folder.file("real")))
    }

    @Test("a parent may be a link", arguments: Subject.all)
    func linkedParent(subject: Subject) async throws {
        let folder = TemporaryFolder()
        try FileSystem.makeDirectory(folder.file("real"))
        try link(folder.file("real"), at: folder.file("link"))
        let store = try await subject.open(folder, "link/profile")
        _ = try await store.save(Sample.window(tabs: 3))
        try await store.close()
        let place = StorageConfiguration(location: folder.file("link/profile//"))
        expect(try await subject.backend.remove(place))
        expect(try FileSystem.contents(of: folder.file("real")) == [])
    }

    @Test("damage is no obstacle", arguments: Subject.all)
    func damage(subject: Subject) async throws {
        let keys = HostKeys()
        for lost in [["store.json"], ["store.json", "store-copy.json"], ["incognito.sealed"]] {
            let folder = try await filled(subject, keys)
            try FileSystem.invertFiles(below: folder.file("profile/regular"))
            try FileSystem.invertFiles(below: folder.file("profile/incognito"))
            for name in lost {
                try FileSystem.overwrite(folder.file("profile/\(name)"), with: [0])
            }
            expect(try await remove(subject.keeping(keys), folder))
            expect(try FileSystem.contents(of: folder.path) == [])
            expect(keys.keys.isEmpty)
        }
    }

    @Test("for reading only nothing is removed", arguments: Subject.all)
    func readOnly(subject: Subject) async throws {
        let folder = try await filled(subject, HostKeys())
        let before = try Tree(folder.path)
        var place = place(folder)
        place.options["access"] = .text("readOnly")
        let code = await errorCode { [place] in try await subject.backend.remove(place) }
        expect(code, is: .permissionDenied)
        expect(try Tree(folder.path) == before)
    }

    @Test(
        "a folder that cannot be changed stays as it is",
        .enabled(if: geteuid() != 0, "the superuser may do everything"), arguments: Subject.all)
    func withoutRights(subject: Subject) async throws {
        let folder = try await filled(subject, HostKeys())
        let before = try Tree(folder.path)
        _ = chmod(folder.file("profile"), 0o500)
        expect(await errorCode { _ = try await remove(subject, folder) } == .permissionDenied)
        _ = chmod(folder.file("profile"), 0o700)
        expect(try Tree(folder.path) == before)
    }

    @Test("a key that cannot be destroyed keeps the whole store", arguments: Subject.all)
    func keys(subject: Subject) async throws {
        let keys = HostKeys()
        let folder = try await filled(subject, keys)
        let before = try Tree(folder.path).without("profile/lock")
        keys.setCannotDestroy(true)
        let refusal = await error { _ = try await remove(subject.keeping(keys), folder) }
        expect(refusal?.code == .keyUnavailable && refusal?.effect == .notApplied)
        keys.setCannotDestroy(false)
        let unknown = await error { _ = try await remove(subject, folder) }
        expect(unknown?.code == .keyUnavailable && unknown?.effect == .notApplied)
        expect(unknown?.message.contains("'keychain'"), is: true)
        expect(try Tree(folder.path).without("profile/lock") == before)
        expect(keys.keys.count, is: 1)
        // Deleting incognito gives the key up.
        let store = try await subject.open(folder)
        expect(await errorCode { try await store.deleteIncognito() } == .keyUnavailable)
        try await store.close()
        expect(try await remove(subject, folder))
        expect(try FileSystem.contents(of: folder.path) == [])
    }

    @Test("the next opener ends a removal that was killed", arguments: Subject.all)
    func kills(subject: Subject) async throws {
        let keys = HostKeys()
        let folder = try await filled(subject, keys)
        let held = HostKeys(copying: keys)
        let atDestruction = Mutex<TemporaryFolder?>(nil)
        keys.beforeDestroying {
            let copy = TemporaryFolder()
            try? FileSystem.copy(folder.file("profile"), to: copy.file("profile"))
            atDestruction.withLock { $0 = copy }
        }
        expect(try await remove(subject.keeping(keys), folder))
        let killed = try #require(atDestruction.withLock { $0 })
        func copy() throws -> TemporaryFolder {
            let copy = TemporaryFolder()
            try FileSystem.copy(killed.file("profile"), to: copy.file("profile"))
            return copy
        }
        // As the files went, one after another.
        var names = try FileSystem.contents(of: killed.file("profile"))
        names.removeAll { $0 == "store.removed" }
        names.sort { !$0.hasPrefix("store") && $1.hasPrefix("store") }
        for count in 0...names.count {
            if count > 0 { try FileSystem.remove(killed.file("profile/\(names[count - 1])")) }
            // Without the key it is not ended, as long as the partition is there.
            let rest = try FileSystem.contents(of: killed.file("profile"))
            let (other, missing) = (try copy(), subject.keeping(HostKeys("other")))
            if rest.contains(where: { ["incognito", "incognito.closed"].contains($0) }),
                rest.contains(where: { $0.hasSuffix(".sealed") })
            {
                expect(await errorCode { _ = try await missing.open(other) } == .keyUnavailable)
            } else {
                try await requireNone(missing, other)
            }
            let opened = HostKeys(copying: held)
            try await requireNone(subject.keeping(opened), copy())
            if count == 0 { expect(opened.keys.isEmpty) }
            let removed = HostKeys(copying: held)
            let place = try copy()
            expect(try await remove(subject.keeping(removed), place), "\(count)")
            expect(try FileSystem.contents(of: place.path) == [])
            // A reader sees that there is none, and changes nothing.
            let read = try copy()
            let before = try Tree(read.path)
            var configuration = self.place(read)
            configuration.options["access"] = .text("readOnly")
            let refusal = await errorCode { [configuration] in
                _ = try await subject.keeping(held).backend.open(configuration)
            }
            expect(refusal, is: .notFound, "\(count)")
            expect(try Tree(read.path) == before)
        }
    }

    @Test("several at once", arguments: Subject.all)
    func several(subject: Subject) async throws {
        for _ in 0..<5 {
            let folder = TemporaryFolder()
            let store = try await subject.open(folder)
            _ = try await store.save(Sample.window(tabs: 3))
            try await store.close()
            let place = place(folder)
            let backends = Array(repeating: subject.backend, count: 6)
            let (removed, refusals) = await StorageBackend.remove(place, byAll: backends)
            expect(removed == 1 && refusals.allSatisfy { $0.code == .locked }, "\(refusals)")
            expect(try FileSystem.contents(of: folder.path) == [])
        }
    }
}
