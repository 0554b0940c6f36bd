import BrowserSessions
import CommandLineSupport
import Foundation
import Synchronization

/// The lines of a script, of standard input, or of a person at a terminal.
///
/// A line is read on request, on another thread, because reading blocks. The main actor is
/// therefore free between two commands, however fast they arrive, and saves can begin there.
struct CommandLines: Sendable {
    let lines: AsyncStream<String>
    /// What a person edits the lines with; `nil` elsewhere.
    private let editor: LineEditor?
    /// Lets the editor begin the next line, which is not before the output of the last command.
    private let turn: AsyncStream<Void>.Continuation?

    /// Lines of standard input: edited, if that and standard output are a terminal.
    static func standardInput() -> CommandLines {
        let editor = LineEditor(prompt: "> ", environment: OwnProgram.environment)
        guard let editor else { return CommandLines { readLine() } }
        let (turns, turn) = AsyncStream<Void>.makeStream()
        let lines = AsyncStream<String> {
            for await _ in turns { return await BlockingWork.run { editor.readLine() } }
            return nil
        }
        return CommandLines(lines: lines, editor: editor, turn: turn)
    }

    /// Lines of a file.
    static func file(_ path: String) throws -> CommandLines {
        let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        let rest = Mutex(text.split(separator: "\n")[...])
        return CommandLines { rest.withLock { $0.popFirst().map(String.init) } }
    }

    private init(_ next: @escaping @Sendable () -> String?) {
        self.init(
            lines: AsyncStream { await BlockingWork.run { next() } }, editor: nil, turn: nil)
    }

    private init(
        lines: AsyncStream<String>, editor: LineEditor?, turn: AsyncStream<Void>.Continuation?
    ) {
        (self.lines, self.editor, self.turn) = (lines, editor, turn)
    }

    /// Asks for the next line, with a prompt if a person uses the program in a terminal.
    func prompt() throws(OutputError) {
        if let turn {
            turn.yield()
        } else if StandardStream.input.isTerminal, StandardStream.output.isTerminal {
            try StandardStream.output.write("> ")
        }
    }

    /// Leaves the terminal as it was, also while a line is read.
    func end() { editor?.restore() }
}
