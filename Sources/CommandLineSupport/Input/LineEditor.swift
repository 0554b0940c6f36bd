import Foundation
import Synchronization

/// Lines that a person edits in the terminal of standard input and output.
///
/// The terminal is changed only while a line is read, so that a program writes as usual between two
/// lines. Keys that send signals keep doing so; call ``restore()`` before a signal ends the process.
package final class LineEditor: Sendable {
    private let edit = Mutex(LineEdit())
    /// The terminal's settings before a line began; `nil` between lines.
    private let settings = Mutex<termios?>(nil)
    private let prompt: String

    /// Returns `nil` if standard input or output is no terminal, or one that cannot move its cursor.
    package init?(prompt: String, environment: [String: String]) {
        guard StandardStream.input.isTerminal, StandardStream.output.isTerminal,
            !["", "dumb"].contains(environment["TERM"] ?? "")
        else { return nil }
        self.prompt = prompt
    }

    /// Reads the next line, and blocks until it is complete; `nil` at the end of input.
    package func readLine() -> String? {
        guard begin() else { return Swift.readLine() }
        defer { restore() }
        draw()
        while true {
            var byte: UInt8 = 0
            let count = Foundation.read(0, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            switch edit.withLock({ $0.take(byte) }) {
            case .line(let line)?:
                try? StandardStream.output.write("\n")
                return line
            case .end?:
                try? StandardStream.output.write("\n")
                return nil
            case .changed?: draw()
            case .cleared?:
                try? StandardStream.output.write("\u{1B}[H\u{1B}[2J")
                draw()
            case nil: break
            }
        }
    }

    /// Gives the terminal the settings that it had before the line that is read, if any.
    package func restore() {
        settings.withLock { settings in
            if var before = settings { tcsetattr(0, TCSADRAIN, &before) }
            settings = nil
        }
    }

    /// Lets keys come one by one and unseen. Returns whether the terminal does that.
    private func begin() -> Bool {
        var before = termios()
        guard tcgetattr(0, &before) == 0 else { return false }
        var changed = before
        changed.c_lflag &= ~tcflag_t(ICANON | ECHO)
        guard tcsetattr(0, TCSADRAIN, &changed) == 0 else { return false }
        settings.withLock { $0 = before }
        return true
    }

    private func draw() {
        let width = StandardStream.output.width(environment: [:]) ?? 80
        let text = edit.withLock { $0.drawing(prompt: prompt, width: width) }
        try? StandardStream.output.write(text)
    }
}
