public import ArgumentParser
import BrowserSessions
import CommandLineSupport
public import SessionInterop
import ToolSupport

struct Export: LookingCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract:
            "Writes all sessions as files of other browsers, for people, or as canonical JSON.",
        discussion: """
            What a format can't hold is counted. Incognito tabs are written only if asked for, and else \
            counted. If a part of the store cannot be read, nothing is written but with --partial; the \
            exit code is 1 in either case.
            """)

    @Argument(
        help: """
            The file or folder to write, which must not exist, or a folder for the file; - for standard \
            output.
            """, completion: .file())
    var path: String

    @Option(
        name: .customLong("as"), help: "What to write; without it, JSON with all that a store has.")
    var kind: ExportFormat?

    @Flag(name: .customLong("without-states"), help: "Leave the blobs of tabs out of JSON.")
    var withoutStates = false

    @Flag(name: .customLong("include-incognito"), help: "Also write incognito tabs.")
    var includesIncognito = false

    @Flag(help: "Write what can be read, if not all of it can.")
    var partial = false

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func validate() throws {
        if path.isEmpty { throw ValidationError("the name of the file to write is empty") }
        guard let kind, path == "-" else { return }
        guard kind.fileName != nil else {
            throw ValidationError(
                "'\(kind.rawValue)' is a folder of files; name one that is not there")
        }
        guard kind.isText || !StandardStream.output.isTerminal else {
            throw ValidationError(
                "'\(kind.rawValue)' is no text for a terminal; name a file, or send it to one with >"
            )
        }
    }

    func look() async throws {
        let target = try ExportTarget(path, kind)
        var export: SessionExport?
        var left: [SessionSummary] = []
        let losses = try await store.tellingLosses(
            isPartial: partial, reading: reading(target), incognito: includesIncognito,
            used: partial ? .partialExport : nil
        ) { store, losses in
            if !includesIncognito {
                left = try await store.summaries().filter {
                    $0.id.partition == .incognito && $0.id.kind.role != .notes
                }
            }
            guard let kind else {
                return try await CanonicalJSON.write(
                    store, includingStates: !withoutStates,
                    partitions: includesIncognito ? [.regular, .incognito] : [.regular],
                    losses: losses, to: target.sink)
            }
            export = try await files(kind, of: store, losses)
            for file in export?.files ?? [] { try target.write(file) }
        }
        try target.finish()
        if let (path, bytes) = target.written { try output.report(answer(path, bytes, export)) }
        if kind == nil || target.written != nil {
            Console.remarkIncognitoLeft(
                sessions: left.count, tabs: left.reduce(0) { $0 + $1.tabCount })
        }
        try losses.conclude()
    }

    private func answer(_ path: String, _ bytes: Int, _ export: SessionExport?) -> Answer {
        let losses = (export?.losses).map { losses in
            Dictionary(uniqueKeysWithValues: losses.map { ($0.key.rawValue, $0.value) })
        }
        let lossLines = export?.lossLines ?? []
        return Answer(
            [
                "path": path, "bytes": bytes, "format": kind?.rawValue,
                "written": export?.counts.fields, "notHeld": losses,
            ], "\(counted(bytes, "byte")) written to \(path)", export?.counts.text,
            lossLines.isEmpty
                ? nil
                : "not held by \(kind?.rawValue ?? "this format"): "
                    + lossLines.joined(separator: ", "))
    }

    /// Returns what to read first. JSON holds everything; other formats may lack the sessions with losses.
    private func reading(_ target: ExportTarget) -> LossesToTell.Reading {
        if target.written == nil { return .everything }
        return kind == nil ? .nothing : .metadata
    }

    private func files(
        _ kind: ExportFormat, of store: any SessionStorage, _ losses: LossHandler?
    ) async throws -> SessionExport {
        let progress = Progress("reading", "tab")
        defer { progress.finish() }
        var exporter = SessionExporter(kind)
        exporter.includesIncognito = includesIncognito
        return try await exporter.export(store, losses: losses) { progress.update($0) }
    }
}

extension ExportFormat: ExpressibleByArgument {
    /// Whether people can read a file of the format.
    fileprivate var isText: Bool { self != .firefox }
}

extension ImportCounts {
    fileprivate var fields: Fields {
        [
            "windows": windows, "tabs": tabs, "historyEntries": entries,
            "closedWindows": closedWindows, "closedTabs": closedTabs,
        ]
    }

    fileprivate var text: String {
        "\(counted(windows, "window")) with \(counted(tabs, "tab")) and "
            + counted(entries, "history entry", "history entries")
            + (closedWindows > 0 ? ", \(counted(closedWindows, "closed window"))" : "")
            + (closedTabs > 0 ? ", \(counted(closedTabs, "closed tab"))" : "")
    }
}
