import BrowserSessions
import Dispatch
import Foundation
import Synchronization

/// A child process that reports in lines, until it ends or is killed.
///
/// Its lines are those of its standard output that begin with ``marker``; test frameworks print
/// between them. It ends when this process does, because its input is then at its end.
final class ChildProcess: Sendable {
    static let marker = "@conformance "

    /// How a process ended.
    enum End: Hashable, Sendable, CustomStringConvertible {
        case exited(Int32)
        case signal(Int32)

        var description: String {
            switch self {
            case .exited(let code): "exited with code \(code)"
            case .signal(let number): "ended by signal \(number)\(Self.name(of: number))"
            }
        }

        private static func name(of signal: Int32) -> String {
            switch signal {
            case SIGILL: " (SIGILL)"
            case SIGTRAP: " (SIGTRAP)"
            case SIGABRT: " (SIGABRT)"
            case SIGBUS: " (SIGBUS)"
            case SIGFPE: " (SIGFPE)"
            case SIGKILL: " (SIGKILL)"
            case SIGSEGV: " (SIGSEGV)"
            case SIGPIPE: " (SIGPIPE)"
            case SIGTERM: " (SIGTERM)"
            default: ""
            }
        }
    }

    private struct State {
        var lines: [String] = []
        var waiting: CheckedContinuation<String?, Never>?
        var end: End?
        var waitingForEnd: [CheckedContinuation<End, Never>] = []
        var errors: [UInt8] = []
    }

    let identifier: pid_t
    private let input: Int32
    private let state = Mutex(State())

    /// Starts the process.
    init(_ command: ChildCommand, _ order: ChildOrder) throws {
        let (identifier, pipes) = try Self.starting.withLock { _ in
            let pipes = try (Pipes(), Pipes(), Pipes())
            return (try Self.spawn(command, order, pipes.0, pipes.1, pipes.2), pipes)
        }
        self.identifier = identifier
        close(pipes.0.read)
        close(pipes.1.write)
        close(pipes.2.write)
        input = pipes.0.write
        let (output, errors) = (pipes.1.read, pipes.2.read)
        let queue = DispatchQueue(label: "conformance.child", attributes: .concurrent)
        let reading = DispatchGroup()
        queue.async(group: reading) { self.readLines(output) }
        queue.async(group: reading) { self.readErrors(errors) }
        reading.notify(queue: queue) { self.awaitEnd() }
    }

    /// The next line without its marker; `nil` when the process has ended. One caller at a time.
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

    /// The lines that are left once the process has ended.
    func remainingLines() async -> [String] {
        var lines: [String] = []
        while let line = await nextLine() { lines.append(line) }
        return lines
    }

    func send(_ signal: Int32) { _ = Foundation.kill(identifier, signal) }

    /// Kills the process as a crash would, and waits until it has ended.
    func kill() async {
        send(SIGKILL)
        _ = await end()
    }

    /// Waits for the end of the process.
    func end() async -> End {
        await withCheckedContinuation { continuation in
            let end: End? = state.withLock { state in
                if state.end == nil { state.waitingForEnd.append(continuation) }
                return state.end
            }
            if let end { continuation.resume(returning: end) }
        }
    }

    /// The last of what the process wrote to its standard error, in one line.
    var errorTail: String {
        let bytes = state.withLock { $0.errors.suffix(300) }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").joined(
            separator: " / ")
    }

    // MARK: - Reading

    private func readLines(_ file: Int32) {
        var rest: [UInt8] = []
        Self.readAll(file) { bytes in
            rest += bytes
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeSubrange(...end)
                guard line.hasPrefix(Self.marker) else { continue }
                self.deliver(String(line.dropFirst(Self.marker.count)))
            }
        }
    }

    private func deliver(_ line: String) {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            if state.waiting == nil { state.lines.append(line) }
            return state.waiting
        }
        waiting?.resume(returning: line)
    }

    private func readErrors(_ file: Int32) {
        Self.readAll(file) { bytes in
            self.state.withLock { $0.errors = ($0.errors + bytes).suffix(4096) }
        }
    }

    private static func readAll(_ file: Int32, _ use: (ArraySlice<UInt8>) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count > 0 {
                use(buffer[..<count])
            } else if count == 0 || errno != EINTR {
                break
            }
        }
        close(file)
    }

    private func awaitEnd() {
        var status: Int32 = 0
        // waits: each turn blocks in waitpid
        while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
        close(input)
        let signal = status & 0x7F
        let end: End = signal == 0 ? .exited(status >> 8 & 0xFF) : .signal(signal)
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

    // MARK: - Starting

    /// One process is started at a time: another would inherit the ends of a pipe that is not yet
    /// marked, and keep this child alive or its output unfinished.
    private static let starting = Mutex(())

    private struct Pipes {
        var read: Int32
        var write: Int32

        init() throws {
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { throw FileSystem.error("make", "a pipe") }
            (read, write) = (ends[0], ends[1])
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
    }

    private static func spawn(
        _ command: ChildCommand, _ order: ChildOrder, _ input: Pipes, _ output: Pipes,
        _ errors: Pipes
    ) throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.read, 0)
        posix_spawn_file_actions_adddup2(&actions, output.write, 1)
        posix_spawn_file_actions_adddup2(&actions, errors.write, 2)
        // A pipe of somebody else that the child kept open would never come to its end.
        let open = (try? FileSystem.contents(of: "/proc/self/fd")) ?? []
        for file in open.compactMap({ Int32($0) }) where file > 2 {
            posix_spawn_file_actions_addclose(&actions, file)
        }
        var environment = ProcessInfo.processInfo.environment
        environment[ChildOrder.environmentName] = try order.text
        let arguments = ([command.executable] + command.arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var identifier: pid_t = 0
        let code = posix_spawn(
            &identifier, command.executable, &actions, nil, arguments, variables)
        guard code == 0 else {
            throw HarnessFault(
                "'\(command.executable)' cannot be started: \(String(cString: strerror(code)))")
        }
        return identifier
    }
}
