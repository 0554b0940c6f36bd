import BrowserSessions
import Foundation
import LocalFiles
import Synchronization
import TestSupport

/// A `demobrowser` in a process of its own. What it prints is read line by line.
final class BrowserProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let folder = TemporaryFolder()
    private let guardian: Guardian
    private var unread = Data()

    /// - Parameter limit: seconds after which it is killed, so that a test never waits for ever.
    init(_ arguments: [String], limit: Double = 300) throws {
        let file = folder.file("messages")
        try FileSystem.replace(file, with: [])
        process.executableURL = try BuiltProgram.named("demobrowser")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("SESSION_STORAGE_") }
            .merging(["SESSION_STORAGE_OPTION_INCOGNITO_KEYS": "file"]) { $1 }
        process.standardInput = input
        process.standardOutput = output
        let messages = try FileHandle(forWritingTo: URL(filePath: file))
        process.standardError = messages
        // A process that has ended must not end the tests when they write to it.
        signal(SIGPIPE, SIG_IGN)
        try process.run()
        try messages.close()
        guardian = Guardian(process.processIdentifier, limit: limit)
    }

    deinit {
        guardian.end()
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
        // Foundation keeps processes, and with some thousand descriptors it cannot start others.
        try? input.fileHandleForWriting.close()
        try? output.fileHandleForReading.close()
    }

    func send(_ lines: [String]) {
        let text = lines.map { $0 + "\n" }.joined()
        try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    /// The next line without its end; `nil` when the process has ended and all was read.
    func line() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread = unread[(end + 1)...] }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            // What is left has no end: the process was killed while it wrote it.
            guard !more.isEmpty else { return nil }
            unread = unread + more
        }
    }

    /// Ends it with SIGKILL; what it has printed can still be read.
    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    func closeInput() { try? input.fileHandleForWriting.close() }

    /// Closes its input and waits until it ends, when all that it has printed was read.
    func finish() -> (status: Int32, reason: Process.TerminationReason) {
        closeInput()
        process.waitUntilExit()
        guardian.end()
        return (process.terminationStatus, process.terminationReason)
    }

    /// What it wrote to standard error so far.
    var messages: String {
        let bytes = try? FileSystem.read(folder.file("messages"))
        return bytes.map { String(decoding: $0, as: UTF8.self) } ?? "(can't be read)"
    }

    /// How it ended, for the message of a test; it must have printed all that it prints.
    var ending: String {
        let (status, reason) = finish()
        let how = reason == .uncaughtSignal ? "signal" : "status"
        let time = guardian.hasKilled ? ", after the \(guardian.limit) s that it may take" : ""
        let last = messages.split(separator: "\n").suffix(5).joined(separator: " / ")
        return "ended with \(how) \(status)\(time) and said '\(last)'"
    }
}

/// Kills a process that takes too long.
private final class Guardian: Sendable {
    let limit: Double
    private let state = Mutex(State())

    private struct State {
        var hasKilled = false
        var hasEnded = false
    }

    init(_ process: pid_t, limit: Double) {
        self.limit = limit
        // waits: a limit for programs that hang, which a good one never comes to
        DispatchQueue.global().asyncAfter(deadline: .now() + limit) { [weak self] in
            self?.state.withLock { state in
                guard !state.hasEnded else { return }
                state.hasKilled = true
                kill(process, SIGKILL)
            }
        }
    }

    var hasKilled: Bool { state.withLock(\.hasKilled) }

    /// The process has ended, or nobody waits for it any more.
    func end() { state.withLock { $0.hasEnded = true } }
}
