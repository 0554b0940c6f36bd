import ArgumentParser
public import BackendSelection
import BrowserSessions
import CommandLineSupport
import Foundation
public import StorageConformance

/// The command `storagecheck` for any backends. It is a complete program for authors of backends.
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
/// The program starts itself again for every case, so it must not do anything else.
public enum StorageCheckMain {
    /// Runs the command line and ends the process.
    ///
    /// The exit code is 0 if every backend is conformant, or if everything that was chosen holds; 1
    /// for a violation; 2 without a violation if failures were expected or the chosen part could
    /// not be tried; 3 if the harness or the machine is at fault; and 64 if the command line is
    /// wrong.
    ///
    /// - Parameters:
    ///   - registry: The backends to check.
    ///   - libraries: versions of the libraries under the backends, for `--version`.
    ///   - harness: adapts a backend's harness, which is for stores that are files in directories. Change its
    ///     `persistence` for a backend in memory or on a server. For other stores, return your own harness
    ///     with the given `child`. The closure must do the same in every process.
    public static func run(
        registry: BackendRegistry, libraries: [String: String] = [:],
        harness: @escaping @Sendable (BackendHarness) -> any StorageHarness = { $0 }
    ) async -> Never {
        StandardStream.prepare()
        let context = CheckContext(registry: registry, libraries: libraries, harness: harness)
        exit(await status(context))
    }

    private static func status(_ context: CheckContext) async -> Int32 {
        do {
            let words = try OwnProgram.words()
            try OwnProgram.requireTextualPlaces()
            if let harness = try StartedCommand.harness(words, context) {
                await ConformanceChild.run(harness: harness)
            }
            var command = try RootCommand.parseAsRoot(words)
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
            // Any other failure is neither the backend's fault nor a violation.
            return RootCommand.conclude(
                error, impossible: ExitCode(RunOutcome.harnessError.exitCode),
                version: Program.version(libraries: context.libraries))
        }
    }
}
