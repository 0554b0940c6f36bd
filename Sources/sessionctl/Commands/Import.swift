import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import SessionInterop
import ToolSupport

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reads session files of other browsers into the store.",
        discussion: """
            Of a browser's profile that is taken which the browser itself would restore; what else is \
            there is named, and taken with --all. Nothing is written into the profile, and its \
            browser may be running.

            Importing the same files again changes nothing. Damaged files give what can be read of \
            them, a report, and exit code 1; so does a session that the store refuses, which does not \
            stop the others.
            """)

    @Argument(help: "A session file, a profile, or a folder of them.")
    var path: String

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The format, which with auto the contents decide: auto, "
                + SessionFormat.allCases.map(\.rawValue).joined(separator: ", ") + ".",
            valueName: "format"))
    var format: String = "auto"

    @Flag(help: "Take backups and older files of a profile too.")
    var all = false

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
        let selection = try store.resolve(to: .make)
        var importer = SessionImporter()
        importer.limits.maximumStateBytes = selection.configuration.maximumStateBytes
        let result = try importer.read(
            path: path, as: SessionFormat(rawValue: format), scope: all ? .everything : .restorable,
            incognito: incognito)
        var unsaved: [ImportSummary.Unsaved] = []
        try await withOpen(selection) { store in
            let progress = Progress("importing", "session")
            defer { progress.finish() }
            for (number, session) in result.sessions.enumerated() {
                do {
                    try await save(session, into: store)
                } catch let error as StorageError
                    where [.tooLarge, .invalidChanges].contains(error.code)
                {
                    unsaved.append(.init(session: "\(session.id)", error: "\(error)"))
                }
                progress.update(number + 1, of: result.sessions.count)
            }
        }
        let summary = ImportSummary(result, of: path, unsaved: unsaved)
        try output.print(summary, rows: summary.sources, text: summary.lines)
        if result.report.isDamaged || !unsaved.isEmpty { throw ExitCode.damaged }
    }

    private func save(_ session: SessionSnapshot, into store: any SessionStorage) async throws {
        let before = try await store.restore(session.id)
        _ = try await store.save(SessionChanges(saving: session, replacing: before))
    }
}

/// What an import found and saved, for printing. Open and closed things are never in one count.
struct ImportSummary: Codable {
    struct Source: Codable {
        var path: String
        var format: String
        var windows: Int
        var tabs: Int
        var historyEntries: Int
        var closedWindows: Int
        var closedTabs: Int
        var closedHistoryEntries: Int
        var problems: [String]
    }

    struct Untaken: Codable {
        var path: String
        var format: String?
        var reason: String
        var detail: String
    }

    struct Unsaved: Codable {
        var session: String
        var error: String
    }

    /// How many were saved.
    var sessions: Int
    /// How many of these are of closed tabs.
    var closedSessions: Int
    var unsaved: [Unsaved]
    var sources: [Source]
    var untaken: [Untaken]
    var profilesInUse: [String]
    var otherFiles: Int
    var notes: [String]

    /// Paths are given relative to what was imported.
    init(_ result: SessionImport, of root: String, unsaved: [Unsaved]) {
        let report = result.report
        let prefix = root.hasSuffix("/") ? root : root + "/"
        func relative(_ path: String) -> String {
            path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
        }
        let refused = Set(unsaved.map(\.session))
        let saved = result.sessions.filter { !refused.contains("\($0.id)") }
        sessions = saved.count
        closedSessions = saved.count {
            $0.attributes.closedAt != nil || $0.id.kind.onTheRecord == .recentlyClosed
        }
        self.unsaved = unsaved
        notes = report.notes
        otherFiles = report.otherFiles
        profilesInUse = report.profilesInUse.map { relative($0) }
        untaken = report.untaken.map { file in
            Untaken(
                path: relative(file.path), format: file.format?.rawValue,
                reason: file.reason.rawValue, detail: file.detail)
        }
        sources = report.sources.map { source in
            let counts = source.counts
            return Source(
                path: relative(source.path), format: source.format.rawValue,
                windows: counts.windows, tabs: counts.tabs, historyEntries: counts.entries,
                closedWindows: counts.closedWindows, closedTabs: counts.closedTabs,
                closedHistoryEntries: counts.closedEntries,
                problems: source.problems.map(\.description))
        }
    }
}

// MARK: - Text

extension ImportSummary {
    var lines: [String] {
        var lines = table.lines
        for source in sources {
            lines += source.problems.map { "\(source.path): \($0)" }
        }
        lines += untaken.map { file in
            let detail = file.detail.isEmpty ? "" : ": \(file.detail)"
            return "\(file.path): not taken, \(file.reason)\(detail)"
        }
        lines += profilesInUse.map {
            "\($0): a browser has this profile open, or had when it was ended; what it had "
                + "not written yet is not in it"
        }
        lines += notes
        if otherFiles > 0 {
            let count = Self.grouped(otherFiles)
            lines.append(
                otherFiles == 1
                    ? "1 file is no session file" : "\(count) files are no session files")
        }
        lines += unsaved.map { "session \($0.session): not saved: \($0.error)" }
        return lines + [conclusion]
    }

    private var table: TextTable {
        let numbers = [
            "windows", "tabs", "history", "closed windows", "closed tabs", "closed history",
        ]
        var table = TextTable(
            [.init(heading: "file", least: 12), .init(heading: "format")]
                + numbers.map { .init(heading: $0, isNumber: true) })
        for source in sources {
            let counts = [
                source.windows, source.tabs, source.historyEntries, source.closedWindows,
                source.closedTabs, source.closedHistoryEntries,
            ]
            table.add([source.path, source.format] + counts.map { "\($0)" })
        }
        return table
    }

    /// `12 sessions saved, 3 of them of closed tabs`.
    private var conclusion: String {
        let saved = counted(sessions, "session") + " saved"
        switch closedSessions {
        case 0: return saved
        case sessions: return saved + ", of closed tabs"
        default: return saved + ", \(closedSessions) of them of closed tabs"
        }
    }

    /// `1,234`.
    private static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        return digits.enumerated().map { index, digit in
            let isGroup = index > 0 && (digits.count - index) % 3 == 0
            return isGroup ? ",\(digit)" : "\(digit)"
        }.joined()
    }
}
