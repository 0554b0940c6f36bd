import ChildProcesses
import Foundation
import Synchronization
import TestSupport

/// A server of its own, gone with this value or with the process.
public final class ServerProcess: Sendable {
    private let folder = TemporaryFolder(inMemory: true)
    /// Ends when its input is closed.
    private let program: Mutex<RunningProgram>

    public var socket: String { folder.file("socket") }
    public var control: ServerControl { ServerControl(path: socket) }

    /// Starts it, and returns when it serves.
    public init() throws { program = Mutex(try Self.start(in: folder)) }

    private static func start(in folder: TemporaryFolder) throws -> RunningProgram {
        // A reader of the tests' output does not wait for the server.
        let program = try RunningProgram(
            [BuiltProgram.named("recordserver").path, folder.file("socket"), folder.path],
            input: .pipe, output: .pipe, messages: .nothing)
        _ = program.read()
        return program
    }

    public func location(_ name: String = "profile") -> String { "\(socket)#\(name)" }

    /// Ends it in the middle of whatever it does.
    public func stop() { _ = program.withLock { $0.kill() } }

    /// Starts it again over what it had written.
    public func restart() throws {
        stop()
        let new = try Self.start(in: folder)
        program.withLock { $0 = new }
    }
}
