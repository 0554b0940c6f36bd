import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import ToolSupport

struct Initialize: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract:
            "Makes a new, empty store, and the tables that it needs; leaves what is there alone.")

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    private struct Answer: Encodable {
        var backend: String
        var location: String
        var sessions: Int
    }

    func run() async throws {
        let selection = try store.resolve(create: true)
        try await selection.prepare()
        let count = try await withOpen(selection) { try await $0.sessions().count }
        let answer = Answer(
            backend: selection.backend.name, location: selection.location,
            sessions: count)
        try output.print(
            answer,
            text: [
                "\(answer.backend) store at \(answer.location), "
                    + counted(answer.sessions, "session")
            ])
    }
}
