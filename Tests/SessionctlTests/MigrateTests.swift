import BrowserSessions
import ChildProcesses
import Expectations
import Foundation
import StorageConformance
import StorageEngines
import TestSupport

struct MigrateTests {
    private let workspace = Workspace()
    static let pairs = Workspace.backends.flatMap { from in
        Workspace.backends.map { (from, $0) }
    }

    func digest(_ store: String) throws -> String {
        let outcome = try Tool.run(["digest", "--storage", store])
        try require(outcome.status == 0, "\(outcome.messages)")
        return String(outcome.output.dropLast())
    }

    /// The source's files, but for those that change whenever a store is opened: the lock, which
    /// names the process, and LevelDB's own, because it writes new ones.
    func ownFiles(_ workspace: Workspace) throws -> [String: [UInt8]] {
        let files = try FileSystem.files(in: workspace.file("source"))
        return files.filter { !$0.key.hasSuffix("/lock") && !$0.key.contains("/db/") }
    }

    @Test("Everything is copied and compared, and the source stays", arguments: pairs)
    func copies(from: String, to: String) throws {
        let source = try workspace.imported(from, "source")
        let target = workspace.store(to, "target") + "?incognitoKeys=file"
        let before = try digest(source)
        let files = try ownFiles(workspace)
        let outcome = try Tool.run([
            "migrate", "--from", source, "--to", target, "--include-incognito", "--format", "json",
        ])
        expect(outcome.messages.isEmpty)
        let json = try outcome.json()
        expect(json["sha256"], is: .text(before))
        expect(json["tabs"], is: .number(40))
        expect(try ownFiles(workspace) == files)
        expect(try digest(source) == before)
        expect(try digest(target) == before)
    }

    @Test func incognitoSessionsStayUnlessAskedFor() throws {
        let source = try workspace.imported("sqlite", "source")
        let target = workspace.store("directory", "target")
        let outcome = try Tool.run(["migrate", "--from", source, "--to", target])
        expect(
            outcome.expectSuccess().contains("both stores hold the same but for incognito sessions")
        )
        expect(outcome.messages.contains("left out: 2 incognito sessions with 3 tabs"))
        let list = try Tool.run(["list", "--storage", target, "--format", "json"]).json().elements
        expect(list.count > 10)
        expect(list.allSatisfy { $0["session"].text?.hasSuffix("/incognito") == false })
        expect(try !FileSystem.exists("\(workspace.file("target"))/incognito"))
    }

    @Test func aTargetWithSessionsIsRefused() throws {
        let source = try workspace.imported("sqlite", "source")
        let target = workspace.store("leveldb", "target")
        let links = "\(Workspace.sample)/links.tsv"
        try Tool.run(["import", links, "--incognito", "--storage", target]).expectSuccess()
        let before = try digest(target)
        try Tool.run(["migrate", "--from", source, "--to", target]).expectRefusal(
            "that the source does not hold", "(conflict)")
        expect(try digest(target) == before)
    }

    @Test func aTargetThatHasOnlyTheNotesOfALaunchIsAsGoodAsNew() async throws {
        let source = try workspace.imported("sqlite", "source")
        let target = workspace.store("leveldb", "target")
        let note = SessionID(window: WindowID(high: 9, low: 9), kind: .launch)
        try await workspace.withStore(target) { store in
            var changes = SessionChanges()
            changes.put(SessionAttributes(title: "launch"), for: note)
            _ = try await store.save(changes)
        }
        for more in [["--dry-run"], []] {
            try Tool.run(["migrate", "--from", source, "--to", target] + more).expectSuccess()
        }
        let ids = try await workspace.withStore(target) { try await $0.sessions() }
        expect(ids.count > 10 && !ids.contains(note))
    }

    @Test func onlyAStoreThatIsThereCanBeCopied() throws {
        let target = workspace.store("sqlite", "target")
        try Tool.run([
            "migrate", "--from", workspace.store("sqlite", "none"), "--to", target,
        ]).expectRefusal("(notFound)")
        expect(try FileSystem.contents(of: workspace.path) == [])
    }

