import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import Foundation
import SessionInterop
import StorageEngines
import ToolSupport

/// A command that shows the main purpose in one run, for people who are new to the project.
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Saves sample sessions with every backend, restores them, and survives a kill.",
        discussion: """
            The configuration file chooses the backend that comes first; the others follow with \
            SESSION_STORAGE_BACKEND. The stores are removed at the end, or with --keep by the next \
            demo.
            """)

    @Option(help: "A configuration file, JSON or YAML; its location must contain {backend}.")
    var config: String

    @Option(help: "Session files of any browser: a file or a folder.")
    var sessions: String

    @Option(help: "How many saves to await before the kill.")
    var saves = 200

    @Flag(help: "Leave the stores, to be looked into.")
    var keep = false

    func run() async throws {
        let configured = try selection(backend: nil)
        let names = [configured.backend.name] + backendNames(except: configured.backend.name)
        try Console.line("1. The configuration \(config) selects a store:")
        for line in configured.explain() { try Console.line("   \(line)") }
        try claimStores(names)
        defer { if !keep { removeStores(names) } }

        try Console.line()
        try Console.line("2. Import \(sessions) with every backend, each step in a new process:")
        var runs: [DemoRun] = []
        for name in names {
            runs.append(try DemoRun(backend: name, config: config, sessions: sessions))
        }
        for line in runs[0].imported.split(separator: "\n") { try Console.line("   \(line)") }

        try Console.line()
        try Console.line("3. What another process restores from each store:")
        var table = DemoRun.table
        for run in runs { table.add(run.row) }
        for line in table.styledLines(width: nil) { try Console.line("   \(line.text)") }
        let isEqual = Set(runs.map(\.digest)).count == 1
        try Console.line(
            isEqual
                ? "   All \(runs.count) restored exactly the same content."
                : "   THE STORES DO NOT HOLD THE SAME CONTENT.")

        try Console.line()
        try Console.line("4. Kill a process with SIGKILL while it saves, and open the store again:")
        for name in names { try await killAndVerify(name) }
        guard isEqual else { throw ExitCode.damaged }
        try Console.line()
        try Console.line("Done: nothing that was acknowledged was lost.")
    }

    private func backendNames(except first: String) -> [String] {
        (try? BackendRegistry.tool().names.filter { $0 != first }) ?? []
    }

    private func selection(backend: String?) throws(StorageError) -> ResolvedSelection {
        let request = SelectionRequest(
            configurationFile: config,
            environment: ["SESSION_STORAGE_BACKEND": backend].compactMapValues { $0 },
            workingDirectory: OwnProgram.workingDirectory)
        return try request.resolve(registry: .tool())
    }

    /// Removes what an interrupted demo left. Throws if a location has anything else.
    private func claimStores(_ names: [String]) throws(StorageError) {
        var locations: Set<String> = []
        for name in names {
            let location = try selection(backend: name).configuration.location
            guard locations.insert(location).inserted else {
                throw StorageError(
                    .invalidConfiguration, "the location in '\(config)' must contain {backend}")
            }
            if try FileSystem.exists(location), try !FileSystem.exists(Self.mark(location)) {
                throw StorageError(
                    .unsafeLocation,
                    "'\(location)' is there already and not of a demo, which would remove it")
            }
        }
        removeStores(names)
        for location in locations {
            try FileSystem.makeDirectories(FileSystem.parent(of: location))
            try FileSystem.replace(Self.mark(location), with: [])
        }
    }

    /// Returns the path of the file that marks a store as the demo's own.
    private static func mark(_ location: String) -> String { location + ".demo" }

    private func removeStores(_ names: [String]) {
        for name in names {
            guard let location = try? selection(backend: name).configuration.location,
                (try? FileSystem.exists(Self.mark(location))) == true
            else { continue }
            // The key of the incognito sessions may be stored outside the store.
            let deletion = ToolProcess(
                arguments: ["delete-incognito", "--beside-others", "--config", config],
                environment: ["SESSION_STORAGE_BACKEND": name])
            if (try? FileSystem.exists(location)) == true { _ = try? deletion.output() }
            try? FileSystem.remove(location)
            try? FileSystem.remove(Self.mark(location))
        }
    }

    private func killAndVerify(_ name: String) async throws {
        let loop = ToolProcess(
            arguments: ["save-loop", "--beside-others", "--config", config],
            environment: ["SESSION_STORAGE_BACKEND": name])
        let acknowledged = try loop.killed(afterLines: saves)
        let found = try await withOpen(try selection(backend: name)) { store in
            try await SaveLoopCheck.verify(store, acknowledged: acknowledged)
        }
        try Console.line(
            "   \(name): \(acknowledged) saves acknowledged before the kill, \(found) found after it"
        )
    }
}

/// One backend's part of the demo: one process fills the store, others read it.
struct DemoRun {
    let backend: String
    /// What `import` said.
    let imported: String
    let summaries: [Listed]
    let digest: String
    let milliseconds: Int

    /// What the demo shows of a session that `list` printed.
    struct Listed: Decodable {
        var tabs: Int
        var groups: Int
        var historyEntries: Int
        var stateBytes: Int
    }

    init(backend: String, config: String, sessions: String) throws {
        self.backend = backend
        func run(_ arguments: [String], _ format: String = "json") throws -> Data {
            try ToolProcess(
                arguments: arguments + ["--beside-others", "--config", config, "--format", format],
                environment: ["SESSION_STORAGE_BACKEND": backend]
            ).output()
        }
        let decoder = JSONDecoder()
        imported = String(decoding: try run(["import", sessions], "text"), as: UTF8.self)
        let clock = ContinuousClock()
        var listed = Data()
        let time = try clock.measure { listed = try run(["list"]) }
        milliseconds = Int(time / .milliseconds(1))
        summaries = try decoder.decode([Listed].self, from: listed)
        let answer = try decoder.decode([String: String].self, from: run(["digest"]))
        digest = answer["sha256"] ?? ""
    }

    static var table: TextTable {
        let numbers = ["windows", "tabs", "groups", "history", "state bytes", "list took"]
        return TextTable(
            [.init(heading: "backend")] + numbers.map { .init(heading: $0, isNumber: true) }
                + [.init(heading: "SHA-256")])
    }

    var row: [String] {
        func sum(_ value: (Listed) -> Int) -> String {
            String(summaries.reduce(0) { $0 + value($1) })
        }
        return [
            backend, "\(summaries.count)", sum(\.tabs), sum(\.groups), sum(\.historyEntries),
            sum(\.stateBytes), "\(milliseconds) ms", String(digest.prefix(16)) + "…",
        ]
    }
}
