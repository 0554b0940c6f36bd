import ArgumentParser
import BrowserSessions
import ToolSupport

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reads everything and reports damage; mends nothing that opening does not mend.")

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func run() async throws { try await recover(.check, store, output) }
}

struct Repair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Mends what is damaged, after copying it aside, and accepts what is lost.")

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func run() async throws { try await recover(.repair, store, output) }
}

private func recover(
    _ mode: RecoveryMode, _ arguments: StoreArguments, _ output: FormatArguments
) async throws {
    let report = try await arguments.withStore { try await $0.recover(mode) }
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
