import ArgumentParser
import CommandLineSupport
import Foundation
import SessionRestoration
import ToolSupport

/// A loop that passes commands to the browser one by one and shows their results.
@MainActor
struct CommandSession {
    let browser: Browser
    /// Whether a wrong line ends the program.
    let endsAtMistakes: Bool

    /// Prints what was restored and runs until `quit`, the last line, or a signal that asks the
    /// program to end. Then closes the browser, so that everything is saved.
    ///
    /// - Returns: the signal; `nil` if there was none.
    mutating func run(
        _ lines: CommandLines, _ signals: TerminationSignals
    ) async throws -> TerminationSignal? {
        var asked: TerminationSignal?
        defer { lines.end() }
        do {
            try browser.onChange()
            for line in browser.greeting() { try Console.line(line) }
            try lines.prompt()
            for await input in Input.merged(lines.lines, signals) {
                guard case .line(let line) = input else {
                    if case .signal(let signal) = input { asked = signal }
                    break
                }
                if try await run(line) { break }
                try browser.onChange()
                try lines.prompt()
            }
        } catch {
            // The user's changes are saved even if output fails.
            try await browser.close()
            throw error
        }
        try await browser.close()
        return asked
    }

    /// Does what a line asks for. Returns whether that is to end.
    private func run(_ line: String) async throws -> Bool {
        do {
            switch try Command.read(line) {
            case nil: break
            case .help?: for form in CommandForm.all { try Console.line(form.help) }
            case .crash?: crash()
            case .quit?: return true
            case .action(let action)?:
                for line in try await action(browser) { try Console.line(line) }
            }
        } catch let error as OutputError {
            throw error
        } catch {
            Console.message("demobrowser: '\(line)': \(error)")
            if endsAtMistakes {
                throw error is CommandMistake ? ExitCode(EX_USAGE) : ExitCode.impossible
            }
        }
        return false
    }

    /// Ends the process at once, like a programming error.
    private func crash() -> Never {
        // Bypasses the runtime's own handler, which would write a long report first.
        signal(SIGABRT, SIG_DFL)
        abort()
    }
}

/// An input that the program waits for.
private enum Input: Sendable {
    case line(String)
    /// The end of the lines.
    case end
    case signal(TerminationSignal)

    /// Returns lines and signals in the order in which they arrive.
    static func merged(
        _ lines: AsyncStream<String>, _ caught: TerminationSignals
    ) -> AsyncStream<Input> {
        let (inputs, input) = AsyncStream<Input>.makeStream()
        let signals = Task { for await signal in caught { input.yield(.signal(signal)) } }
        let reading = Task {
            for await line in lines { input.yield(.line(line)) }
            input.yield(.end)
        }
        input.onTermination = { _ in
            signals.cancel()
            reading.cancel()
        }
        return inputs
    }
}

extension CommandForm {
    /// The line in the list of commands.
    var help: String {
        usage + String(repeating: " ", count: max(1, 38 - usage.count)) + summary
    }
}
