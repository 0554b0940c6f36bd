import ArgumentParser
import BrowserSessions
import CommandLineSupport
import SessionInterop
import ToolSupport

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reads session files of other browsers into the store.",
        discussion: """
            Importing the same files again changes nothing. Damaged files give what can be read of \
            them, a report, and exit code 1.
            """)

    @Argument(help: "A session file, a profile, or a folder of them.")
    var path: String

    @Option(name: .customLong("as"), help: "The format: auto or one of those below.")
    var format: String = "auto"

    @Flag(help: "Put all sessions on the incognito side.")
    var incognito = false

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func validate() throws {
        guard format != "auto", SessionFormat(rawValue: format) == nil else { return }
        let known = SessionFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("unknown format '\(format)'; use auto, \(known)")
    }

    func run() async throws {
        let result = try SessionImporter().read(
            path: path, as: SessionFormat(rawValue: format), incognito: incognito)
        let report = ImportSummary(result, of: path)
        try await store.withStore(create: true) { store in
            let progress = Progress("importing", "session")
            for (number, session) in result.sessions.enumerated() {
                let before = try await store.restore(session.id)
                let changes = SessionChanges(saving: session, replacing: before)
                _ = try await store.save(changes)
                progress.update(number + 1, of: result.sessions.count)
            }
            progress.finish()
        }
        try output.print(report, rows: report.sources, text: report.lines)
        if result.report.isDamaged { throw ExitCode.damaged }
    }
}

/// What an import found, for printing.
struct ImportSummary: Codable {
    struct Source: Codable {
        var path: String
        var format: String
        var windows: Int
        var tabs: Int
        var historyEntries: Int
        var problems: [String]
    }

    var sessions: Int
    var sources: [Source]
    var notes: [String]

    /// Paths are given relative to what was imported.
    init(_ result: SessionImport, of root: String) {
        let report = result.report
        let prefix = root.hasSuffix("/") ? root : root + "/"
        func relative(_ path: String) -> String {
            path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
        }
        sessions = result.sessions.count
        notes = report.notes.map { relative($0) }
        sources = report.sources.map { source in
            Source(
                path: relative(source.path), format: source.format.rawValue,
                windows: source.counts.windows + source.counts.closedWindows,
                tabs: source.counts.tabs + source.counts.closedTabs,
                historyEntries: source.counts.entries + source.counts.closedEntries,
                problems: source.problems.map(\.description))
        }
    }

    var lines: [String] {
        var table = TextTable([
            .init(heading: "file", least: 12), .init(heading: "format"),
            .init(heading: "windows", isNumber: true), .init(heading: "tabs", isNumber: true),
            .init(heading: "history", isNumber: true),
        ])
        for source in sources {
            table.add([
                source.path, source.format, "\(source.windows)", "\(source.tabs)",
                "\(source.historyEntries)",
            ])
        }
        let problems = sources.flatMap { source in source.problems.map { "\(source.path): \($0)" } }
        return table.lines + problems + notes
            + [counted(sessions, "session") + " saved"]
    }
}
