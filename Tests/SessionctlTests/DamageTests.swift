import BrowserSessions
import Expectations
import LocalFiles
import TestSupport

struct DamageTests {
    /// A title that is in the sample, and nowhere else in a store.
    func title(_ store: String) throws -> String {
        let list = try Tool.run(["list", "--storage", store, "--format", "json"]).json()
        for session in list.elements {
            guard let id = session["session"].text, id.hasSuffix("/regular") else { continue }
            let show = try Tool.run(["show", id, "--storage", store, "--format", "json"]).json()
            for tab in show["tabs"].elements {
                if let title = tab["title"].text, title.utf8.count > 8 { return title }
            }
        }
        throw StorageError(.notFound, "no title is long enough")
    }

    /// Changes a byte wherever the title lies in the files.
    func damage(_ title: String, _ workspace: Workspace) throws -> Int {
        var count = 0
        for (file, bytes) in try FileSystem.files(in: workspace.file("profile/regular")) {
            var bytes = bytes
            for position in bytes.positions(of: title) {
                bytes[position + 3] ^= 0x20
                count += 1
            }
            try FileSystem.replace(file, with: bytes)
        }
        return count
    }

    @Test("Damage exits with code 1, and a repair accepts it", arguments: Workspace.backends)
    func damagedStore(backend: String) throws {
        let workspace = Workspace()
        let store = try workspace.imported(backend)
        let title = try title(store)
        expect(try damage(title, workspace) > 0)
        let digest = try Tool.run(["digest", "--storage", store])
        expect(digest.status, is: 1)
        expect(digest.output.isEmpty)
        expect(!digest.messages.isEmpty)
        let list = try Tool.run(["list", "--storage", store, "--format", "json"])
        expect(list.status, is: 1)
        expect(try list.json().elements.contains { ($0["losses"].integer ?? 0) > 0 })
        let check = try Tool.run(["check", "--storage", store])
        expect(check.status, is: 1)
        expect(check.output.contains("\nloss: "))
        expect(check.output.hasSuffix("something was lost\n"))
        expect(check.messages.hasPrefix("A part of what was saved at '"))
        let repair = try Tool.run(["repair", "--storage", store, "--format", "json"])
        expect(repair.status, is: 0)
        let json = try repair.json()
        expect(json["isHealthy"] == .bool(true) && json["isRepaired"] == .bool(true))
        expect(!json["losses"].elements.isEmpty)
        for outcome in [digest, check, repair] {
            expect(!(outcome.output + outcome.messages).contains(title.dropFirst(4)))
        }
        expect(try !FileSystem.contents(of: workspace.file("profile/quarantine")).isEmpty)
        let healthy = try Tool.run(["check", "--storage", store])
        expect(healthy.status, is: 0, "\(healthy.output)")
        let kept = try Tool.run(["digest", "--storage", store])
        expect(kept.status, is: 0)
        let erasure = try Tool.run(["erase-removed", "--storage", store, "--format", "json"])
        expect(erasure.status, is: 0)
        let sessions = try Tool.run(["list", "--format", "json", "--storage", store]).json()
        expect(try erasure.json()["keptSessions"].integer == sessions.elements.count)
        expect(try FileSystem.contents(of: workspace.file("profile/quarantine")) == [])
        expect(try Tool.run(["digest", "--storage", store]).output == kept.output)
    }

    @Test("What is lost and not accepted is not erased", arguments: Workspace.backends)
    func erasingADamagedStore(backend: String) throws {
        let workspace = Workspace()
        let store = try workspace.imported(backend)
        expect(try damage(title(store), workspace) > 0)
        let erasure = try Tool.run(["erase-removed", "--storage", store])
        expect(erasure.status, is: 1)
        expect(erasure.messages.contains("call 'repair'"))
        expect(try !FileSystem.contents(of: workspace.file("profile/quarantine")).isEmpty)
    }

    @Test func damagedInput() throws {
        let workspace = Workspace()
        let name = "firefox-desktop/sessionstore.jsonlz4"
        let bytes = try FileSystem.read("\(Workspace.sample)/\(name)")
        try FileSystem.replace(
            workspace.file("sessionstore.jsonlz4"), with: Array(bytes.dropLast(60)))
        let store = workspace.store("sqlite")
        let outcome = try Tool.run([
            "import", workspace.file("sessionstore.jsonlz4"), "--storage", store, "--format",
            "json",
        ])
        expect(outcome.status, is: 1)
        let problems = try outcome.json()["sources"].elements.flatMap { $0["problems"].elements }
        expect(!problems.isEmpty)
    }
}
