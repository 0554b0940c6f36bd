import CommandLineSupport
import Foundation

extension Console {
    /// Prints a prompt if a person uses the program in a terminal.
    static func prompt() throws(OutputError) {
        guard isatty(0) == 1, StandardStream.output.isTerminal else { return }
        try StandardStream.output.write("> ")
    }
}
