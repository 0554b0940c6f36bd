import Foundation
import ServedRecords
import StorageConformance
import Synchronization
import TestSupport

/// A server of its own, gone with this value or with the process.
final class ServerProcess: Sendable {
    private let folder = TemporaryFolder(inMemory: true)
    private let process: Mutex<RunningServer>

    var socket: String { folder.file("socket") }
    var control: ServerControl { ServerControl(path: socket) }

    /// Starts it, and returns when it serves.
    init() throws { process = Mutex(try RunningServer(in: folder)) }

    deinit { stop() }

    func location(_ name: String = "profile") -> String { "\(socket)#\(name)" }

    /// Ends it in the middle of whatever it does.
    func stop() { process.withLock { $0.end() } }

    /// Starts it again over what it had written.
    func restart() throws {
        stop()
        let new = try RunningServer(in: folder)
        process.withLock { $0 = new }
    }
}

/// Started without Foundation's `Process`, which lets a child inherit what belongs to others that are
/// started at the same time: as the server lives long, their end would not be noticed.
private struct RunningServer {
    let identifier: pid_t
    /// The server ends when this is closed.
    private let input: FileHandle
    private var hasEnded = false

    /// Returns when it serves.
    init(in folder: TemporaryFolder) throws {
        let (input, output) = (Pipe(), Pipe())
        // Whoever reads what the tests say does not wait for the server.
        let nowhere = open("/dev/null", O_WRONLY)
        defer { close(nowhere) }
        identifier = try ProcessStart(
            program: try BuiltProgram.named("recordserver").path,
            arguments: [folder.file("socket"), folder.path],
            environment: ProcessInfo.processInfo.environment,
            descriptors: [
                0: input.fileHandleForReading.fileDescriptor,
                1: output.fileHandleForWriting.fileDescriptor,
                2: nowhere,
            ],
            closed: ProcessStart.beyondStandard
        ).run()
        self.input = input.fileHandleForWriting
        try output.fileHandleForWriting.close()
        _ = output.fileHandleForReading.availableData
    }

    func send(_ signal: Int32) { if !hasEnded { kill(identifier, signal) } }

    mutating func end() {
        guard !hasEnded else { return }
        send(SIGKILL)
        var status: Int32 = 0
        // waits: each turn blocks in waitpid
        while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
        hasEnded = true
    }
}
