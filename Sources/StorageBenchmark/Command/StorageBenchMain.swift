import ArgumentParser
public import BackendSelection
import BrowserSessions
import CommandLineSupport
import Foundation

/// The command `storagebench` for any backends. It is a complete program for authors of backends.
///
/// ```swift
/// @main
/// struct Bench {
///     static func main() async throws {
///         await StorageBenchMain.run(registry: try BackendRegistry([.mine]))
///     }
/// }
/// ```
///
/// The program starts itself again for every part of a run, so it must not do anything else.
public enum StorageBenchMain {
    /// Runs the command line and ends the process.
    ///
    /// The exit code is 0 if everything was measured and right, 1 if a backend gave a wrong answer,
    /// 2 if a part could not be measured, 64 if the command line is wrong, and 130 after Ctrl-C.
    ///
    /// - Parameter registry: The backends to measure.
    /// - Parameter libraries: versions of the libraries under the backends, for the report.
    public static func run(registry: BackendRegistry, libraries: [String: String] = [:]) async
        -> Never
    {
        StandardStream.prepare()
        do {
            let context = BenchContext(
                contestants: Contestants(registry: registry),
                libraries: libraries)
            try OwnProgram.requireTextualPlaces()
            var command = try RootCommand.parseAsRoot(OwnProgram.words())
            if let command = command as? any BenchCommand {
                exit(try await command.run(context))
            }
            try command.run()
            exit(0)
        } catch let error as StorageError {
            Console.message("storagebench: \(error)")
            exit(error.code == .invalidConfiguration || error.code == .unsafeLocation ? 64 : 2)
        } catch {
            let version = ToolVersion.text("storagebench", libraries: libraries)
            exit(RootCommand.conclude(error, impossible: ExitCode(2), version: version))
        }
    }
}

/// The resources of a command.
struct BenchContext: Sendable {
    var contestants: Contestants
    var libraries: [String: String]
}

/// A command that needs the backends.
protocol BenchCommand: ParsableCommand {
    /// Runs the command and returns the exit code of the process.
    func run(_ context: BenchContext) async throws -> Int32
}

/// The entire command line.
struct RootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storagebench",
        abstract: "Measures what a browser's operations cost on each backend.",
        discussion: """
            Every operation is measured in turn with a floor, what the machine itself takes for the \
            least that has to be done; ratios to it repeat where times do not. \
            \(FloorKind.allCases.map { "\($0.rawValue): \($0.meaning)." }.joined(separator: " ")) \
            Every answer is compared with what was saved.

            Exit codes: 0 everything was measured and is right; 1 a wrong answer; 2 a part could \
            not be measured; 64 the command line is wrong; 130 it was stopped.
            """,
        version: ToolVersion.text("storagebench"),
        subcommands: [
            RunCommand.self,
            CompareCommand.self,
            ReportCommand.self,
            JobCommand.self,
        ],
        defaultSubcommand: RunCommand.self)
}

extension Console {
    /// Shows the next step: in a line that is overwritten on a terminal, and in a new line elsewhere.
    static func progress(_ done: Int, of total: Int, next order: JobOrder) {
        let words =
            "[\(done + 1)/\(total)] \(order.contestant.label), " + counted(order.tabs, "tab")
            + (order.isCounting ? ": bytes and syncs" : ": times")
        guard StandardStream.messages.isTerminal else { return message(words) }
        try? StandardStream.messages.write("\r\u{1B}[K\(words.visible)")
    }

    /// Removes the overwritten line.
    static func endProgress() {
        if StandardStream.messages.isTerminal { try? StandardStream.messages.write("\r\u{1B}[K") }
    }
}
