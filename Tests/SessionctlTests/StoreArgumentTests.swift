import BrowserSessions
import Expectations
import StorageEngines
import TestSupport

/// A path and the beginning of an id are enough.
struct StoreArgumentTests {
    private let workspace = Workspace()

    @Test("A store is found by what lies in it", arguments: Workspace.backends)
    func path(backend: String) throws {
        let store = try workspace.imported(backend)
        let path = workspace.file("profile")
        let expected = try Tool.run(["list", "--storage", store]).output
        for damage in [[], ["store.json"], ["store-copy.json"]] {
            for name in damage { try FileSystem.remove("\(path)/\(name)") }
            let list = try Tool.run(["list", path])
            expect(list.status == 0 && list.output == expected, "\(list.messages)")
        }
        let file = workspace.file("out.json")
        for arguments in [
            ["digest", path], ["check", path], ["repair", path], ["export", file, path],
            ["show", "3F9D", path], ["explain", path], ["delete-incognito", path],
            ["erase-removed", path], ["init", path],
        ] {
            try Tool.run(arguments).expectSuccess()
        }
        let environment = [
            "SESSION_STORAGE_BACKEND": "sqlite", "SESSION_STORAGE_LOCATION": "/none",
        ]
        try Tool.run(["digest", path], environment: environment).expectSuccess()
        let target = workspace.store("sqlite", "target")
        try Tool.run(["migrate", "--from", path, "--to", target]).expectSuccess()
    }

    @Test func whatIsNoStoreIsSaidSo() throws {
        try FileSystem.makeDirectory(workspace.file("folder"))
        try FileSystem.replace(workspace.file("folder/letter"), with: [1])
        for path in ["none", "folder", "folder/letter"].map(workspace.file) {
            try Tool.run(["list", path]).expectRefusal(
                "there is no store at '\(path)'", "BACKEND is one of directory, leveldb, sqlite")
        }
        try Tool.run(["list", "/x", "--storage", "sqlite:/y"]).expectRefusal(
            "--storage names a store, too", status: 64)
    }

    @Test func theBeginningOfAnIdIsEnough() async throws {
        let store = workspace.store("directory")
        let kinds: [(UInt64, SessionKind)] = [
            (0x0C24_0000_0000_0000, .regular), (0x0C24_0000_0000_0000, .incognito),
            (0x0C25_0000_0000_0000, .regular), (0xAB00_0000_0000_0000, .setAside),
        ]
        try await workspace.withStore(store) { store in
            for (number, (high, kind)) in kinds.enumerated() {
                var changes = SessionChanges()
                changes.put(
                    SessionAttributes(title: "session \(number)"),
                    for: SessionID(window: WindowID(high: high, low: 1), kind: kind))
                _ = try await store.save(changes)
            }
        }
        func show(_ session: String) throws -> ProgramOutcome {
            try Tool.run(["show", session, workspace.file("profile")])
        }
        for (text, number) in [
            ("0C24", 0), ("0c24/incognito", 1), ("0C24/regular", 0), ("0C25", 2), ("ab", 3),
            ("AB000000-0000-0000-0000-000000000001", 3),
            ("0C240000-0000-0000-0000-000000000001", 0),
        ] {
            let outcome = try show(text).expectSuccess()
            expect(outcome.contains("session \(number)"), "\(text)")
        }
        let several = try show("0C")
        several.expectRefusal(
            "0C240000-0000-0000-0000-000000000001/regular", "/incognito", "0C250000-")
        try show("0D").expectRefusal("no session that begins with '0D'", "(notFound)")
        try show("0D000000-0000-4000-8000-000000000000/regular").expectRefusal("(notFound)")
        for wrong in ["xyz", "", "0C24/", "0C24/a/b", "0C24/UPPER"] {
            try show(wrong).expectRefusal("'\(wrong)' is not a session", status: 64)
        }
    }
}
