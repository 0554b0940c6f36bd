import ArgumentParser
import BrowserSessions
import CommandLineSupport
import ToolSupport

struct List: LookingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the sessions with their numbers of tabs, groups and history entries.")

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func look() async throws {
        var summaries: [SessionFigures] = []
        let losses = try await store.tellingLosses(
            isPartial: true, reading: .nothing, incognito: true
        ) { store, losses in
            let ids = try await store.sessions().filter { $0.kind.role != .notes }
            let progress = Progress("reading", "session")
            defer { progress.finish() }
            for (number, id) in ids.enumerated() {
                guard let summary = try await SessionFigures(of: id, in: store, losses) else {
                    continue
                }
                if output.format == .jsonLines {
                    progress.finish()
                    try output.printLine(summary)
                } else {
                    summaries.append(summary)
                }
                progress.update(number + 1, of: ids.count)
            }
        }
        if output.format != .jsonLines {
            try output.print(summaries, text: SessionFigures.lines(summaries))
        }
        try losses.conclude()
    }
}
