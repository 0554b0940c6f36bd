import ArgumentParser
import BrowserSessions
import CommandLineSupport
import ToolSupport

struct DeleteIncognito: ChangingCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete-incognito", abstract: "Removes every incognito session.",
        discussion: """
            Also those that cannot be read, and that were set aside for it. Copies of the store that were \
            never opened for writing share its key: theirs cannot be read afterwards. The key of a store \
            that this one was copied from stays.
            """)

    @Flag(help: "Only say what would be deleted.")
    var dryRun = false

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func change() async throws {
        let count = try await store.withStore(to: purpose) { store in
            try store.requireIncognito("delete-incognito")
            let count = try await store.sessions().count {
                $0.partition == .incognito && $0.kind.role != .notes
            }
            let problem = store.traits.incognitoProblem
            if !dryRun { try await store.deleteIncognito() }
            if problem != nil {
                let will = dryRun ? "would be" : "are"
                Console.remark("incognito sessions that could not be read \(will) deleted")
            }
            return count
        }
        try output.report(
            Answer(
                [dryRun ? "sessionsToDelete" : "deletedSessions": count],
                "\(counted(count, "incognito session")) \(done("deleted"))"))
    }
}
