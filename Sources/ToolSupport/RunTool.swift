package import ArgumentParser
import CommandLineSupport
import Foundation

extension ExitCode {
    /// The store or the input is damaged.
    package static let damaged = ExitCode(1)
    /// It could not be done.
    package static let impossible = ExitCode(2)
}

extension AsyncParsableCommand {
    /// Does what the command line says and ends the process, with the code that `exitCode` has for an
    /// error, which is told by the tool's name; with 2 if it has none or the output cannot be written;
    /// and with 64 if the command line is wrong.
    ///
    /// If whoever reads the output wants no more of it, as `head` does, the tool ends with 2 and says
    /// nothing.
    package static func runTool(exitCode: (any Error) -> ExitCode?) async {
        StandardStream.prepare()
        do {
            var command = try parseAsRoot(OwnProgram.words())
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
