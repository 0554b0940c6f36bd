import ArgumentParser
import BrowserSessions
import CommandLineSupport
import ToolSupport

struct DeleteIncognito: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete-incognito", abstract: "Removes every incognito session.",
        discussion: """
            Also those that cannot be read, and that were set aside for it. Copies of the store that were \
            never opened for writing share its key: theirs cannot be read afterwards. The key of a store \
            that this one was copied from stays.
            """)

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func run() async throws {
        let count = try await store.withStore(to: .change) { store in
            let count = try await store.sessions().count {
                $0.partition == .incognito && $0.kind.role != .notes
            }
            let problem = store.traits.incognitoProblem
            try await store.deleteIncognito()
            if problem != nil {
                Console.message("incognito sessions that could not be read are deleted")
            }
            return count
        }
        try output.print(
            ["deletedSessions": count], text: [counted(count, "incognito session") + " deleted"])
    }
}
