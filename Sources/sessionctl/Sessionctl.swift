import ArgumentParser
import BrowserSessions
import ToolSupport

/// The command that reads, fills, moves, and repairs stores of browser sessions.
@main
struct Sessionctl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessionctl",
        abstract: "Works with stores of browser sessions.",
        discussion: """
            The store is chosen by --storage, by SESSION_STORAGE_* variables or by a \
            configuration file; 'explain' shows how. Results go to standard output, messages to \
            standard error.

            Exit codes: 0 done; 1 the store or the input is damaged, details are given; 2 it could \
            not be done; 64 the command line is wrong.
            """,
        version: ToolLibraries.version(of: "sessionctl"),
        subcommands: [
            Initialize.self, Import.self, List.self, Show.self, Find.self, Points.self, Diff.self,
            Restore.self, Digest.self, Export.self, Migrate.self, Check.self, Repair.self,
            DeleteIncognito.self, EraseRemoved.self, Forget.self, RemoveItems.self, Remove.self,
            Backup.self,
            DiskUse.self, QuarantineCommand.self, Explain.self,
            Demo.self, SaveLoop.self,
        ])

    static func main() async {
        await runTool { error in
            (error as? StorageError).map { $0.code == .corrupted ? .damaged : .impossible }
        }
    }
}
