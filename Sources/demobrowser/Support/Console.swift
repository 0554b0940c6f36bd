import CommandLineSupport
import Foundation

extension Console {
    /// Asks for a command, if a person is there to give it.
    static func prompt() throws(OutputError) {
        guard isatty(0) == 1, StandardStream.output.isTerminal else { return }
        try StandardStream.output.write("> ")
    }
}
