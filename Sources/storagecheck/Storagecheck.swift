import ArgumentParser
import BackendSelection
import BrowserSessions
import StorageConformance
import ToolSupport

/// Checks backends of session storage against the conformance suite.
@main
struct Storagecheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storagecheck",
        abstract: "Checks session storage against the conformance suite.",
        discussion: """
            Stores are made below the location of each --storage, which must be empty or absent; \
            without --storage all backends of this tool are checked in a temporary folder. \
            Reports go to standard output or to files, progress to standard error.

            Exit codes: 0 conformant; 1 a violation; 2 no violation found, but a part was not tried \
            or is known to fail; 3 the harness or the machine is at fault; 64 the command line is wrong.
            """,
        subcommands: [Check.self, Init.self, Child.self], defaultSubcommand: Check.self)

    static func main() async {
        await runTool { error in
            (error as? StorageError).map { $0.code == .invalidConfiguration ? .usage : .harness }
        }
    }
}

extension ExitCode {
    /// The command line, or what it names, is wrong.
    static let usage = ExitCode(64)
    /// The harness or the machine is at fault.
    static let harness = ExitCode(3)
}
