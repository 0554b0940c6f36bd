import ArgumentParser
import BrowserSessions
import ChildProcesses
import Expectations
import Foundation
import StorageConformance
import StorageEngines
import TestSupport
import ToolSupport

@testable import sessionctl

/// Who only looks into a store changes nothing of it.
struct LookTests {
    private let workspace = Workspace()

    /// The commands with their names, as `quarantine list`, without those that only hold others.
    static func commands(
        of command: any ParsableCommand.Type = Sessionctl.self, _ above: [String] = []
    ) -> [(name: [String], type: any ParsableCommand.Type)] {
        let inner = command.configuration.subcommands
        if inner.isEmpty { return [(above, command)] }
        return inner.flatMap { commands(of: $0, above + [$0._commandName]) }
    }

    /// What is tried of each command that looks, and what others say before they change anything.
    static func tried(_ workspace: Workspace) -> [[String]] {
        [
            ["list"], ["list", "--all"], ["show", "\(window)"], ["check"], ["digest"],
            ["export", "-"], ["du"], ["quarantine"], ["quarantine", "list"],
            ["quarantine", "show", "2"], ["find", "title"], ["points"],
            ["diff", "latest", "current"], ["show", "\(window)", "--at", "latest"],
            ["export", workspace.file("lists"), "--as", "markdown", "--partial"], ["init"],
            ["show", "\(window)", "--previous", "--format", "json"], ["remove"],
            ["save-loop", "--verify", "0"], ["explain"],
            ["backup", workspace.file("backup")],
        ]
    }

    @Test("Each command looks or changes, and every one that looks is tried here")
    func kinds() throws {
        let tried = Self.tried(Workspace())
        for (name, type) in Self.commands() {
            switch type {
            case is any LookingCommand.Type:
                expect(tried.contains { $0.starts(with: name) }, "\(name) is not tried here")
            case is any ChangingCommand.Type: break
            default: expect(["explain", "demo", "save-loop"].contains(name[0]), "\(name)")
            }
        }
    }

    /// How the store was left.
    enum State: String, CaseIterable { case healthy, killed, damaged }

    struct Entry: Equatable {
        var bytes: [UInt8]?
        var attributes: NSDictionary
    }

    /// What is in a folder, with bytes, rights, numbers and times of change.
    func picture(_ path: String) throws -> [String: Entry] {
        var found: [String: Entry] = [:]
        let names = try FileManager.default.subpathsOfDirectory(atPath: path)
        for name in [""] + names {
            let file = "\(path)/\(name)"
            var attributes = try FileManager.default.attributesOfItem(atPath: file)
            attributes[.referenceCount] = nil
            let isFile = attributes[.type] as? FileAttributeType == .typeRegular
            found[name] = Entry(
                bytes: isFile ? try FileSystem.read(file) : nil,
                attributes: attributes as NSDictionary)
        }
        return found
    }

    static let window = SessionID(window: WindowID(high: 0xABC, low: 1))

    func tabs(_ numbers: Range<UInt64>) -> SessionChanges {
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "a title"), for: Self.window)
        for (number, place) in zip(numbers, OrderKey.evenlySpaced(count: numbers.count)) {
            changes.put(
                TabMetadata(
                    id: TabID(high: 0xABC, low: number), place: place,
                    url: "https://page-\(number).example/", title: "title of page \(number)"),
                in: Self.window)
        }
        return changes
    }

    /// A store with a restore point, of two tabs, and five tabs now.
    func store(_ backend: String, _ state: State, _ workspace: Workspace) async throws -> String {
        let store = workspace.store(backend)
        try await workspace.withStore(store) { _ = try await $0.save(tabs(0..<2)) }
        try await workspace.withStore(store) { open in
            _ = try await open.save(tabs(0..<5))
            try FileSystem.copy(workspace.file("profile"), to: workspace.file("left"))
        }
        if state == .killed {
            try FileSystem.remove(workspace.file("profile"))
            try FileSystem.move(workspace.file("left"), to: workspace.file("profile"))
        } else {
            try FileSystem.remove(workspace.file("left"))
        }
        if state == .damaged { try workspace.harm("title of page 4") }
        return store
    }

    @Test(
        "A look changes nothing, however the store was left", arguments: Workspace.backends,
        State.allCases)
    func untouched(backend: String, state: State) async throws {
        let store = try await store(backend, state, workspace)
        let target = workspace.store("directory", "target")
        let before = try picture(workspace.file("profile"))
        for command in Self.tried(workspace) {
            let outcome = try Tool.run(command + ["--storage", store])
            let isRefused =
                ["remove", "save-loop"].contains(command[0])
                || command.starts(with: ["quarantine", "show"])
            expect(outcome.status == 0 || isRefused || state == .damaged, "\(outcome.messages)")
            if command.contains("--previous"), state != .damaged {
                expect(try outcome.json()["tabs"].elements.count == 2)
            }
            expect(try picture(workspace.file("profile")) == before, "\(command)")
        }
        let plan = ["migrate", "--dry-run", "--partial", "--from", store, "--to", target]
        _ = try Tool.run(plan)
        _ = try Tool.run(["migrate", "--dry-run", "--from", store, "--to", store + "/"])
        expect(try picture(workspace.file("profile")) == before)
    }

    @Test("The folder for temporary files may be a link, as it is on Apple's systems")
    func linkedTemporaryFolder() throws {
        let store = try workspace.imported("sqlite")
        let (folder, link) = (workspace.file("temporary"), workspace.file("link"))
        try FileSystem.makeDirectory(folder)
        expect(symlink(folder, link), is: 0)
        try Tool.run(["list", "--storage", store], environment: ["TMPDIR": link]).expectSuccess()
        expect(try FileSystem.contents(of: folder) == [])
    }

    #if os(Linux)
        @Test(
            "A look that is interrupted leaves nothing behind",
            arguments: [SIGINT, SIGTERM, SIGHUP])
        func interrupted(by signal: Int32) async throws {
            let store = workspace.store("sqlite")
            try await MigrateTests().manySessions(workspace, store)
            let temporary = workspace.file("temporary")
            try FileSystem.makeDirectory(temporary)
            let program = try Tool.start(
                ["list", "--format", "json-lines", "--storage", store], ["TMPDIR": temporary],
                output: .pipe, messages: .file(workspace.file("messages")))
            // It lists more than a pipe takes, so that it is still there.
            expect(!program.read().isEmpty)
            expect(try FileSystem.contents(of: temporary).count == 1)
            program.send(signal)
            _ = program.readToEnd()
            expect(program.end(), is: .exited(2))
            let text = try workspace.text("messages")
            expect(text.contains("it was interrupted; nothing is left of it"), "\(text)")
            expect(try FileSystem.contents(of: temporary) == [])
        }
    #endif
}
