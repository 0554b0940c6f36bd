import ArgumentParser
import CommandLineSupport
import Foundation
import SessionRestoration
import ToolSupport

/// Gives the browser its commands, one after the other, and shows what they answer.
@MainActor
struct CommandSession {
    let browser: Browser
    /// Whether a wrong line ends the program.
    let endsAtMistakes: Bool

    /// Tells what came back and runs until `quit`, or the last line; then closes the browser, so that
    /// everything is saved.
    mutating func run(_ lines: AsyncStream<String>) async throws {
        do {
            try browser.onChange()
            for line in browser.greeting() { try Console.line(line) }
            try Console.prompt()
            for await line in lines {
                if try await run(line) == .quit { break }
                try browser.onChange()
                try Console.prompt()
            }
        } catch {
            // What the user did is saved, whatever cannot be said of it.
            try await browser.close()
            throw error
        }
        try await browser.close()
    }

    private func run(_ line: String) async throws -> Command? {
        var command: Command?
        do {
            command = try Command.read(line)
            switch command {
            case nil, .quit: break
            case .help: for form in CommandForm.all { try Console.line(form.help) }
            case .crash: crash()
            case let command?:
                for line in try await browser.perform(command) { try Console.line(line) }
            }
        } catch let error as OutputError {
            throw error
        } catch {
            Console.message("demobrowser: '\(line)': \(error)")
            guard endsAtMistakes else { return nil }
            let isMistake = error is CommandError || error is PageError
            throw isMistake ? ExitCode(EX_USAGE) : ExitCode.impossible
        }
        return command
    }

    /// Ends the process at once, as a programming error does.
    private func crash() -> Never {
        // Without the runtime's own handler, which would write a long report first.
        signal(SIGABRT, SIG_DFL)
        abort()
    }
}

extension CommandForm {
    /// One line of the list of commands.
    var help: String {
        usage + String(repeating: " ", count: max(1, 38 - usage.count)) + summary
    }
}