    @Test func aStoreCannotBeCopiedOntoItself() throws {
        let store = try workspace.imported("sqlite")
        let before = try digest(store)
        let (path, link) = (workspace.file("profile"), workspace.file("link"))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let folder = workspace.file("folder")
        try FileSystem.makeDirectory(folder)
        for other in [
            store, path, "\(store)/", "sqlite:\(folder)/../profile", "sqlite:\(link)", link,
            "directory:\(path)", "\(store)?durability=processCrash", "\(workspace.path)//profile/.",
        ] {
            try Tool.run(["migrate", "--from", store, "--to", other]).expectRefusal(
                "--from and --to are the same store")
        }
        expect(try digest(store) == before)
    }

    @Test func aDryRunSaysWhatWouldBeCopied() throws {
        let source = try workspace.imported("sqlite", "source")
        let target = workspace.store("leveldb", "target")
        let arguments = ["migrate", "--from", source, "--to", target]
        let dry = try Tool.run(arguments + ["--dry-run"]).expectSuccess()
        expect(dry, is: "15 sessions, 37 tabs, 40 states would be copied\n")
        expect(try !FileSystem.exists(workspace.file("target")))
        let json = try Tool.run(arguments + ["--dry-run", "--format", "json"]).json()
        expect(json["tabs"] == .number(37) && json["sha256"] == .null)
        expect(try Tool.run(arguments).output.hasPrefix("15 sessions, 37 tabs, 40 states copied\n"))
        let again = try Tool.run(arguments + ["--dry-run"])
        expect(again.output.contains("15 of these sessions were there already"))
    }

    #if os(Linux)
        @Test(
            "A source on a medium that can only be read is copied",
            .enabled(if: SmallDisk.isPossible, "needs the right to mount"),
            arguments: Workspace.backends)
        func readOnlySource(backend: String) throws {
            let disk = try SmallDisk(kibibytes: 8192)
            let made = try workspace.imported(backend, "source")
            let source = "\(backend)://\(disk.path)/source"
            try FileSystem.copy(workspace.file("source"), to: "\(disk.path)/source")
            try disk.setReadOnly(true)
            let target = workspace.store("directory", "target")
            try Tool.run(["migrate", "--from", source, "--to", target]).expectSuccess()
            try disk.setReadOnly(false)
            expect(try digest(source) == digest(made))
        }

        /// Many small windows, so that a copy takes a while.
        func manySessions(_ workspace: Workspace, _ store: String) async throws {
            try await workspace.withStore(store) { store in
                for number in 0..<400 as Range<UInt64> {
                    let session = SessionID(window: WindowID(high: number, low: 7))
                    var changes = SessionChanges()
                    changes.put(SessionAttributes(title: "\(number)"), for: session)
                    let tab = TabMetadata(
                        id: TabID(high: 3, low: number), place: OrderKey.evenlySpaced(count: 1)[0],
                        url: "https://example.org/\(number)", title: "tab \(number)")
                    changes.put(tab, in: session)
                    for name in [StateName.navigation, .native] {
                        changes.put(
                            [UInt8](repeating: UInt8(number % 250), count: 5000),
                            for: TabStateKey(tab: tab.id, name: name, in: session))
                    }
                    _ = try await store.save(changes, durability: .processCrash)
                }
            }
        }

        /// A copy that has begun, with the terminal that shows its progress.
        func copying(_ arguments: [String], _ workspace: Workspace) throws
            -> (RunningProgram, PseudoTerminal)
        {
            let terminal = try PseudoTerminal(columns: 80)
            let temporary = workspace.file("temporary")
            try FileSystem.makeDirectories(temporary)
            let program = try Tool.start(
                arguments, ["TMPDIR": temporary], output: .nothing,
                messages: .descriptor(terminal.open()))
            var text = ""
            // waits: each turn reads what the program has written
            while !text.contains("copying "), case let bytes = terminal.read(), !bytes.isEmpty {
                text += String(decoding: bytes, as: UTF8.self)
            }
            return (program, terminal)
        }

