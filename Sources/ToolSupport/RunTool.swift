package import ArgumentParser
import CommandLineSupport
import Foundation

extension ExitCode {
    /// The store or the input is damaged.
    package static let damaged = ExitCode(1)
    /// The request could not be carried out.
    package static let impossible = ExitCode(2)
}

extension AsyncParsableCommand {
    /// Runs the command line and ends the process. Reports errors under the tool's name. The exit
    /// code of an error comes from `exitCode`. It is 2 if the error has none or if output cannot be
    /// written, and 64 if the command line is wrong.
    ///
    /// If the reader closes the output early, as `head` does, the tool ends with 2 without a
    /// message.
    package static func runTool(exitCode: (any Error) -> ExitCode?) async {
        StandardStream.prepare()
        do {
            var command = try await asyncParseAsRoot(OwnProgram.words())
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            guard error.ofOutput == nil, let code = exitCode(error) else {
                Foundation.exit(conclude(error, impossible: .impossible))
            }
            Console.message("\(configuration.commandName ?? "\(Self.self)"): \(error)")
            Foundation.exit(code.rawValue)
        }
    }
}
