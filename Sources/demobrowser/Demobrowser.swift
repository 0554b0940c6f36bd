import ArgumentParser
import BrowserSessions
import SessionRestoration
import ToolSupport

/// A small browser in the terminal. It is an example of a host with windows that save themselves.
@main
struct Demobrowser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demobrowser",
        abstract: "A small browser in the terminal that comes back as it was.",
        discussion: """
            Pages are made by the program itself (demo:welcome, demo:page/7) or read from files \
            (file:PATH); it has no network and no web engine. The store is chosen by --storage, \
            by SESSION_STORAGE_* variables or by a configuration file.

            Exit codes: 0 done; 1 the store is damaged; 2 it could not be done; 64 the command \
            line or a line of a script is wrong.
            """,
        version: ToolLibraries.version(of: "demobrowser"),
        subcommands: [Browse.self, Tour.self], defaultSubcommand: Browse.self)

    static func main() async {
        await runTool { error in
            switch error {
            case let error as StorageError: error.code == .corrupted ? .damaged : .impossible
            case is SessionRestorationError: .impossible
            default: nil
            }
        }
    }
}
