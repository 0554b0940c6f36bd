import ArgumentParser
import BrowserSessions
import CommandLineSupport
import ToolSupport

struct EraseRemoved: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase-removed",
        abstract: "Leaves nothing in the store of what was removed, replaced or set aside before.")

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func run() async throws {
        let count = try await store.withStore(to: .change) { store in
            try await store.eraseRemoved()
            return try await store.sessions().count
        }
        try output.print(
            ["keptSessions": count],
            text: [counted(count, "session") + " kept, nothing else left"])
    }
}
