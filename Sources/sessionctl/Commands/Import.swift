import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import SessionInterop
import ToolSupport

struct Import: ChangingCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Reads session files of other browsers into the store.",
        discussion: """
            Of a browser's profile that is taken which the browser itself would restore; what else is \
            there is named, and taken with --all. Nothing is written into the profile, and its \
            browser may be running.

            What was imported before is not doubled: what is new in the files is added, what changed \
            there and not here is updated. What changed here stays, what was closed here does not \
            return, and what the files no longer have stays. Windows, tabs and their histories say \
            what belongs together; another profile is new. An import that was interrupted is run again.

            Damaged files give what can be read of them, a report, and exit code 1; so does a session \
            that the store refuses, which does not stop the others. Damaged and cut files only add: \
            what they lack stays as it is in the store, and --replace from them is refused.
            """)

    @Argument(
        help: "A session file, a profile, or a folder of them; - for a file from standard input.",
        completion: .file())
    var path: String

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The format, which with auto the contents decide: auto, "
                + SessionFormat.allCases.map(\.rawValue).joined(separator: ", ") + ".",
            valueName: "format"),
        completion: .list(["auto"] + SessionFormat.allCases.map(\.rawValue)))
    var format: String = "auto"

    @Flag(help: "Take backups and older files of a profile too.")
    var all = false

    @Flag(help: "Put all sessions in the incognito partition.")
    var incognito = false

    @Flag(help: "Only say what would be added, updated and left.")
    var dryRun = false

    @Flag(
        help: """
            Make the windows as the files have them: tabs that were opened in them since go, tabs that \
            were closed or moved return.
            """)
    var replace = false

    @Flag(help: "Add everything, also what was imported before.")
    var add = false

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func validate() throws {
        guard !(replace && add) else {
            throw ValidationError("--replace and --add exclude each other; write one of them")
        }
        guard path != "-" || store.named.config != "-" else {
            throw ValidationError("the sessions and --config cannot both be standard input")
        }
        guard format != "auto", SessionFormat(rawValue: format) == nil else { return }
        let known = SessionFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("unknown format '\(format)'; use auto, \(known)")
    }

    func change() async throws {
        let selection = try store.resolve(to: .make)
        let input = path == "-" ? try SpooledInput() : nil
        var importer = SessionImporter()
        importer.limits.maximumStateBytes = selection.configuration.maximumStateBytes
        let result = try importer.read(
            path: input?.path ?? path, as: SessionFormat(rawValue: format),
            scope: all ? .everything : .restorable,
            incognito: incognito)
        let mode: ImportMode = replace ? .replacement : add ? .addition : .merge
        let merge = ImportMerge(result, mode: mode)
        let (plan, refused) =
            dryRun
            ? (try await self.plan(merge, selection), []) : try await save(merge, selection)
        let summary = ImportSummary(result, of: path, plan, refused, isDryRun: dryRun)
        try output.report(summary.answer)
        if summary.isDamaged { throw ExitCode.damaged }
    }

    private func save(_ merge: ImportMerge, _ selection: ResolvedSelection) async throws
        -> (ImportPlan, [ImportPlan.Refusal])
    {
        try await withOpen(selection) { store in
            let plan = try await merge.plan(for: store)
            let progress = Progress("importing", "session")
            defer { progress.finish() }
            return (plan, try await plan.apply(to: store) { progress.update($0, of: $1) })
        }
    }

    /// Returns what would be saved. Makes no store if there is none.
    private func plan(_ merge: ImportMerge, _ selection: ResolvedSelection) async throws
        -> ImportPlan
    {
        do {
            return try await withOpen(selection, to: .look) { store in
                if incognito { try store.requireIncognito("import") }
                return try await merge.plan(for: store)
            }
        } catch let error as StorageError where error.code == .notFound {
            return try await merge.plan(for: nil)
        }
    }
}
