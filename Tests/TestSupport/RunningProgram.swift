package import Foundation
package import StorageConformance
import Synchronization

/// A program in a process and a process group of its own, killed with this value.
///
/// Of descriptors it finds what it is given, and no others. Foundation's `Process` lets it inherit what
/// others open meanwhile, and crashes while this process has some thousand descriptors open.
package final class RunningProgram: Sendable {
    package let identifier: pid_t
    /// The ends that are read.
    private let pipes: [Int32: Descriptor]
    private let state: Mutex<State>

    private struct State {
        /// The end of its input that is written.
        var input: Descriptor?
        var end: ProcessEnd?
        var isOverdue = false
    }

    /// What a program finds at a standard descriptor.
    package enum Stream {
        /// What the tests have there.
        case inherited
        case nothing
        /// A pipe, whose other end this value has.
        case pipe
        /// A file to write, emptied or made.
        case file(String)
        case descriptor(Descriptor)
    }

    /// Starts it.
    ///
    /// - Parameters:
    ///   - command: its path and its arguments.
    ///   - environment: what it finds in addition to the environment of the tests; the settings of
    ///     whoever runs the tests are hidden from it.
    ///   - limit: seconds after which its group is killed, so that nobody waits for ever; `nil` for
    ///     none.
    package init(
        _ command: [String], environment: [String: String] = [:], input: Stream = .nothing,
        output: Stream = .inherited, messages: Stream = .inherited, limit: Double? = nil
    ) throws {
        var (given, kept): ([Int32: Descriptor], [Int32: Descriptor]) = ([:], [:])
        for (number, stream) in zip(Int32(0)..., [input, output, messages]) {
            switch stream {
            case .inherited: break
            case .nothing: given[number] = try Descriptor("/dev/null", O_RDWR)
            case .file(let path):
                given[number] = try Descriptor(path, O_WRONLY | O_CREAT | O_TRUNC)
            case .descriptor(let descriptor): given[number] = descriptor
            case .pipe:
                let pipe = try DescriptorPipe()
                given[number] = number == 0 ? pipe.read : pipe.write
                kept[number] = number == 0 ? pipe.write : pipe.read
            }
        }
        identifier = try withExtendedLifetime(given) {
            try ProcessStart(
                program: command[0], arguments: Array(command.dropFirst()),
                environment: ProcessInfo.processInfo.environment
                    .filter { !$0.key.hasPrefix("SESSION_STORAGE_") }
                    .merging(environment) { $1 },
                descriptors: given.mapValues(\.number), closed: ProcessStart.beyondStandard
            ).run()
        }
        state = Mutex(State(input: kept.removeValue(forKey: 0)))
        pipes = kept
        if let limit { kill(after: limit) }
    }

    deinit { kill() }

    private func kill(after seconds: Double) {
        // waits: a limit for programs that hang, which a good one never comes to
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

    /// Writes to its input if that is a pipe; nothing comes of it when nobody reads any more.
    package func write(_ text: String) { state.withLock(\.input)?.write(Array(text.utf8)) }

    package func closeInput() { state.withLock { $0.input = nil } }

    /// What it has written to a pipe, or else writes next; nothing at the end.
    package func read(_ number: Int32 = 1) -> [UInt8] { pipes[number]?.read() ?? [] }

    /// All that it writes to a pipe until the end.
    package func readToEnd(_ number: Int32 = 1) -> [UInt8] { pipes[number]?.readToEnd() ?? [] }

    // MARK: - Ending

    /// Does nothing when its end was waited for.
    package func send(_ signal: Int32) {
        state.withLock { if $0.end == nil { _ = Foundation.kill(identifier, signal) } }
    }

    /// Blocks until it has ended.
    @discardableResult
    package func end() -> ProcessEnd {
        if let end = state.withLock(\.end) { return end }
        // Not under the lock, so that it can be killed meanwhile. The number stays its own.
        var information = siginfo_t()
        // waits: each turn blocks in waitid
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR
        {}
        return state.withLock { state in
            let end = state.end ?? ProcessEnd(of: identifier)
            state.end = end
            return end
        }
    }

    /// Ends it in the middle of whatever it does.
    @discardableResult
    package func kill() -> ProcessEnd {
        send(SIGKILL)
        return end()
    }
}
