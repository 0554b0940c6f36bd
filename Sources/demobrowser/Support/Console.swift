import CommandLineSupport
import Foundation

extension Console {
    /// Asks for a command, if a person is there to give it.
    static func prompt() {
        guard isatty(0) == 1, isatty(1) == 1 else { return }
        FileHandle.standardOutput.write(Data("> ".utf8))
    }
}
