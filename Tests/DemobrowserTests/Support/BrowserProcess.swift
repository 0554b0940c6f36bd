import Foundation
import TestSupport
import Testing

/// A `demobrowser` in a process of its own. What it prints is read line by line.
final class BrowserProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let guardian: DispatchWorkItem
    private var unread = Data()

    /// - Parameter limit: seconds after which it is killed, so that a test never waits for ever.
    init(_ arguments: [String], messages: FileHandle = .nullDevice, limit: Double = 300) throws {
        process.executableURL = try BuiltProgram.named("demobrowser")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("SESSION_STORAGE_") }
            .merging(["SESSION_STORAGE_OPTION_INCOGNITO_KEYS": "file"]) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = messages
        // A process that has ended must not end the tests when they write to it.
        signal(SIGPIPE, SIG_IGN)
        try process.run()
        let identifier = process.processIdentifier
        guardian = DispatchWorkItem { Foundation.kill(identifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: guardian)
    }

    deinit {
        guardian.cancel()
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
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

    /// Closes its input and waits until it ends.
    func finish() -> (status: Int32, reason: Process.TerminationReason) {
        closeInput()
        while line() != nil {}
        process.waitUntilExit()
        guardian.cancel()
        return (process.terminationStatus, process.terminationReason)
    }
}
