import ArgumentParser
import BackendSelection
import BrowserSessions
import ToolSupport

struct Explain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Shows which store is selected, and where each setting comes from.")

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func run() async throws {
        let selection = try store.resolve(to: .make)
        try output.print(Answer(value: selection.explanation, selection.explain()))
    }
}
