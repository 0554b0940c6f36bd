import Expectations
import Foundation
import Synchronization

@testable import sessionctl

struct ProgressTests {
    /// A terminal that remembers, and a clock that is set.
    final class Terminal: Sendable {
        let texts = Mutex<[String]>([])
        let time = Mutex(Duration.zero)

        func stream(isTerminal: Bool = true) -> sessionctl.Progress.Stream {
            sessionctl.Progress.Stream(
                isTerminal: isTerminal, now: { self.time.withLock { $0 } },
                write: { text in self.texts.withLock { $0.append(text) } })
        }

        func pass(_ time: Duration) { self.time.withLock { $0 += time } }

        /// What is in the line now.
        var line: String? {
            texts.withLock { $0.last?.replacingOccurrences(of: "\r\u{1B}[K", with: "") }
        }
    }

    @Test func rateAndEnd() {
        let terminal = Terminal()
        let progress = sessionctl.Progress("reading", "tab", on: terminal.stream())
        progress.update(1, of: 1000)
        expect(terminal.line, is: "reading 0 %, 1 of 1000 tabs")
        terminal.pass(.seconds(2))
        progress.update(200, of: 1000)
        expect(terminal.line, is: "reading 20 %, 200 of 1000 tabs, 100 a second, about 8 s left")
        terminal.pass(.seconds(400))
        progress.update(201, of: 1000)
        expect(terminal.line, is: "reading 20 %, 201 of 1000 tabs, 30 a minute, about 27 min left")
        progress.finish()
        expect(terminal.line, is: "")
    }

    @Test func unknownTotals() {
        let terminal = Terminal()
        let progress = sessionctl.Progress("reading", "session", on: terminal.stream())
        progress.update(1)
        expect(terminal.line, is: "reading 1 session")
        terminal.pass(.seconds(10))
        progress.update(500)
        expect(terminal.line, is: "reading 500 sessions, 50 a second")
        terminal.pass(.seconds(1))
        progress.update(0, of: 0)
        expect(terminal.line, is: "reading 100 %, 0 of 0 sessions")
    }

    @Test func theLineDoesNotFlicker() {
        let terminal = Terminal()
        let progress = sessionctl.Progress("reading", "tab", on: terminal.stream())
        for number in 1...100 {
            progress.update(number, of: 100)
            terminal.pass(.milliseconds(10))
        }
        expect(terminal.texts.withLock { $0.count }, is: 10)
    }

    @Test func elsewhereItIsSilent() {
        let terminal = Terminal()
        let progress = sessionctl.Progress("reading", "tab", on: terminal.stream(isTerminal: false))
        progress.update(1, of: 2)
        progress.finish()
        expect(terminal.texts.withLock { $0.isEmpty })
    }
}
