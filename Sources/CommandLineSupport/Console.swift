import Foundation

/// Standard output for reports, standard error for everything else. Nothing is kept back in a buffer.
package enum Console {
    package static func result(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }

    package static func line(_ text: String) { result(text + "\n") }

    package static func message(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
