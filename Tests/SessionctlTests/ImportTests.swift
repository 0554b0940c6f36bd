import BrowserSessions
import Expectations
import Foundation
import StorageEngines
import TestSupport

/// What an import says, and what it leaves alone.
struct ImportTests {
    let workspace = Workspace()

    private func write(_ text: String, _ name: String) throws {
        try FileSystem.makeDirectories(FileSystem.parent(of: workspace.file(name)))
        try FileSystem.replace(workspace.file(name), with: Array(text.utf8))
    }

    private func run(_ name: String, _ more: [String] = []) throws -> ProgramOutcome {
        try Tool.run(
            ["import", workspace.file(name), "--storage", workspace.store("sqlite")] + more)
    }

    private static func session(_ urls: [String], _ rest: String = "") -> String {
        let tabs = urls.map { #"{"entries":[{"url":"\#($0)"}]}"# }.joined(separator: ",")
        return #"{"version":["sessionrestore",1],"windows":[{"tabs":[\#(tabs)]\#(rest)}]}"#
    }

    @Test func openAndClosedThingsAreCountedApart() throws {
        let closed = #"{"state":{"entries":[{"url":"https://a.org/"},{"url":"https://b.org/"}]}}"#
        try write(
            Self.session(["https://c.org/"], #","_closedTabs":[\#(closed),\#(closed)]"#), "a.json")
        let text = try run("a.json").output
        expect(text.hasSuffix("\n3 tabs added\n2 sessions saved, 1 of them of closed tabs\n"))
        let source = try run("a.json", ["--format", "json"]).json()["sources"].elements[0]
        let counts = [
            "windows", "tabs", "historyEntries", "closedWindows", "closedTabs",
            "closedHistoryEntries",
        ].map { source[$0].integer }
        expect(counts, is: [1, 1, 1, 0, 2, 4])
        let row = try require(text.split(separator: "\n").dropFirst().first)
        expect(row.split(separator: " ").suffix(6), is: ["1", "1", "1", "0", "2", "4"])
    }

    @Test func countsAgreeInNumber() throws {
        try write("https://a.org/\n", "one/list.txt")
        try write("no", "one/other")
        let one = try run("one").output
        expect(one.hasSuffix("\n1 file is no session file\n1 tab added\n1 session saved\n"))
        for number in 0..<1_234 { try write("no", "two/\(number)") }
        try write("https://a.org/\n", "two/list-1.txt")
        try write("https://b.org/\n", "two/list-2.txt")
        let two = try run("two").output
        // One list is what was imported from another folder.
        expect(
            two.hasSuffix(
                "\n1,234 files are no session files\n1 tab added\n1 tab skipped, here already\n"
                    + "1 session saved\n"))
        let log = "\(Workspace.sample)/chromium/Default/Sessions/Tabs_13360152600000001"
        let closed = try Tool.run(["import", log, "--storage", workspace.store("sqlite")])
        expect(closed.output.hasSuffix("\n2 sessions saved, of closed tabs\n"))
    }

    @Test func ofAProfileTheRestIsNamedAndTakenOnlyWhenAskedFor() throws {
        try write(Self.session(["https://a.org/"]), "p/sessionstore.js")
        try write(
            Self.session(["https://a.org/", "https://b.org/"]), "p/sessionstore-backups/previous.js"
        )
        let (text, json) = (try run("p"), try run("p", ["--format", "json"]))
        expect(text.status == 0 && json.status == 0)
        expect(text.output.contains("\nsessionstore-backups/previous.js: not taken, older\n"))
        let untaken = try json.json()["untaken"].elements
        expect(untaken.map(\.["path"]), is: [.text("sessionstore-backups/previous.js")])
        expect(untaken.map(\.["reason"]), is: [.text("older")])
        expect(try json.json()["sources"].elements.count == 1)
        let all = try run("p", ["--all", "--format", "json"]).json()
        expect(all["sources"].elements.count == 2 && all["untaken"].elements.isEmpty)
    }

    @Test("An import between two uses merges, and says so before", arguments: Workspace.backends)
    func mergesWithUse(backend: String) async throws {
        let store = workspace.store(backend)
        func run(_ more: String...) throws -> ProgramOutcome {
            try Tool.run(["import", workspace.file("two.json"), "--storage", store] + more)
        }
        let windows = [["w1a", "w1b"], ["w2a"]]
        try write(Self.sessions(windows), "two.json")
        expect(try run("--dry-run").output.hasSuffix("\n2 sessions would be saved\n"))
        expect(!FileManager.default.fileExists(atPath: workspace.file("profile")))
        expect(try run().output.hasSuffix("\n3 tabs added\n2 sessions saved\n"))
        try await use(store)
        let digest = try Tool.run(["digest", store]).output
        let again = "\n2 tabs skipped, here already\n1 tab skipped, closed here since\n"
        for more in [["--dry-run"], []] {
            let outcome = try Tool.run(
                ["import", workspace.file("two.json"), "--storage", store] + more)
            expect(outcome.output.contains(again))
            expect(outcome.output.contains("two.json: matched with what was imported from /"))
            expect(outcome.output.contains(more.isEmpty ? "nothing was" : "nothing would be"))
        }
        expect(try Tool.run(["digest", store]).output == digest)
        try write(Self.sessions([["w1a", "w1b"], ["w2a", "w2b"]]), "two.json")
        expect(try run().output.contains("\n1 tab added\n"))
        let counts = try run("--replace", "--format", "json").json()["changes"]
        expect(counts["tabsAdded"] == .number(1) && counts["tabsRemoved"] == .number(1))
        expect(try run("--add").output.contains("\n4 tabs added\n"))
        try run("--add", "--replace").expectRefusal("exclude each other", status: 64)
    }

    private static func sessions(_ windows: [[String]]) -> String {
        let texts = windows.map { tabs in
            let tabs = tabs.map { #"{"entries":[{"url":"https://\#($0).example/"}]}"# }
            return #"{"tabs":[\#(tabs.joined(separator: ","))]}"#
        }
        return #"{"version":["sessionrestore",1],"windows":[\#(texts.joined(separator: ","))]}"#
    }

    /// Opens a tab in the first window, closes one there, and moves the other to the second.
    private func use(_ store: String) async throws {
        try await workspace.withStore(store) { store in
            let windows = try await store.restore(store.sessions())
                .filter { $0.id.kind.role == .window }.sorted { $0.tabs.count > $1.tabs.count }
            var changes = SessionChanges()
            changes.put(
                TabMetadata(
                    id: .random(), place: .between(nil, and: nil), url: "https://new.example/"),
                in: windows[0].id)
            changes.remove(windows[0].tabs[0].id, from: windows[0].id)
            changes.put(windows[0].tabs[1], in: windows[1].id)
            _ = try await store.save(changes)
        }
    }

    @Test func aCutFileOnlyAddsAndReplacesNothing() throws {
        let whole = Self.session(
            ["https://a.org/", "https://b.org/"], #","selected":2,"groups":[]"#
        ).replacing(#"a.org/"}]"#, with: #"a.org/"}],"pinned":true"#)
        try write(whole, "a.js")
        try run("a.js").expectSuccess()
        let digest = try Tool.run(["digest", workspace.store("sqlite")]).output
        for count in stride(from: 65, to: whole.utf8.count, by: 9) {
            try write(String(whole.prefix(count)), "a.js")
            let cut = try run("a.js")
            expect(cut.status == 1 && cut.output.contains(": something is missing or may be"))
            let source = try run("a.js", ["--format", "json"]).json(status: 1)["sources"]
            expect(!source.elements.flatMap { $0["problems"].elements }.isEmpty)
            try run("a.js", ["--replace"]).expectRefusal("a.js lacks something", status: 1)
            expect(try Tool.run(["digest", workspace.store("sqlite")]).output, is: digest)
        }
    }

    @Test func aSmallerLimitOfTheStoreIsKept() throws {
        let state = String(repeating: "x", count: 9_000)
        try write(
            #"{"windows":[{"tabs":[{"entries":[{"url":"https://a.org/","docshellID":"\#(state)"}]}]}]}"#,
            "a.json")
        let outcome = try run("a.json", ["--option", "maximumStateBytes=5000", "--format", "json"])
        expect(try outcome.json(status: 1)["sessions"] == .number(1))
        expect(try outcome.json(status: 1)["unsaved"].elements.isEmpty)
    }

    @Test func namesWithLineFeedsStayInTheirLine() throws {
        try write("https://a.org/\n", "d/a\nb.txt")
        let outcome = try run("d")
        expect(outcome.output.contains("\na\\u{A}b.txt  links"))
        let missing = try run("no\nsuch")
        expect(missing.messages.split(separator: "\n").count, is: 1)
        expect(missing.status, is: 2)
    }

    /// As someone else than the superuser, who may read everything.
    @Test(.enabled(if: Other.isThere, "neither another user nor a way to be one"))
    func aProfileOfAnotherUserIsNamed() throws {
        try write(Self.session(["https://a.org/"]), "theirs/sessionstore.js")
        try write(Self.session(["https://b.org/"]), "ours/sessionstore.js")
        for name in ["", "ours", "ours/sessionstore.js"] { chmod(workspace.file(name), 0o755) }
        chmod(workspace.file("theirs"), 0o000)
        defer { chmod(workspace.file("theirs"), 0o700) }
        try FileSystem.makeDirectory(workspace.file("stores"))
        chmod(workspace.file("stores"), 0o777)
        let store = "sqlite://\(workspace.file("stores"))/profile"
        try Other.run(["import", workspace.file("theirs"), "--storage", store]).expectRefusal(
            "\(workspace.file("theirs")) may not be read", "permissionDenied")
        expect(try FileSystem.contents(of: workspace.file("stores")).isEmpty)
        let part = try Other.run(
            ["import", workspace.path, "--storage", store, "--format", "json"])
        let untaken = try part.json(status: 1)["untaken"].elements
        let theirs = untaken.first { $0["path"] == .text("theirs") }
        expect(theirs?["reason"], is: .text("unreadable"))
        expect(try part.json(status: 1)["sessions"] == .number(1))
        try write("{}", "ours/sessionstore-backups/recovery.js")
        chmod(workspace.file("ours/sessionstore-backups"), 0)
        defer { chmod(workspace.file("ours/sessionstore-backups"), 0o700) }
        let inner = try Other.run(
            ["import", workspace.file("ours"), "--storage", store, "--format", "json"])
        expect(try inner.json(status: 1)["changes"]["unchanged"] == .number(1))
        let backups = try inner.json(status: 1)["untaken"].elements
        expect(backups.map(\.["path"]), is: [.text("sessionstore-backups")])
        expect(backups.map(\.["reason"]), is: [.text("unreadable")])
    }
}

/// A user without special rights: this one or, for the superuser, another one.
private enum Other {
    private static let program = "/usr/bin/setpriv"

    static var isThere: Bool {
        geteuid() != 0 || FileManager.default.isExecutableFile(atPath: program)
    }

    static func run(_ arguments: [String]) throws -> ProgramOutcome {
        guard geteuid() == 0 else { return try Tool.run(arguments) }
        return try Tool.run(arguments, through: [program, "--reuid=65534", "--clear-groups"])
    }
}
