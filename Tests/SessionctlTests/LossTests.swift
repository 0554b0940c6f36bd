import BrowserSessions
import Expectations
import StorageEngines
import TestSupport

@testable import sessionctl

/// Commands that read a store with losses report them, in words and by the exit code.
struct LossTests {
    /// A store of two windows. One lost one of its three tabs and the history of another.
    struct Damaged {
        let workspace: Workspace
        let store: String
        let window: SessionID
        let other: SessionID

        init(_ backend: String) async throws {
            workspace = Workspace()
            store = workspace.store(backend)
            window = SessionID(window: WindowID(high: 0xABC, low: 1))
            other = SessionID(window: WindowID(high: 0xDEF, low: 2))
            let (window, other) = (window, other)
            try await workspace.withStore(store) { store in
                for (session, name) in [(window, "harmed"), (other, "sound")] {
                    var changes = SessionChanges()
                    changes.put(SessionAttributes(title: "a title"), for: session)
                    _ = try await store.save(changes)
                    for (number, place) in OrderKey.evenlySpaced(count: 3).enumerated() {
                        // A set is lost as a whole where it is one record.
                        changes = SessionChanges()
                        let tab = TabMetadata(
                            id: TabID(high: session.window.high, low: UInt64(number)),
                            place: place, url: "https://\(name)-\(number).example/",
                            title: "title of \(name)-\(number)")
                        changes.put(tab, in: session)
                        let history = NavigationHistory(
                            url: tab.url, title: "history of \(name)-\(number)")
                        changes.put(
                            history.encoded(),
                            for: TabStateKey(tab: tab.id, name: .navigation, in: session))
                        _ = try await store.save(changes)
                    }
                }
            }
            try workspace.harm("title of harmed-1")
        }

        func run(_ arguments: String...) throws -> ProgramOutcome {
            try Tool.run(arguments + ["--storage", store])
        }
    }

    func expectWords(_ outcome: ProgramOutcome, _ damaged: Damaged, isPartial: Bool) {
        expectWords(
            outcome, damaged, end: isPartial ? "and is here." : "but nothing was given out.")
    }

    func expectWords(_ outcome: ProgramOutcome, _ damaged: Damaged, end: String) {
        expect(outcome.status, is: 1)
        // A log does not know the owners of its unreadable records.
        let words =
            damaged.store.hasPrefix("directory")
            ? "in windows that cannot be named: the manifest lists 14 records, 12 could be read"
            : "\(damaged.window): 2 of 3 tabs can be read"
        expect(outcome.messages.contains(words))
        expect(!outcome.messages.contains("\(damaged.other)"))
        expect(
            outcome.messages.contains("sessionctl repair '\(damaged.workspace.file("profile"))'"))
        expect(outcome.messages.contains(end))
        // Messages land in logs: they have no content.
        for word in ["example", "title of", "a title"] {
            expect(!outcome.messages.contains(word))
        }
    }

    @Test("Commands that list or show a store report its losses", arguments: Workspace.backends)
    func readers(backend: String) async throws {
        let damaged = try await Damaged(backend)
        let list = try damaged.run("list")
        expectWords(list, damaged, isPartial: true)
        expect(list.output.contains("\(damaged.other)"))
        let lines = try damaged.run("list", "--format", "json-lines")
        expectWords(lines, damaged, isPartial: true)
        expect(lines.output.split(separator: "\n").count, is: 2)
        let show = try damaged.run("show", "\(damaged.window)")
        expectWords(show, damaged, isPartial: true)
        expect(show.output.contains("harmed-2.example"))
        let check = try damaged.run("check")
        expectWords(
            check, damaged,
            end: backend == "directory" ? "may be as it was earlier" : "is as it was saved.\n")
        expect(check.output.contains("loss: "))
        let sound = try damaged.run("show", "\(damaged.other)")
        expect(sound.status == 0 || backend == "directory")
    }

    @Test(
        "A session without any record left is reported in the same words",
        arguments: Workspace.backends)
    func nothingLeft(backend: String) async throws {
        let damaged = try await Damaged(backend)
        try FileSystem.remove(damaged.workspace.file("profile/regular"))
        for arguments in [["list"], ["digest"], ["export", "-"], ["show", "\(damaged.window)"]] {
            try Tool.run(arguments + ["--storage", damaged.store]).expectRefusal(
                "in windows that cannot be named: the files of the partition were gone",
                "What you can do:", status: 1)
        }
    }

