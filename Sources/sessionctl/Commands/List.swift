import ArgumentParser
import BrowserSessions
import CommandLineSupport
import ToolSupport

struct List: LookingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists windows and closed tabs, those used last first.",
        discussion: """
            What is open, closed and kept for later stands apart. Columns in which nothing would stand are \
            left out. JSON has all of them, and times in UTC.
            """)

    @Flag(
        help: "Also list what a browser notes for itself: launches, backups, tabs between windows.")
    var all = false

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func look() async throws {
        var summaries: [SessionFigures] = []
        let losses = try await store.tellingLosses(
            isPartial: true, reading: .nothing, incognito: true
        ) { store, losses in
            let ids = try await store.sessions().filter {
                all || SessionFigures.Part(of: $0, closedAt: nil) != .internal
            }
            let progress = Progress("reading", "session")
            defer { progress.finish() }
            for (number, id) in ids.enumerated() {
                guard let summary = try await SessionFigures(of: id, in: store, losses) else {
                    continue
                }
                if output.format == .jsonLines { progress.finish() }
                if try !output.printRow(summary) { summaries.append(summary) }
                progress.update(number + 1, of: ids.count)
            }
        }
        let sorted = SessionFigures.forPeople(summaries)
        try output.print(Answer(value: sorted, rows: [], SessionListing(sorted)))
        try losses.conclude()
    }
}
