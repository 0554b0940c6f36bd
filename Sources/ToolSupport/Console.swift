import Foundation

/// Standard output for results, standard error for everything else. Nothing is kept back in a
/// buffer.
package enum Console {
    package static func result(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    package static func message(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
