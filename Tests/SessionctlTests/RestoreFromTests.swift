import BrowserSessions
import Expectations
import Foundation
import StorageEngines
import TestSupport

/// `restore --from`: backups, other stores, and the JSON of `export`.
struct RestoreFromTests {
    private static let (window, other) = (HistoryTests.window, HistoryTests.other)
    private static let kept = TabStateKey(
        tab: HistoryTests.tab(0).id, name: .navigation, in: window)
    private static let gone = TabStateKey(
        tab: HistoryTests.tab(3).id, name: .navigation, in: other)
    private static let sources = ["backup", "copy", "json"]

    /// A store with tabs that had other pages and states when the sources were made, and also at its own
    /// restore points, which have others again.
    private struct Fixture {
        let workspace: Workspace
        let store: String

        init(_ backend: String) async throws {
            workspace = Workspace()
            store = workspace.store(backend)
            try await save { changes in
                changes.put(SessionAttributes(title: "Work"), for: window)
                changes.put(SessionAttributes(), for: other)
                for number in UInt64(0)..<3 { changes.put(HistoryTests.tab(number), in: window) }
                for number in UInt64(3)..<5 { changes.put(HistoryTests.tab(number), in: other) }
                changes.put([1, 1], for: kept)
                changes.put([1, 2, 3], for: gone)
            }
            for command in [
                ["backup", file("backup")], ["export", file("json")],
                ["export", file("bare"), "--without-states"],
            ] {
                let outcome = try run(command)
                try require(outcome.status == 0, "\(outcome.messages)")
            }
            try FileSystem.copy(file("profile"), to: file("copy"))
            try await save { changes in changes.put([9, 9], for: gone) }
            try await save { changes in
                var changed = HistoryTests.tab(0)
                changed.url = "https://elsewhere.example/"
                changes.put(changed, in: window)
                changes.put([7], for: kept)
                changes.remove(other)
                changes.remove(HistoryTests.tab(1).id, from: window)
                changes.put(HistoryTests.tab(9), in: window)
            }
        }

        func file(_ name: String) -> String { workspace.file(name) }

        private func save(_ work: (inout SessionChanges) -> Void) async throws {
            var changes = SessionChanges()
            work(&changes)
            try await workspace.withStore(store) { _ = try await $0.save(changes) }
        }

        func run(_ arguments: [String]) throws -> ProgramOutcome {
            try Tool.run(arguments + ["--storage", store], environment: ["TZ": "UTC"])
        }

        func restore(_ source: String, _ more: String...) throws -> ProgramOutcome {
            try run(["restore", "--from", file(source)] + more)
        }

        func state(_ key: TabStateKey) async throws -> [UInt8]? {
            try await workspace.withStore(store) { try await $0.state(of: key) }
        }

        func tabs(_ window: SessionID) async throws -> [TabMetadata]? {
            try await workspace.withStore(store) { try await $0.restore(window)?.tabs }
        }
    }

    @Test(
        "What is gone comes back with the states of the source",
        arguments: Workspace.backends, sources)
    func merging(backend: String, source: String) async throws {
        let fixture = try await Fixture(backend)
        let before = try LookTests().picture(fixture.workspace.path)
        let dry = try fixture.restore(source, "--merge", "--dry-run").expectSuccess()
        expect(dry.hasSuffix("1 session, 3 tabs would be brought back\n"), "\(dry)")
        expect(try LookTests().picture(fixture.workspace.path) == before)
        let limited = try fixture.restore(source, "--window", "\(Self.other)", "--dry-run")
        expect(limited.output.hasSuffix("1 session, 2 tabs would be brought back\n"))
        let words = try fixture.restore(source, "--only", "page-1", "--without", "9", "--dry-run")
        expect(words.output.hasSuffix("\n1 tab would be brought back\n"))
        let done = try fixture.restore(source).expectSuccess()
        expect(done.hasPrefix("1 session, 3 tabs were brought back\nto undo it"))
        expect(try await fixture.state(Self.gone) == [1, 2, 3])
        expect(try await fixture.state(Self.kept) == [7])
        expect(try await fixture.tabs(Self.window)?.count == 4)
    }

