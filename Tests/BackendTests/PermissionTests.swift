import BrowserSessions
import Expectations
import Foundation
import LocalFiles
import StorageEngines
import TestSupport

@Suite("permissions")
struct PermissionTests {
    @Test("files are 0600 and directories 0700", arguments: Subject.all)
    func modes(subject: Subject) async throws {
        let folder = TemporaryFolder()
        // Three runs, so that there are logs, snapshots and tables of all kinds.
        for run in 1...3 {
            let store = try await subject.open(folder)
            for id in [Sample.window, Sample.incognito] {
                var changes = Sample.window(tabs: 20 * run, id: id)
                let key = TabStateKey(tab: Sample.tab(run).id, name: .native, in: id)
                changes.put([UInt8](repeating: 7, count: 300_000), for: key)
                _ = try await store.save(changes)
            }
            expect(try wrongModes(below: folder.file("profile")) == [])
            try await store.close()
            expect(try wrongModes(below: folder.file("profile")) == [])
        }
    }

    @Test("so is the quarantine", arguments: Subject.all)
    func quarantine(subject: Subject) async throws {
        let folder = TemporaryFolder()
        var store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 20))
        try await store.close()
        try FileSystem.invertFiles(below: folder.file("profile/regular"))
        store = try await subject.open(folder)
        try await store.close()
        expect(try wrongModes(below: folder.file("profile/quarantine")) == [])
        expect(try FileSystem.exists(folder.file("profile/quarantine")))
    }

    @Test(
        "a directory without rights is no damage",
        .enabled(if: geteuid() != 0, "the superuser may do everything"),
        arguments: Subject.all)
    func withoutRights(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 3))
        try await store.close()
        let before = try Tree(folder.path)
        for (path, mode) in [("profile", 0o500), ("profile/regular", 0), ("profile/lock", 0)] {
            let original = try #require(try FileSystem.status(folder.file(path))).permissions
            _ = chmod(folder.file(path), mode_t(mode))
            let code = await errorCode {
                let store = try await subject.open(folder)
                _ = try await store.save(Sample.window(tabs: 4))
            }
            expect(code, is: .permissionDenied)
            _ = chmod(folder.file(path), mode_t(original))
        }
        expect(try Tree(folder.path).without("profile/lock") == before.without("profile/lock"))
    }

    @Test(
        "a directory of somebody else is refused, untouched",
        .enabled(if: geteuid() == 0, "only the superuser can give a directory away"),
        arguments: Subject.all)
    func foreignOwner(subject: Subject) async throws {
        for name in ["profile", "profile/regular"] {
            let folder = TemporaryFolder()
            let store = try await subject.open(folder)
            _ = try await store.save(Sample.window(tabs: 3))
            try await store.close()
            _ = chown(folder.file(name), 12345, 12345)
            let before = try Tree(folder.path)
            expect(await errorCode { _ = try await subject.open(folder) } == .unsafeLocation)
            expect(try Tree(folder.path) == before)
        }
    }

    private func wrongModes(below path: String) throws -> [String] {
        var wrong: [String] = []
        for name in [""] + (try Tree(path).entries.keys.map { "/\($0)" }) {
            guard let status = try FileSystem.status(path + name) else { continue }
            let expected: UInt32 = status.kind == .directory ? 0o700 : 0o600
            if status.permissions != expected {
                wrong.append("\(name): \(String(status.permissions, radix: 8))")
            }
        }
        return wrong.sorted()
    }
}
