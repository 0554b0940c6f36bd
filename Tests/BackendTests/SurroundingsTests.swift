import BrowserSessions
import Expectations
import Foundation
import LocalFiles
import TestSupport

/// What people, cleaners and other programs do to a store's directory while it is open, and between.
@Suite("strange surroundings")
struct SurroundingsTests {
    private func tabs(_ store: any SessionStorage) async throws -> Int? {
        try await store.restore(Sample.window)?.tabs.count
    }

    @Test("a removed or replaced lock file lets no other process in", arguments: Subject.all)
    func lockFile(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        let lock = folder.file("profile/lock")
        try FileSystem.remove(lock)
        expect(await errorCode { _ = try await subject.open(folder) } == .locked)
        try FileSystem.overwrite(lock, with: [1, 2, 3])
        expect(await errorCode { _ = try await subject.open(folder) } == .locked)
        _ = try await store.save(Sample.window(tabs: 3))
        try await store.close()
        let again = try await subject.open(folder)
        expect(try await tabs(again) == 3)
        // One that cannot be read may be another opener's.
        try FileSystem.remove(lock)
        try FileSystem.makeDirectories(lock)
        expect(await errorCode { _ = try await again.save(Sample.window(tabs: 4)) } == .fenced)
        try FileSystem.remove(lock)
        expect(await errorCode { try await again.close() } == .fenced)
    }

    @Test(
        "a store that is moved while it is open, and a new one at its path", arguments: Subject.all)
    func moved(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let old = try await subject.open(folder)
        _ = try await old.save(Sample.window(tabs: 3))
        _ = try await old.save(Sample.window(tabs: 2, id: Sample.incognito))
        try FileSystem.move(folder.file("profile"), to: folder.file("moved"))
        let new = try await subject.open(folder)
        expect(try await new.sessions() == [])
        _ = try await new.save(Sample.window(tabs: 5))
        _ = try await new.save(Sample.window(tabs: 6, id: Sample.incognito))
        // Enough for new files of every engine.
        for number in 1...6 {
            var changes = Sample.window(tabs: 30 + number)
            let key = TabStateKey(tab: Sample.tab(number).id, name: .native, partition: .regular)
            changes.put([UInt8](repeating: UInt8(number), count: 1 << 20), for: key)
            _ = try await old.save(changes)
        }
        expect(try await old.check().losses == [])
        expect(try await old.check().notes.contains { $0.contains("was moved") })
        try await old.deleteIncognito()
        try await old.close()
        expect(try await new.restore(Sample.incognito)?.tabs.count == 6)
        try await new.close()
        for (name, count, incognito) in [("profile", 5, 6), ("moved", 36, nil)] {
            let store = try await subject.open(folder, name)
            expect(try await tabs(store) == count)
            expect(try await store.restore(Sample.incognito)?.tabs.count == incognito)
            let report = try await store.check()
            expect(report.losses == [] && report.quarantined == [])
            try await store.close()
        }
    }

    @Test(
        "a store that is removed while it is open says so within sixteen saves",
        arguments: Subject.all)
    func removed(subject: Subject) async throws {
        for part in ["profile", "profile/regular"] {
            let folder = TemporaryFolder()
            let store = try await subject.open(folder)
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
            let new = try await subject.open(folder)
            _ = try await new.save(Sample.window(tabs: 5))
            expect(try await tabs(new) == 5)
            try await new.close()
        }
    }

    @Test(
        "files that a cleaner takes away are missed at the next durable save",
        arguments: Subject.all)
    func cleaned(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 3))
        let partition = folder.file("profile/regular")
        for file in try FileSystem.files(below: partition) {
            try FileSystem.remove("\(partition)/\(file)")
        }
        let error = await error { _ = try await store.save(Sample.window(tabs: 4)) }
        expect(error?.code, is: .durabilityLost)
        try? await store.close()
        let again = try await subject.open(folder)
        expect(try await again.check().losses.isEmpty == false)
        try await again.close()
    }

    @Test(
        "two damaged identities are rewritten by the backend that made the store",
        arguments: Subject.all)
    func identities(subject: Subject) async throws {
        for damage in [nil, [UInt8]("not a store".utf8), []] {
            let folder = TemporaryFolder()
            let store = try await subject.open(folder)
            _ = try await store.save(Sample.window(tabs: 3))
            try await store.close()
            for name in ["store.json", "store-copy.json"] {
                try FileSystem.remove(folder.file("profile/\(name)"))
                if let damage {
                    try FileSystem.overwrite(folder.file("profile/\(name)"), with: damage)
                }
            }
            let before = try Tree(folder.path)
            for other in Subject.all where other.backend.name != subject.backend.name {
                let code = await errorCode { _ = try await other.open(folder) }
                expect(code, is: .incompatibleFormat)
                expect(
                    try Tree(folder.path).without("profile/lock") == before.without("profile/lock"))
            }
            let again = try await subject.open(folder)
            expect(try await tabs(again) == 3)
            let report = try await again.check()
            expect(report.losses, is: [])
            expect(report.notes.contains { $0.contains("rewritten") })
            try await again.close()
            let third = try await subject.open(folder)
            expect(try await third.check().notes.contains { $0.contains("rewritten") } == false)
            try await third.close()
        }
    }

    @Test("what was being written is swept at the next opening", arguments: Subject.all)
    func leftovers(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 3))
        try await store.close()
        let before = try FileSystem.contents(of: folder.file("profile"))
        let drafts = [
            "store.json.new", "store-copy.json.new", "incognito.sealed.new",
            "incognito-copy.sealed.new", "regular.closed.new", "incognito.closed.new",
        ]
        for name in drafts { try FileSystem.overwrite(folder.file("profile/\(name)"), with: [1]) }
        for name in ["regular.repaired", "regular.replaced", "incognito.repaired"] {
            try FileSystem.copy(folder.file("profile/regular"), to: folder.file("profile/\(name)"))
        }
        let again = try await subject.open(folder)
        expect(try await tabs(again) == 3)
        try await again.close()
        expect(try FileSystem.contents(of: folder.file("profile")) == before)
    }

    @Test("directories of others and links to other files are refused", arguments: Subject.all)
    func foreign(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 3))
        try await store.close()
        for path in ["profile", "profile/regular"] {
            for mode in [0o777, 0o702, 0o770] as [mode_t] {
                _ = chmod(folder.file(path), mode)
                let error = await error { _ = try await subject.open(folder) }
                expect(error?.code, is: .unsafeLocation)
                expect(error?.message.contains("chmod go-w"), is: true)
                _ = chmod(folder.file(path), 0o700)
            }
        }
        let partition = folder.file("profile/regular")
        for file in try FileSystem.files(below: partition) {
            try FileSystem.move("\(partition)/\(file)", to: folder.file("outside"))
            let original = try FileSystem.read(folder.file("outside"))
            expect(symlink(folder.file("outside"), "\(partition)/\(file)"), is: 0)
            expect(await errorCode { _ = try await subject.open(folder) } == .unsafeLocation)
            expect(try FileSystem.read(folder.file("outside")) == original)
            try FileSystem.move(folder.file("outside"), to: "\(partition)/\(file)")
        }
        let again = try await subject.open(folder)
        expect(try await tabs(again) == 3)
        try await again.close()
    }
}
