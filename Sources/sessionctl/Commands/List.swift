import ArgumentParser
import BrowserSessions
import CommandLineSupport
import ToolSupport

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the sessions with their numbers of tabs, groups and history entries.")

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func run() async throws {
        let summaries = try await store.withStore { store in
            var summaries: [SessionSummary] = []
            let ids = try await store.sessions()
            let progress = Progress("reading")
            for (number, id) in ids.enumerated() {
                if let summary = try await SessionSummary(of: id, in: store) {
                    summaries.append(summary)
                }
                progress.update(number + 1, of: ids.count)
            }
            progress.finish()
            return summaries
        }
        let rows = [SessionSummary.heading] + summaries.map(\.row)
        try output.print(
            summaries, text: summaries.isEmpty ? ["no sessions"] : Console.table(rows))
        if summaries.contains(where: { $0.losses > 0 }) { throw ExitCode.damaged }
    }
}
