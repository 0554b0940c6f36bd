import Foundation
import ServedRecords
import Synchronization
import TestSupport

/// A server of its own, gone with this value or with the process.
final class ServerProcess: Sendable {
    private let folder = TemporaryFolder(inMemory: true)
    /// Ends when its input is closed.
    private let program: Mutex<RunningProgram>

    var socket: String { folder.file("socket") }
    var control: ServerControl { ServerControl(path: socket) }

    /// Starts it, and returns when it serves.
    init() throws { program = Mutex(try Self.start(in: folder)) }

    private static func start(in folder: TemporaryFolder) throws -> RunningProgram {
        // Whoever reads what the tests say does not wait for the server.
        let program = try RunningProgram(
            [BuiltProgram.named("recordserver").path, folder.file("socket"), folder.path],
            input: .pipe, output: .pipe, messages: .nothing)
        _ = program.read()
        return program
    }

    func location(_ name: String = "profile") -> String { "\(socket)#\(name)" }

    /// Ends it in the middle of whatever it does.
    func stop() { _ = program.withLock { $0.kill() } }

    /// Starts it again over what it had written.
    func restart() throws {
        stop()
        let new = try Self.start(in: folder)
        program.withLock { $0 = new }
    }
}
