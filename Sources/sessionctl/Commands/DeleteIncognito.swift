import ArgumentParser
import BrowserSessions
import CommandLineSupport
import ToolSupport

struct DeleteIncognito: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete-incognito", abstract: "Removes every incognito session.")

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func run() async throws {
        let count = try await store.withStore(to: .change) { store in
            let count = try await store.sessions().filter { $0.side == .incognito }.count
            try await store.deleteIncognito()
            return count
        }
        try output.print(
            ["deletedSessions": count], text: [counted(count, "incognito session") + " deleted"])
    }
}
