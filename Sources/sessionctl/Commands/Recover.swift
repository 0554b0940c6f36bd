import ArgumentParser
import BrowserSessions
import ToolSupport

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reads everything and reports damage; repairs nothing that opening does not.")

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func run() async throws { try await recover(.check, store, output) }
}

struct Repair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Repairs what is damaged, after setting it aside, and accepts what is lost.")

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    @Flag(help: "Also remove all damaged bytes that are set aside, of earlier repairs too.")
    var purgeQuarantine = false

    func run() async throws { try await recover(.repair, store, output, purging: purgeQuarantine) }
}

private func recover(
    _ mode: RecoveryMode, _ arguments: StoreArguments, _ output: FormatArguments,
    purging: Bool = false
) async throws {
    let report = try await arguments.withStore { store in
        var report = try await store.recover(mode)
        if purging {
            try await store.purgeQuarantine()
            report.quarantined = try await store.recover(.check).quarantined
        }
        return report
    }
    try output.print(RecoverySummary(report), text: RecoverySummary(report).lines)
    if !report.isHealthy { throw ExitCode.damaged }
}

private struct RecoverySummary: Encodable {
    var sessions: Int
    var tabs: Int
    var states: Int
    var bytesRead: Int
    var losses: [String]
    var notes: [String]
    var quarantined: [String]
    var discardedIncognitoSides: Int
    var isHealthy: Bool

    init(_ report: RecoveryReport) {
        sessions = report.sessions
        tabs = report.tabs
        states = report.states
        bytesRead = report.bytesRead
        losses = report.losses.map { loss in
            let place = [loss.session?.description, loss.tab?.description].compactMap(\.self)
            return ([loss.kind.rawValue] + place).joined(separator: " ") + ": " + loss.detail
        }
        notes = report.notes
        quarantined = report.quarantined
        discardedIncognitoSides = report.discardedIncognitoSides
        isHealthy = report.isHealthy
    }

    var lines: [String] {
        ["\(sessions) sessions, \(tabs) tabs, \(states) states, \(bytesRead) bytes read"]
            + losses.map { "loss: \($0)" } + notes.map { "note: \($0)" }
            + quarantined.map { "set aside: \($0)" }
            + [isHealthy ? "everything that was saved can be read" : "something was lost"]
    }
}