    @Test("Everything becomes as it was there", arguments: Workspace.backends, sources)
    func replacing(backend: String, source: String) async throws {
        let fixture = try await Fixture(backend)
        try fixture.restore(source, "--replace").expectSuccess()
        expect(try await fixture.state(Self.kept) == [1, 1])
        expect(try await fixture.state(Self.gone) == [1, 2, 3])
        let tabs = try await fixture.tabs(Self.window)
        expect(tabs?.map(\.url), is: (0..<3).map { HistoryTests.tab($0).url })
        let again = try fixture.restore(source, "--replace", "--dry-run")
        expect(again.output, is: "nothing to bring back\n")
    }

    @Test("JSON without states takes no history away", arguments: Workspace.backends)
    func withoutStates(backend: String) async throws {
        let fixture = try await Fixture(backend)
        let done = try fixture.restore("bare", "--replace").expectSuccess()
        expect(done.contains("without history: the file has none"), "\(done)")
        expect(done.contains("; 1 tab was changed; 1 tab was removed\n"))
        expect(try await fixture.tabs(Self.window)?.first?.url == HistoryTests.tab(0).url)
        expect(try await fixture.state(Self.kept) == [7])
        expect(try await fixture.state(Self.gone) == nil)
    }

    @Test("A point of another store has the states of that", arguments: Workspace.backends)
    func otherPoint(backend: String) async throws {
        let fixture = try await Fixture(backend)
        let url = fixture.workspace.store(backend, "copy")
        try await fixture.workspace.withStore(url) { open in
            var changes = SessionChanges()
            changes.remove(Self.other)
            _ = try await open.save(changes)
        }
        let present = try fixture.run(["restore", "--from", url, "--dry-run"])
        expect(present.output.hasSuffix("1 tab would be brought back\n"), "\(present.output)")
        let point = try fixture.run(["restore", "--from", url, "--at", "latest"])
        expect(point.output.hasPrefix("1 session, 3 tabs were"), "\(point.messages)")
        expect(try await fixture.state(Self.gone) == [1, 2, 3])
        try fixture.run(["restore", "--from", url, "--at", "77"]).expectRefusal(
            "not keep restore point 77")
    }

    @Test("A plan from another store is applied with the states of that, or says so")
    func plans() async throws {
        for hasSource in [true, false] {
            let fixture = try await Fixture("sqlite")
            let plan = fixture.file("plan")
            try fixture.restore("backup", "--plan-to", plan).expectSuccess()
            let more = hasSource ? ["--from", fixture.file("backup")] : []
            let done = try fixture.run(["restore", "--plan", plan] + more)
            expect(done.output.hasPrefix("1 session, 3 tabs were"), "\(done.messages)")
            expect(try await fixture.state(Self.gone) == (hasSource ? [1, 2, 3] : nil))
            expect(done.output.contains("name the source of the plan with --from"), is: !hasSource)
        }
    }

    @Test("What is no source is refused, and damage is named")
    func refusals() async throws {
        let fixture = try await Fixture("directory")
        let json = try FileSystem.read(fixture.file("json"))
        try FileSystem.replace(fixture.file("cut"), with: [UInt8](json.dropLast(json.count / 3)))
        try FileSystem.replace(fixture.file("noise"), with: Array("https://a.example/\n".utf8))
        let before = try LookTests().picture(fixture.file("profile"))
        let refused: [([String], Int32, String)] = [
            (["--from", "backup.tar"], 2, "tar -xf 'backup.tar'"),
            (["--from", fixture.file("noise")], 2, "is no JSON that 'export' wrote"),
            (["--from", fixture.file("none")], 2, "no"),
            (["--from", fixture.file("json"), "--at", "latest"], 2, "no restore points"),
            (["--from", fixture.file("cut"), "--replace"], 1, "merge instead"),
        ]
        for (arguments, status, message) in refused {
            let outcome = try fixture.run(["restore"] + arguments)
            expect(outcome.status, is: status, "\(arguments): \(outcome.messages)")
            expect(outcome.messages.contains(message), "\(arguments): \(outcome.messages)")
        }
        expect(try LookTests().picture(fixture.file("profile")) == before)
        let cut = try fixture.restore("cut")
        expect(cut.status == 1 && cut.output.contains("brought back"), "\(cut.messages)")
        expect(cut.messages.contains("cannot be read"), "\(cut.messages)")
    }
}