    @Test("Who wants everything gets nothing, or what is left", arguments: Workspace.backends)
    func wholes(backend: String) async throws {
        let damaged = try await Damaged(backend)
        let file = damaged.workspace.file("export.json")
        for arguments in [["digest"], ["export", file], ["export", "-"]] {
            let outcome = try Tool.run(arguments + ["--storage", damaged.store])
            expectWords(outcome, damaged, isPartial: false)
            expect(outcome.output.isEmpty)
        }
        expect(try !FileSystem.exists(file))
        let partial = try damaged.run("export", "--partial", file)
        expectWords(partial, damaged, isPartial: true)
        let text = try damaged.workspace.text("export.json")
        expect(text.contains("harmed-0") && text.contains("harmed-2") && text.contains("sound-1"))
        expect(!text.contains("harmed-1"))
        expect(partial.output, is: "\(text.utf8.count) bytes written to \(file)\n")
    }

    @Test("A damaged store is copied in part if that is asked", arguments: Workspace.backends)
    func migrating(backend: String) async throws {
        let damaged = try await Damaged(backend)
        let target = damaged.workspace.store(backend, "target")
        let arguments = ["migrate", "--from", damaged.store, "--to", target]
        let whole = try Tool.run(arguments)
        expectWords(whole, damaged, isPartial: false)
        expect(whole.output.isEmpty)
        expect(try !FileSystem.exists(damaged.workspace.file("target")))
        let dry = try Tool.run(arguments + ["--partial", "--dry-run"])
        expectWords(dry, damaged, isPartial: true)
        expect(dry.output.contains("2 sessions, 5 tabs, 5 states would be copied"))
        let partial = try Tool.run(arguments + ["--partial"])
        expectWords(partial, damaged, isPartial: true)
        expect(partial.output.contains("2 sessions, 5 tabs, 5 states copied"))
        try Tool.run(["digest", "--storage", target]).expectSuccess()
        // What the target lost is not said of the source.
        try damaged.workspace.harm("history of sound-0", in: "target")
        let harmed = try Tool.run(arguments + ["--partial"])
        expect(harmed.status, is: 1)
        expect(harmed.output.isEmpty)
        expect(harmed.messages.contains("the target: "), "\(harmed.messages)")
        expect(!harmed.messages.contains("What you can do:"))
    }

    @Test("A lost history is reported, too", arguments: Workspace.backends)
    func states(backend: String) async throws {
        let damaged = try await Damaged(backend)
        try damaged.run("repair").expectSuccess()
        try damaged.run("digest").expectSuccess()
        try damaged.workspace.harm("history of sound-1")
        for arguments in [["digest"], ["export", "-"]] {
            try Tool.run(arguments + ["--storage", damaged.store]).expectRefusal(
                "\(damaged.other): 1 tab has lost history or page state", status: 1)
        }
        try damaged.run("list").expectRefusal(
            "\(damaged.other): 1 tab has lost history or page state", status: 1, isPartial: true)
        let show = try damaged.run("show", "\(damaged.other)", "--states")
        expect(show.status, is: 1)
        expect(show.output.contains("sound-1"))
        let partial = try damaged.run("export", "-", "--partial")
        expect(partial.status, is: 1)
        expect(partial.output.contains("sound-1.example"))
        let target = damaged.workspace.store(backend, "target")
        let copy = try Tool.run([
            "migrate", "--partial", "--from", damaged.store, "--to", target,
        ])
        expect(copy.status, is: 1)
        expect(copy.output.contains("5 tabs, 4 states copied"))
    }

    @Test("A command does not advise what it is itself")
    func advice() async throws {
        let damaged = try await Damaged("sqlite")
        let export = try damaged.run("export", "-", "--partial")
        expect(export.status == 1 && export.messages.contains("--previous"))
        expect(!export.messages.contains("--partial"))
        // What is kept of a sound store is harmed with it.
        try damaged.run("repair").expectSuccess()
        _ = try await damaged.workspace.withStore(damaged.store) { try await $0.sessions() }
        try damaged.workspace.harm("title of harmed-2")
        let earlier = try damaged.run("show", "\(damaged.window)", "--previous")
        expect(earlier.status == 1 && earlier.messages.contains("1 of 2 tabs"), "\(earlier)")
        expect(!earlier.messages.contains("--previous"))
    }

