import BrowserSessions
import ChildProcesses
import Dispatch
import Foundation
import Synchronization

/// A child process that reports in lines, until it ends or is killed.
///
/// Its lines are those of its standard output that begin with ``marker``; test frameworks print
/// between them. It ends when this process ends, because its input then ends. It has a process
/// group of its own: processes that it leaves in the group are killed with it and reported.
final class ChildProcess: Sendable {
    static let marker = "@conformance "

    private struct State {
        var lines: [String] = []
        var waiting: CheckedContinuation<String?, Never>?
        var end: ProcessEnd?
        var waitingForEnd: [CheckedContinuation<ProcessEnd, Never>] = []
        var errors: [UInt8] = []
        /// Whether another process still held its pipes when it had ended.
        var isHeld = false
    }

    private let program: RunningProgram
    private let state = Mutex(State())

    /// Starts the process. Throws ``HarnessFault`` if that is impossible.
    init(_ command: ChildCommand, _ order: ChildOrder) throws {
        let ended: DescriptorPipe
        do {
            ended = try DescriptorPipe()
            program = try RunningProgram(
                [command.executable] + command.arguments, environment: try order.environment,
                input: .pipe, output: .pipe, messages: .pipe, killsGroup: true)
        } catch {
            throw HarnessFault("no child process can be started: \(error)")
        }
        // Uses separate threads, because a queue adds threads slowly while its own are blocked.
        let hasRead = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            self.readAll(until: ended.read)
            hasRead.signal()
        }
        Thread.detachNewThread {
            let end = self.program.end()
            // Any process that still holds the pipes' other ends is not a child of this process.
            ended.write.write([0])
            hasRead.wait()
            self.notify(end)
        }
    }

    /// Returns the next line without its marker; `nil` after the end. Takes one caller at a time.
    func nextLine() async -> String? {
        await withCheckedContinuation { continuation in
            let answer: String?? = state.withLock { state in
                if !state.lines.isEmpty { return .some(state.lines.removeFirst()) }
                if state.end != nil { return .some(nil) }
                state.waiting = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Returns the remaining lines after the process has ended.
    func remainingLines() async -> [String] {
        var lines: [String] = []
        while let line = await nextLine() { lines.append(line) }
        return lines
    }

    /// Sends a signal to the process and to the processes that it started.
    func send(_ signal: Int32) { _ = Foundation.kill(-program.identifier, signal) }

    /// Kills the process as a crash would, and waits until it has ended.
    func kill() async {
        send(SIGKILL)
        _ = await end()
    }

    /// Waits until the process ends.
    func end() async -> ProcessEnd {
        await withCheckedContinuation { continuation in
            let end: ProcessEnd? = state.withLock { state in
                if state.end == nil { state.waitingForEnd.append(continuation) }
                return state.end
            }
            if let end { continuation.resume(returning: end) }
        }
    }

    /// Returns all lines of the process and how it ended; the end is `nil` if the limit killed it.
    func lines(within limit: Duration) async -> ([String], ProcessEnd?) {
        let timer = Task {
            // waits: the timer of a child's time limit
            try await Task.sleep(for: limit)
            send(SIGKILL)
            return true
        }
        let lines = await remainingLines()
        let end = await end()
        timer.cancel()
        if case .success(true) = await timer.result { return (lines, nil) }
        return (lines, end)
    }

    /// Whether processes that it started were still running when the process ended.
    var leftProcesses: Bool { program.leftProcesses || state.withLock(\.isHeld) }

    /// The last lines of the process's standard error. If the runtime ended the process, they start
    /// with the reason and include the innermost frames of the stack.
    var lastWords: [String] {
        let bytes = state.withLock { $0.errors }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        let causes = ["Fatal error", "Program crashed:"].lazy
            .compactMap { cause in lines.lastIndex { $0.contains(cause) } }
        guard let cause = causes.first else { return lines.suffix(16) }
        return Array(lines[cause...].prefix(16))
    }

    /// The last lines of standard error, joined into one line.
    var errorTail: String { lastWords.joined(separator: " / ") }

    // MARK: - Reading

    private func readAll(until ended: Descriptor) {
        var lines = LineReader(marker: Self.marker)
        var output = PipeReader(program.pipe(1))
        var errors = PipeReader(program.pipe(2))
        while output.isOpen || errors.isOpen {
            let hasEnded = PipeReader.wait(for: output, errors, or: ended)
            output.readWhatIsThere(isLast: hasEnded) { lines.read($0) { self.deliver($0) } }
            errors.readWhatIsThere(isLast: hasEnded) { bytes in
                self.state.withLock { $0.errors = ($0.errors + bytes).suffix(1 << 15) }
            }
        }
        if output.isHeld || errors.isHeld { state.withLock { $0.isHeld = true } }
    }

    private func deliver(_ line: String) {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            if state.waiting == nil { state.lines.append(line) }
            return state.waiting
        }
        waiting?.resume(returning: line)
    }

    private func notify(_ end: ProcessEnd) {
        let (line, ends) = state.withLock { state in
            defer {
                state.waiting = nil
                state.waitingForEnd = []
            }
            state.end = end
            return (state.waiting, state.waitingForEnd)
        }
        line?.resume(returning: nil)
        for waiting in ends { waiting.resume(returning: end) }
    }
}
