import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import ToolSupport

struct Check: LookingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reads everything and reports damage; repairs nothing.")

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func look() async throws {
        let selection = try store.resolve(to: .look)
        let (report, losses) = try await withOpen(selection) { store in
            let report = try await store.check()
            return (report, await StoreLosses(of: report, in: store))
        }
        try report.print(output)
        if !losses.isEmpty { losses.tell(of: selection.argument, isPartial: nil) }
        if !report.isHealthy { throw ExitCode.damaged }
    }
}

struct Repair: ChangingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Repairs what is damaged, after setting it aside, and accepts what is lost.")

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    @Flag(help: "Also remove all damaged bytes that are set aside, of earlier repairs too.")
    var purgeQuarantine = false

    @Flag(help: "Only say what is damaged, and would be accepted as lost.")
    var dryRun = false

    func change() async throws {
        if dryRun {
            let report = try await store.withStore(to: .look) { try await $0.check() }
            var summary = RecoverySummary(report)
            summary.plan(purging: purgeQuarantine)
            return try output.report(summary, text: summary.lines)
        }
        let report = try await store.withStore(to: .change) { store in
            var report = try await store.repair()
            if purgeQuarantine {
                try await store.purgeQuarantine()
                report.quarantined = try await store.check().quarantined
            }
            return report
        }
        try report.print(output)
        if !report.isHealthy { throw ExitCode.damaged }
    }
}

extension RecoveryReport {
    fileprivate func print(_ output: FormatArguments) throws {
        let summary = RecoverySummary(self)
        try output.print(summary, text: summary.lines)
    }
}

private struct RecoverySummary: Encodable {
    var sessions: Int
    var tabs: Int
    var states: Int
    var bytesRead: Int
    var losses: [String]
    var notes: [String]
    var quarantined: [String]
    var discardedIncognitoPartitions: Int
    var incognitoProblem: String?
    var isHealthy: Bool
    var isRepaired: Bool
    /// What a repair would do; `nil` for what was found or done.
    private(set) var planned: String?

    init(_ report: RecoveryReport) {
        sessions = report.sessions
        tabs = report.tabs
        states = report.states
        bytesRead = report.bytesRead
        losses = report.losses.map { loss in
            let place = [
                loss.session?.description, loss.tab?.description, loss.node?.description,
            ].compactMap(\.self)
            return ([loss.kind.rawValue] + place).joined(separator: " ") + ": " + loss.detail
        }
        notes = report.notes
        quarantined = report.quarantined
        discardedIncognitoPartitions = report.discardedIncognitoPartitions
        incognitoProblem = report.incognitoProblem
        isHealthy = report.isHealthy
        isRepaired = report.isRepaired
    }

    /// Says what a repair would do.
    mutating func plan(purging: Bool) {
        let losses =
            isHealthy ? nil : counted(losses.count, "loss", "losses") + " would be accepted"
        let purged =
            purging && !quarantined.isEmpty
            ? counted(quarantined.count, "item") + " of the quarantine would be removed" : nil
        let incognito = incognitoProblem.map { _ in "incognito sessions would be set aside" }
        let parts = [losses, incognito, purged].compactMap(\.self)
        planned = parts.isEmpty ? "nothing would be changed" : parts.joined(separator: ", ")
    }

    var lines: [String] {
        [
            [
                counted(sessions, "session"), counted(tabs, "tab"), counted(states, "state"),
                counted(bytesRead, "byte"),
            ].joined(separator: ", ") + " read"
        ]
            + losses.map { "loss: \($0)" } + notes.map { "note: \($0)" }
            + quarantined.map { "set aside: \($0)" }
            + [planned ?? verdict]
    }

    private var verdict: String {
        if incognitoProblem != nil { return "incognito sessions cannot be read" }
        if isRepaired, !losses.isEmpty { return "repaired: what is left can be read" }
        return isHealthy ? "everything that was saved can be read" : "something was lost"
    }
}
