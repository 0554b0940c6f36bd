import ArgumentParser
import BackendSelection
import CommandLineSupport
import Foundation
import StorageConformance

/// The resources of a command.
struct CheckContext: Sendable {
    var registry: BackendRegistry
    var libraries: [String: String] = [:]
    var harness: @Sendable (BackendHarness) -> any StorageHarness = { $0 }
}

/// A command that needs the backends.
protocol CheckCommand: ParsableCommand {
    /// Runs the command and returns the exit code of the process.
    func run(_ context: CheckContext) async throws -> Int32
}

/// The running program.
enum Program {
    /// The name that people type: `storagecheck`, or the name that the author chose.
    static let name =
        CommandLine.arguments.isEmpty
        ? "storagecheck" : URL(filePath: ChildCommand.ownExecutable).lastPathComponent

    /// The exit code for a wrong command line, or for wrong input that the command line names.
    static let usage: Int32 = 64

    static let version = version(libraries: [:])

    static func version(libraries: [String: String]) -> String {
        ToolVersion.text(
            name, remark: "suite revision \(SuiteRevision.current.rawValue)", libraries: libraries)
    }
}
