import ArgumentParser
import CommandLineSupport

/// What a command has to say and how it ends, apart from saying it, so that tests can look at it.
struct CommandOutcome: Equatable {
    /// For standard output.
    var output = ""
    /// For standard error, a line each.
    var messages: [String] = []
    var status: Int32 = 0

    /// Says it, and ends the command with the status if that is not 0.
    func conclude() throws {
        Console.messages(messages)
        try Console.result(output)
        if status != 0 { throw ExitCode(status) }
    }

    /// What could not be done.
    static func impossible(_ message: String) -> CommandOutcome {
        CommandOutcome(messages: ["storagebench: \(message)"], status: 2)
    }
}
