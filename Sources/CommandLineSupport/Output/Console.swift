package import BrowserSessions
import Foundation

/// Unbuffered output: results to standard output, and everything else to standard error.
///
/// All output is made ``Swift/StringProtocol/visible`` first, so no text of unknown origin reaches
/// a terminal unescaped.
package enum Console {
    /// Writes one line of a result, empty by default.
    package static func line(_ line: String = "") throws(OutputError) {
        try StandardStream.output.write(line.visible + "\n")
    }

    /// Writes a result of several lines, with its line feeds.
    package static func result(_ text: String) throws(OutputError) {
        try StandardStream.output.write(text.visibleLines)
    }

    /// Writes a result in JSON: one text, or several with one on each line.
    package static func json(_ text: String) throws(OutputError) {
        try StandardStream.output.write(text.visibleJSON)
    }

    /// Writes one line for people. Does nothing if standard error is gone.
    package static func message(_ line: String) { messages([line]) }

    /// Writes several lines for people.
    package static func messages(_ lines: [String]) {
        try? StandardStream.messages.write(lines.map { $0.visible + "\n" }.joined())
    }
}

extension Console {
    /// Writes bytes unchanged unless a person reads them, so that equal sessions give equal bytes.
    ///
    /// - Parameter shown: the part that a terminal gets, in whole characters.
    package static func export(
        _ bytes: [UInt8], shown: (String) -> String
    ) throws(StorageError) {
        do throws(OutputError) {
            if StandardStream.output.isTerminal {
                try StandardStream.output.write(shown(String(decoding: bytes, as: UTF8.self)))
            } else {
                try StandardStream.output.write(bytes)
            }
        } catch {
            throw StorageError(.failed, "\(error)", operation: "export", underlying: error)
        }
    }
}
