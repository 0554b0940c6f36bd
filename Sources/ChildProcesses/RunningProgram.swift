package import BrowserSessions
import Foundation
import StorageEngines
import Synchronization

/// A program in a process and a process group of its own, killed with this value.
///
/// It gets the descriptors that are passed to it, and no others. Foundation's `Process` lets it
/// inherit those that other threads open meanwhile, and crashes while this process has some
/// thousand descriptors open.
package final class RunningProgram: Sendable {
    package let identifier: Int32
    private let killsGroup: Bool
    /// The ends of its pipes that this process reads.
    private let pipes: [Int32: Descriptor]
    private let state: Mutex<State>

    private struct State {
        /// The end of its input that this process writes.
        var input: Descriptor?
        var end: ProcessEnd?
        var isOverdue = false
        var leftProcesses = false
    }

    /// What a program finds at a standard descriptor.
    package enum Stream {
        /// What this process has there.
        case inherited
        /// The null device.
        case nothing
        /// A pipe, with its other end in this value.
        case pipe
        /// A file to write, emptied or created.
        case file(String)
        case descriptor(Descriptor)
        /// The same as its standard output.
        case output
    }

    /// Starts the program. Throws if that is impossible.
    ///
    /// - Parameters:
    ///   - command: the program's path and its arguments.
    ///   - environment: variables in addition to the environment of this process. Variables that
    ///     begin with `SESSION_STORAGE_` are not inherited, because they select the user's store.
    ///   - others: descriptors in addition to the standard ones, by their number in the process.
    ///   - killsGroup: whether the processes that it leaves in its group are killed after it has
    ///     ended.
    ///   - limit: seconds after which its group is killed; `nil` for no limit.
    package init(
        _ command: [String], environment: [String: String] = [:], input: Stream = .nothing,
        output: Stream = .inherited, messages: Stream = .inherited,
        others: [Int32: Descriptor] = [:], killsGroup: Bool = false, limit: Double? = nil
    ) throws(StorageError) {
        var (given, kept): ([Int32: Descriptor], [Int32: Descriptor]) = (others, [:])
        for (number, stream) in zip(Int32(0)..., [input, output, messages]) {
            switch stream {
            case .inherited: break
            case .nothing: given[number] = try Descriptor("/dev/null", O_RDWR)
            case .file(let path):
                given[number] = try Descriptor(path, O_WRONLY | O_CREAT | O_TRUNC)
            case .descriptor(let descriptor): given[number] = descriptor
            case .output:
                if let output = given[1] {
                    given[number] = output
                } else {
                    given[number] = try Descriptor(dup(1))
                }
            case .pipe:
                let pipe = try DescriptorPipe()
                given[number] = number == 0 ? pipe.read : pipe.write
                kept[number] = number == 0 ? pipe.write : pipe.read
            }
        }
        let inherited = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("SESSION_STORAGE_") }
        identifier = try ProcessStart(
            command: command, environment: inherited.merging(environment) { $1 },
            descriptors: given
        ).run()
        self.killsGroup = killsGroup
        state = Mutex(State(input: kept.removeValue(forKey: 0)))
        pipes = kept
        if let limit { kill(after: limit) }
    }

    deinit { kill() }

    private func kill(after seconds: Double) {
        // waits: a limit for programs that hang, which a good one never reaches
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
            guard let self else { return }
            state.withLock { state in
                guard state.end == nil else { return }
                state.isOverdue = true
                _ = Foundation.kill(-identifier, SIGKILL)
            }
        }
    }

    /// Whether it was killed at its limit.
    package var isOverdue: Bool { state.withLock(\.isOverdue) }

    // MARK: - Streams

    /// Writes to its input if that is a pipe. Does nothing if the program does not read any more:
    /// this process ignores SIGPIPE from the first call on.
    package func write(_ text: String) {
        signal(SIGPIPE, SIG_IGN)
        state.withLock(\.input)?.write(Array(text.utf8))
    }

    package func closeInput() { state.withLock { $0.input = nil } }

    /// The end of a pipe that this process reads; `nil` if that stream is no pipe.
    package func pipe(_ number: Int32) -> Descriptor? { pipes[number] }

    /// Returns bytes that it has written to a pipe or, if there are none, the next ones; `[]` at the
    /// end.
    package func read(_ number: Int32 = 1) -> [UInt8] { pipes[number]?.read() ?? [] }

    /// Returns all bytes that it writes to a pipe until the end.
    package func readToEnd(_ number: Int32 = 1) -> [UInt8] { pipes[number]?.readToEnd() ?? [] }

    /// Returns what a program writes to its standard output; `nil` if it cannot be started or does
    /// not exit with 0. What it writes to standard error is dropped.
    package static func output(of command: [String]) -> String? {
        guard let program = try? RunningProgram(command, output: .pipe, messages: .nothing) else {
            return nil
        }
        let bytes = program.readToEnd()
        return program.end() == .exited(0) ? String(decoding: bytes, as: UTF8.self) : nil
    }

    // MARK: - Ending

    /// Sends a signal to the process. Does nothing after ``end()``.
    package func send(_ signal: Int32) {
        state.withLock { if $0.end == nil { _ = Foundation.kill(identifier, signal) } }
    }

    /// Blocks until the process has ended.
    @discardableResult
    package func end() -> ProcessEnd {
        if let end = state.withLock(\.end) { return end }
        // Not under the lock, so that it can be killed meanwhile. The identifier stays its own.
        var information = siginfo_t()
        // waits: each turn blocks in waitid
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR
        {}
        return state.withLock { state in
            if let end = state.end { return end }
            let end = ProcessEnd(of: identifier)
            state.end = end
            if killsGroup { state.leftProcesses = Foundation.kill(-identifier, SIGKILL) == 0 }
            return end
        }
    }

    /// Kills the process as a crash would, and blocks until it has ended.
    @discardableResult
    package func kill() -> ProcessEnd {
        send(SIGKILL)
        return end()
    }

    /// Whether other processes of its group were killed after it had ended.
    package var leftProcesses: Bool { state.withLock(\.leftProcesses) }
}
