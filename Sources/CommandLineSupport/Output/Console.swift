package import BrowserSessions
import Foundation

/// Standard output for results, standard error for everything else. Nothing is kept back in a buffer.
///
/// Whatever is said is made ``Swift/StringProtocol/visible`` first, so that no text of unknown origin
/// reaches a terminal.
package enum Console {
    /// One line of a result, empty by default.
    package static func line(_ line: String = "") throws(OutputError) {
        try StandardStream.output.write(line.visible + "\n")
    }

    /// A result of several lines, with its line feeds.
    package static func result(_ text: String) throws(OutputError) {
        try StandardStream.output.write(text.visibleLines)
    }

    /// A result in JSON: one text or several, a line each.
    package static func json(_ text: String) throws(OutputError) {
        try StandardStream.output.write(text.visibleJSON)
    }

    /// One line for people. If standard error is gone, there is nobody left to tell.
    package static func message(_ line: String) { messages([line]) }

    /// Several lines for people.
    package static func messages(_ lines: [String]) {
        try? StandardStream.messages.write(lines.map { $0.visible + "\n" }.joined())
    }
}

extension Console {
    /// Bytes as they are where no person reads them, so that the same sessions are the same bytes.
    ///
    /// - Parameter shown: what a terminal gets of them: they are then whole characters.
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
