import Foundation

/// Standard output for what the user asked for, standard error for everything else. Nothing is kept
/// back in a buffer.
enum Console {
    static func result(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    static func message(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    /// Asks for a command, if a person is there to give it.
    static func prompt() {
        guard isatty(0) == 1, isatty(1) == 1 else { return }
        FileHandle.standardOutput.write(Data("> ".utf8))
    }
}
