package import ArgumentParser
import CommandLineSupport

extension AsyncParsableCommand {
    /// Does what the command line says. An error for which there is an exit code is told by the
    /// tool's name and ends the process with that code; all others end it as ArgumentParser has it.
    package static func runTool(exitCode: (any Error) -> ExitCode?) async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            guard let code = exitCode(error) else { exit(withError: error) }
            Console.message("\(configuration.commandName ?? "\(Self.self)"): \(error)")
            exit(withError: code)
        }
    }
}