        /// Tries again while the copy is done before it can be stopped, as it may be on a busy machine.
        func untilStopped(_ workspace: Workspace, _ isStopped: () throws -> Bool) throws {
            for _ in 0..<20 {
                if try isStopped() { return }
                try FileSystem.remove(workspace.file("target"))
            }
            recordIssue("a copy was never stopped before it was done")
        }

        @Test(
            "A copy that is interrupted leaves nothing of the source", arguments: [SIGINT, SIGTERM])
        func interrupted(by signal: Int32) async throws {
            let source = workspace.store("directory", "source")
            let target = workspace.store("sqlite", "target")
            try await manySessions(workspace, source)
            let arguments = ["migrate", "--from", source, "--to", target]
            let temporary = workspace.file("temporary")
            var text = ""
            try untilStopped(workspace) {
                let (program, terminal) = try copying(arguments, workspace)
                program.send(signal)
                text = ""
                // waits: each turn reads what the program has written
                while case let bytes = terminal.read(), !bytes.isEmpty {
                    text += String(decoding: bytes, as: UTF8.self)
                }
                expect(try FileSystem.contents(of: temporary) == [])
                return program.end() == .exited(2)
            }
            expect(text.contains("it was interrupted; run it again"), "\(text)")
            let outcome = try Tool.run(arguments + ["--format", "json"])
            expect(try (1..<400).contains(outcome.json()["sessionsThere"].integer ?? 0))
        }

        @Test("A copy that was killed goes on when it is run again", arguments: Workspace.backends)
        func killed(backend: String) async throws {
            let source = workspace.store("directory", "source")
            let target = workspace.store(backend, "target")
            try await manySessions(workspace, source)
            let before = try digest(source)
            let arguments = ["migrate", "--from", source, "--to", target]
            try untilStopped(workspace) {
                try (0..<2).allSatisfy { _ in
                    try copying(arguments, workspace).0.kill() == .signal(SIGKILL)
                }
            }
            let partly = try Tool.run(["list", "--storage", target, "--format", "json-lines"])
            let count = partly.output.split(separator: "\n").count
            expect((1..<400).contains(count))
            let outcome = try Tool.run(arguments + ["--format", "json"])
            expect(try outcome.json()["sessionsThere"].integer == count)
            expect(try outcome.json()["sessions"].integer == 400)
            expect(try digest(target) == before)
            // And once more, when all is done.
            expect(try Tool.run(arguments).output.contains("400 of these sessions were there"))
        }
    #endif

    enum Edit: CaseIterable { case title, state, newState, lostState }

    @Test("A copy of what has changed meanwhile is a conflict", arguments: Edit.allCases)
    func changed(_ edit: Edit) async throws {
        let source = try workspace.imported("sqlite", "source")
        let target = workspace.store("directory", "target")
        let arguments = ["migrate", "--from", source, "--to", target]
        try Tool.run(arguments).expectSuccess()
        let before = try digest(target)
        try await workspace.withStore(edit == .newState ? target : source) { store in
            var changes = SessionChanges()
            for id in try await store.sessions() where id.partition == .regular && changes.isEmpty {
                guard let key = try await store.stateKeys(in: id).last else { continue }
                let session = try require(try await store.restore(id))
                switch edit {
                case .title:
                    var attributes = session.attributes
                    attributes.title += "!"
                    changes.put(attributes, for: id)
                case .state: changes.put([1, 2, 3], for: key)
                case .newState:
                    let name = try require(StateName(rawValue: "host.thumbnail"))
                    changes.put([1], for: TabStateKey(tab: key.tab, name: name, in: id))
                case .lostState: changes.remove(key)
                }
            }
            _ = try await store.save(changes)
        }
        let changed = try digest(target)
        expect((changed == before), is: (edit != .newState))
        for more in [[], ["--partial"]] {
            try Tool.run(arguments + more).expectRefusal("another version of session")
            expect(try digest(target) == changed)
        }
    }
}
