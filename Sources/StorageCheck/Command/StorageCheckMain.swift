import ArgumentParser
public import BackendSelection
import BrowserSessions
import CommandLineSupport
import Foundation
public import StorageConformance

/// The command `storagecheck` for any backends: the whole program of an author who checks his own.
///
/// ```swift
/// @main
/// struct Check {
///     static func main() async throws {
///         await StorageCheckMain.run(registry: try BackendRegistry([.mine]))
///     }
/// }
/// ```
///
/// The program starts itself again for every case, so it must do nothing else.
public enum StorageCheckMain {
    /// Does what the command line says and ends the process.
    ///
    /// Ends with 0 if every backend is conformant, or everything that was chosen holds; with 1 if
    /// something is violated; with 2 if nothing is, but failures were expected or what was asked for
    /// could not be tried; with 3 if the harness or the machine is at fault; with 64 if the command line is wrong.
    ///
    /// - Parameters:
    ///   - libraries: versions of what is below the backends, for `--version`.
    ///   - harness: how the suite gets at the stores of a backend. It is given the harness of a
    ///     backend whose stores are files in directories. Change its `persistence` for one in memory
    ///     or behind a server; return one of your own, with its `child`, for stores that are no
    ///     directories. Must do the same in every process.
    public static func run(
        registry: BackendRegistry, libraries: [String: String] = [:],
        harness: @escaping @Sendable (BackendHarness) -> any StorageHarness = { $0 }
    ) async -> Never {
        StandardStream.prepare()
        let context = CheckContext(registry: registry, libraries: libraries, harness: harness)
        exit(await status(context))
    }

    /// What the command line asks for.
    ///
    /// Commands of the program for itself are no subcommands: to check the whole tree of commands, as
    /// the parser does in debug builds, takes longer than most cases.
    private static func command() throws -> any ParsableCommand {
        let words = try OwnProgram.words()
        try OwnProgram.requireTextualPlaces()
        guard let own = words.first.flatMap({ StartedCommand.all[$0] }) else {
            return try RootCommand.parseAsRoot(words)
        }
        return try own.parseAsRoot(Array(words.dropFirst()))
    }

    private static func status(_ context: CheckContext) async -> Int32 {
        do {
            var command = try command()
            if let command = command as? any CheckCommand { return try await command.run(context) }
            try command.run()
            return 0
        } catch let error as OutputError {
            error.tell(as: Program.name)
            return RunOutcome.harnessError.exitCode
        } catch let error as StorageError {
            Console.message("\(Program.name): \(error)")
            let isOfTheLine = error.code == .invalidConfiguration
            return isOfTheLine ? Program.usage : RunOutcome.harnessError.exitCode
        } catch let fault as HarnessFault {
            Console.message("\(Program.name): \(fault)")
            return RunOutcome.harnessError.exitCode
        } catch {
            // Everything else is not the backend's fault, and no violation.
            return RootCommand.conclude(
                error, impossible: ExitCode(RunOutcome.harnessError.exitCode),
                version: Program.version(libraries: context.libraries))
        }
    }
}

/// What commands work with.
struct CheckContext: Sendable {
    var registry: BackendRegistry
    var libraries: [String: String] = [:]
    var harness: @Sendable (BackendHarness) -> any StorageHarness = { $0 }
}

/// A command that needs the backends.
protocol CheckCommand: ParsableCommand {
    /// The code with which the process ends.
    func run(_ context: CheckContext) async throws -> Int32
}

/// The program that this is a part of.
enum Program {
    /// What people type: `storagecheck`, or the name that an author gave to his program.
    static let name =
        CommandLine.arguments.isEmpty
        ? "storagecheck" : URL(filePath: ChildCommand.ownExecutable).lastPathComponent

    /// The exit code for a command line that is wrong, or names what is.
    static let usage: Int32 = 64

    static let version = version(libraries: [:])

    static func version(libraries: [String: String]) -> String {
        ToolVersion.text(
            name, remark: "suite revision \(SuiteRevision.current.rawValue)", libraries: libraries)
    }
}