    @Test(
        "A pinned restore point that lacks something is a loss, until a repair",
        arguments: Workspace.backends)
    func points(backend: String) async throws {
        let damaged = try await Damaged(backend)
        try damaged.run("repair").expectSuccess()
        var changes = SessionChanges()
        let times = ["the past", "now"].map { time in
            TabMetadata(
                id: TabID(high: 7, low: 7), place: OrderKey.evenlySpaced(count: 1)[0],
                url: "https://example.org/", title: "title of \(time)")
        }
        changes.put(times[0], in: damaged.other)
        try await damaged.workspace.withStore(damaged.store) { store in
            _ = try await store.save(changes)
            _ = try await store.takeRestorePoint(name: "mine", pinned: true)
            changes = SessionChanges()
            changes.put(times[1], in: damaged.other)
            _ = try await store.save(changes)
        }
        try damaged.run("check").expectSuccess()
        try damaged.workspace.harm("title of the past")
        let check = try damaged.run("check")
        expect(check.status, is: 1, "\(check.output)")
        // A write that LevelDB loses had the point itself, which is then among the missing records.
        let words = backend == "leveldb" ? "records" : "lacks some of its records"
        expect(check.messages.contains(words), "\(check.messages)")
        expect(check.output.contains("something was lost"))
        try damaged.run("repair").expectSuccess()
        try damaged.run("check").expectSuccess()
    }

    @Test(
        "Of a backup that was laid over a newer killed store, nothing is claimed",
        arguments: Workspace.backends)
    func laidOver(backend: String) async throws {
        let workspace = Workspace()
        let (store, looks) = (workspace.store(backend), LookTests())
        func copy(_ source: String, _ target: String) throws {
            let copy = ["/bin/cp", "-a", workspace.file(source) + "/.", workspace.file(target)]
            try ProgramOutcome(of: copy).expectSuccess()
        }
        try await workspace.withStore(store) { _ = try await $0.save(looks.tabs(0..<200)) }
        try copy("profile", "backup")
        try await workspace.withStore(store) { owner in
            var changes = SessionChanges()
            for number in UInt64(0)..<100 {
                changes.remove(TabID(high: 0xABC, low: number), from: LookTests.window)
            }
            _ = try await owner.save(changes, durability: .powerLoss)
            try copy("profile", "killed")
        }
        try FileSystem.remove(workspace.file("profile"))
        try FileSystem.move(workspace.file("killed"), to: workspace.file("profile"))
        try copy("backup", "profile")
        let check = try Tool.run(["check", "--storage", store])
        let list = try Tool.run(["list", "--storage", store, "--format", "json"])
        let isNewest = list.output.contains("\"tabs\" : 100")
        expect(
            isNewest || check.status == 1 || check.output.contains(" 200 tabs"), "\(check.output)")
        expect(!check.messages.contains("is as it was saved"), "\(check.messages)")
    }

    @Test func words() {
        let session = SessionID(window: WindowID(high: 1, low: 2))
        var losses = StoreLosses()
        for number in 0..<2 as Range<UInt64> {
            let tab = TabID(high: 0, low: number)
            losses.add(Loss(.tab, session: session, tab: tab, detail: "d"), readableTabs: 12)
            losses.add(
                Loss(.state, session: session, tab: TabID(high: 1, low: 1), detail: "\(number)"))
        }
        losses.add(Loss(.tabReplacedByEarlier, session: session, detail: "d"))
        losses.add(Loss(.node, session: session, node: NodeID(high: 2, low: 1), detail: "d"))
        for number in 0..<2 as Range<UInt64> {
            let node = NodeID(high: 3, low: number)
            losses.add(Loss(.nodeReplacedByEarlier, session: session, node: node, detail: "d"))
        }
        losses.add(Loss(.attributes, session: session, detail: "d"))
        losses.add(Loss(.unknownRecords, detail: "records are missing"))
        losses.add(Loss(.unknownRecords, detail: "records are missing"))
        losses.add(Loss(.unfinishedWrite, detail: "no loss"))
        let lines = losses.lines(of: "/p", isPartial: true)
        expect(
            lines[1...2],
            is: [
                "  \(session): 12 of 14 tabs can be read; 1 tab is as it was earlier; "
                    + "1 group or folder has lost name and place; "
                    + "2 groups or folders are as they were earlier; "
                    + "1 tab has lost history or page state; its title, groups and active tab are lost",
                "  in windows that cannot be named: records are missing",
            ])
        expect(lines.count, is: 8)
        expect(lines[3].hasPrefix("Everything else may be as it was earlier"))
        // What was just done is no advice.
        let advice = lines.suffix(3)
        for (used, line) in zip(StoreLosses.Remedy.allCases, advice) {
            let others = losses.lines(of: "/p", isPartial: true, used: used).suffix(2)
            expect(Array(others), is: advice.filter { $0 != line })
        }
    }
}
