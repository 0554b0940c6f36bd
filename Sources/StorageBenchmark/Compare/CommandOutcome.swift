import ArgumentParser
import CommandLineSupport

/// The output and status of a command, kept apart from printing so that tests can check them.
struct CommandOutcome: Equatable {
    /// The text for standard output.
    var output = ""
    /// The lines for standard error.
    var messages: [String] = []
    var status: Int32 = 0

    /// Prints the output. Ends the command with the status unless it is 0.
    func conclude() throws {
        Console.messages(messages)
        try Console.result(output)
        if status != 0 { throw ExitCode(status) }
    }

    /// Returns the outcome of a request that could not be carried out.
    static func impossible(_ message: String) -> CommandOutcome {
        CommandOutcome(messages: ["storagebench: \(message)"], status: 2)
    }
}
