import ArgumentParser
import Foundation

/// What a command has to say and how it ends, apart from saying it, so that tests can look at it.
struct CommandOutcome: Equatable {
    /// For standard output.
    var output = ""
    /// For standard error, a line each.
    var messages: [String] = []
    var status: Int32 = 0

    /// Says it, and ends the command with the status if that is not 0; with 2 if standard output
    /// does not take it all.
    func conclude() throws {
        for message in messages { Self.complain(message) }
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(output.utf8))
        } catch {
            Self.complain("storagebench: cannot write the output: \(error.localizedDescription)")
            throw ExitCode(2)
        }
        if status != 0 { throw ExitCode(status) }
    }

    /// Where standard error is gone too, there is nobody left to tell.
    private static func complain(_ message: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(message)\n".utf8))
    }

    /// What could not be done.
    static func impossible(_ message: String) -> CommandOutcome {
        CommandOutcome(messages: ["storagebench: \(message)"], status: 2)
    }
}
