import BrowserSessions
import Expectations
import IncognitoEncryption
import StorageEngines
import TestSupport

/// Each command, as text and as JSON.
struct CommandTests {
    private let workspace = Workspace()

    /// Runs a command twice; standard output is all there is, and one of the two is JSON.
    func both(_ arguments: [String], status: Int32 = 0) throws -> (text: String, json: JSON) {
        let text = try Tool.run(arguments)
        let json = try Tool.run(arguments + ["--format", "json"])
        for outcome in [text, json] {
            expect(outcome.status, is: status)
            expect(outcome.messages.isEmpty, "\(outcome.messages)")
            expect(outcome.output.hasSuffix("\n"))
        }
        return (text.output, try json.json(status: status))
    }

    @Test(arguments: Workspace.triedBackends)
    func initialize(backend: String) throws {
        let (text, json) = try both(["init", "--storage", workspace.store(backend)])
        expect(text, is: "\(backend) store at \(workspace.file("profile")), 0 sessions\n")
        expect(json["backend"], is: .text(backend))
        expect(json["location"], is: .text(workspace.file("profile")))
        expect(json["sessions"], is: .number(0))
        let list = try both(["list", "--storage", workspace.store(backend)])
        expect(list.text, is: "no sessions\n")
        expect(list.json, is: .array([]))
    }

    @Test(arguments: Workspace.triedBackends)
    func importing(backend: String) throws {
        let store = workspace.store(backend)
        let (text, json) = try both(["import", Workspace.sample, "--dry-run", "--storage", store])
        let sessions = try require(json["sessions"].integer)
        expect(text.hasSuffix("\n\(sessions) sessions would be saved, 4 of them of closed tabs\n"))
        _ = try both(["import", Workspace.sample, "--storage", store])
        expect(json["sources"].elements.count, is: 11)
        expect(json["sources"].elements.allSatisfy { $0["problems"].elements.isEmpty })
        let digest = try Tool.run(["digest", "--storage", store]).output
        _ = try both(["import", Workspace.sample, "--storage", store])
        expect(try Tool.run(["digest", "--storage", store]).output == digest)
        expect(
            try Tool.run(["init", "--storage", store]).output.hasSuffix("\(sessions) sessions\n"))
    }

    @Test func importingOneFormatOrNothing() throws {
        let store = workspace.store("sqlite")
        let links = "\(Workspace.sample)/links.tsv"
        let (_, json) = try both(["import", links, "--as", "links", "--storage", store])
        expect(json["sources"].elements.map(\.["format"]), is: [.text("links")])
        try Tool.run(["import", workspace.file("none"), "--storage", store]).expectRefusal("none")
    }

    @Test(arguments: Workspace.triedBackends)
    func check(backend: String) throws {
        let store = try workspace.imported(backend)
        for command in ["check", "repair", "check"] {
            let (text, json) = try both([command, "--storage", store])
            expect(text.hasSuffix("everything that was saved can be read\n"))
            expect(json["isHealthy"], is: .bool(true))
            expect(json["losses"], is: .array([]))
            expect(json["tabs"], is: .number(40))
        }
    }

    @Test(arguments: Workspace.backends)
    func deleteIncognito(backend: String) throws {
        let store = try workspace.imported(backend, "profile", ["--incognito"])
        let list = try both(["list", "--storage", store]).json.elements
        expect(!list.isEmpty)
        expect(list.allSatisfy { $0["session"].text?.contains("/incognito") == true })
        let (_, json) = try both(["check", "--storage", store])
        expect(try require(json["sessions"].integer) >= list.count)
        let deletion = try Tool.run(["delete-incognito", "--storage", store, "--format", "json"])
        expect(try deletion.json() == .object(["deletedSessions": .number(Double(list.count))]))
        expect(try both(["list", "--storage", store]).json == .array([]))
        let again = try both(["delete-incognito", "--storage", store])
        expect(again.text, is: "0 incognito sessions deleted\n")
        for (file, bytes) in try FileSystem.files(in: workspace.path) {
            expect(bytes.positions(of: "example.org").isEmpty, "\(file)")
        }
    }

    @Test(
        "Another process finds the key in the keyring, until incognito is deleted",
        .enabled(if: KeyringKeyStore.isUsable, "the kernel keyring does not work here"),
        arguments: Workspace.backends)
    func keyring(backend: String) throws {
        let store = workspace.store(backend) + "?incognitoKeys=keyring"
        try Tool.run(["import", Workspace.sample, "--storage", store]).expectSuccess()
        // The key is found by the store's header, whatever the option says.
        let other = workspace.store(backend)
        let sessions = try both(["list", "--storage", other]).json.elements
        let incognito = sessions.filter { $0["session"].text?.contains("incognito") == true }
        expect(!incognito.isEmpty)
        for name in ["first", "copy"] {
            try FileSystem.copy(workspace.file("profile"), to: workspace.file(name))
        }
        // What a copy deletes, and a copy that is removed, cost the original nothing.
        let first = workspace.store(backend, "first")
        expect(try both(["list", "--storage", first]).json.elements.count == sessions.count)
        try Tool.run(["delete-incognito", "--storage", first]).expectSuccess()
        try FileSystem.copy(workspace.file("profile"), to: workspace.file("second"))
        let second = workspace.store(backend, "second")
        try Tool.run(["remove", "--yes", "--storage", second]).expectSuccess()
        expect(try both(["list", "--storage", other]).json.elements.count == sessions.count)
        let deletion = try Tool.run(["delete-incognito", "--storage", other])
        expect(deletion.output, is: "\(incognito.count) incognito sessions deleted\n")
        let copy = workspace.store(backend, "copy")
        let check = try Tool.run(["check", "--storage", copy, "--format", "json"])
        expect(check.status == 1 && check.messages.contains("all incognito sessions"))
        // The key may be in another keyring as long as the system is not restarted.
        expect(try check.json(status: 1)["discardedIncognitoPartitions"].integer == 0)
        let notes = try check.json(status: 1)["notes"].elements.compactMap(\.text)
        expect(notes.contains { $0.contains("the incognito partition is not available") })
        let left = try Tool.run(["list", "--storage", copy, "--format", "json"])
        expect(try left.json(status: 1).elements.count == sessions.count - incognito.count)
        try Tool.run(["delete-incognito", "--storage", copy]).expectSuccess()
    }

    @Test(arguments: Workspace.triedBackends)
    func explain(backend: String) throws {
        let store = workspace.store(backend) + "?durability=processCrash"
        let (text, json) = try both(["explain", "--storage", store])
        expect(text.contains("processCrash  from URL of --storage"))
        expect(json != .null)
        expect(text.contains("that is AES-256-GCM, key in a file of the store"))
        let entry = json.elements.first { $0["name"].text == "incognitoKeys" }
        expect(entry?["meaning"].text, is: "AES-256-GCM, key in a file of the store")
        expect(try !FileSystem.exists(workspace.file("profile")))
    }
}
