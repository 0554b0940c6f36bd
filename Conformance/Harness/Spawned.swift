import BrowserSessions
import Foundation
import LocalFiles
import StorageEngines
import Synchronization

/// A process that was just started, with this process's ends of its pipes.
struct Spawned: Sendable {
    let identifier: pid_t
    let input: Int32
    let output: Int32
    let errors: Int32
    /// A pipe within this process. Closing its write end signals the end of the child.
    let ended: Pipe

    /// Serializes starts: a second process could inherit the ends of a pipe before they are marked,
    /// and keep this child alive or its output unfinished.
    private static let starting = Mutex(())

    struct Pipe: Sendable {
        let read: Int32
        let write: Int32

        init() throws {
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { throw StorageError.system("make", "a pipe") }
            (read, write) = (ends[0], ends[1])
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
    }

    init(_ command: ChildCommand, _ order: ChildOrder) throws {
        let (identifier, pipes) = try Self.starting.withLock { _ in
            let pipes = try (Pipe(), Pipe(), Pipe(), Pipe())
            return (try Self.spawn(command, order, pipes.0, pipes.1, pipes.2), pipes)
        }
        self.identifier = identifier
        close(pipes.0.read)
        close(pipes.1.write)
        close(pipes.2.write)
        (input, output, errors) = (pipes.0.write, pipes.1.read, pipes.2.read)
        ended = pipes.3
    }

    private static func spawn(
        _ command: ChildCommand, _ order: ChildOrder, _ input: Pipe, _ output: Pipe, _ errors: Pipe
    ) throws -> pid_t {
        // A foreign pipe that the child kept open would never reach its end.
        let open = (try? FileSystem.contents(of: "/proc/self/fd")) ?? []
        return try ProcessStart(
            program: command.executable, arguments: command.arguments,
            environment: try environment(order),
            descriptors: [0: input.read, 1: output.write, 2: errors.write],
            closed: open.compactMap { Int32($0) }.filter { $0 > 2 }
        ).run()
    }

    /// Returns an environment in which sets and dictionaries have the same order in every process.
    private static func environment(_ order: ChildOrder) throws -> [String: String] {
        var environment = ProcessInfo.processInfo.environment
        environment[ChildOrder.environmentName] = try order.text
        environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        // A crash report needs the innermost frames, not registers and images.
        environment["SWIFT_BACKTRACE"] =
            environment["SWIFT_BACKTRACE"]
            ?? "enable=yes,color=no,interactive=no,threads=crashed,registers=none,images=none,limit=12,top=0"
        return environment
    }
}
