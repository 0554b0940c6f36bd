import Foundation
import ServedRecords
import Synchronization
import TestSupport

/// A server of its own, gone with this value or with the process.
final class ServerProcess: Sendable {
    private let folder = TemporaryFolder(inMemory: true)
    private let process: Mutex<Process>

    var socket: String { folder.file("socket") }
    var control: ServerControl { ServerControl(path: socket) }

    /// Starts it, and returns when it serves.
    init() throws { process = Mutex(try Self.start(folder)) }

    deinit { stop() }

    func location(_ name: String = "profile") -> String { "\(socket)#\(name)" }

    /// Ends it in the middle of whatever it does.
    func stop() {
        process.withLock { process in
            send(SIGKILL, to: process)
            process.waitUntilExit()
        }
    }

    /// Starts it again over what it had written.
    func restart() throws {
        stop()
        let new = try Self.start(folder)
        process.withLock { $0 = new }
    }

    /// Stops it, and returns when it has stopped.
    func freeze() {
        process.withLock { process in
            send(SIGSTOP, to: process)
            var state = siginfo_t()
            waitid(P_PID, id_t(process.processIdentifier), &state, WSTOPPED)
        }
    }

    func thaw() { process.withLock { send(SIGCONT, to: $0) } }

    private func send(_ signal: Int32, to process: Process) {
        if process.isRunning { kill(process.processIdentifier, signal) }
    }

    private static func start(_ folder: TemporaryFolder) throws -> Process {
        let process = Process()
        process.executableURL = try BuiltProgram.named("recordserver")
        process.arguments = [folder.file("socket"), folder.path]
        let output = Pipe()
        process.standardInput = Pipe()
        process.standardOutput = output
        try process.run()
        _ = output.fileHandleForReading.availableData
        return process
    }
}
