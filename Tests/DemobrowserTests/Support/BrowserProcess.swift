import BrowserSessions
import ChildProcesses
import Foundation
import StorageConformance
import StorageEngines
import TestSupport

/// A `demobrowser` in a process of its own. What it prints is read line by line.
final class BrowserProcess {
    private let program: RunningProgram
    private let folder = TemporaryFolder()
    private let limit: Double
    private var unread = Data()

    /// - Parameter limit: seconds after which it is killed, so that a test never waits for ever.
    init(_ arguments: [String], limit: Double = 300) throws {
        self.limit = limit
        program = try RunningProgram(
            [BuiltProgram.named("demobrowser").path] + arguments,
            environment: ["SESSION_STORAGE_OPTION_INCOGNITO_KEYS": "file"], input: .pipe,
            output: .pipe, messages: .file(folder.file("messages")), limit: limit)
    }

    func send(_ lines: [String]) { program.write(lines.map { $0 + "\n" }.joined()) }

    /// The next line without its end; `nil` when the process has ended and all was read.
    func line() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread = unread[(end + 1)...] }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = program.read()
            // What is left has no end: the process was killed while it wrote it.
            guard !more.isEmpty else { return nil }
            unread = unread + more
        }
    }

    /// Ends it with SIGKILL; what it has printed can still be read.
    func kill() { program.kill() }

    /// Asks it politely to end, and waits until it has.
    func end(by signal: Int32) -> ProcessEnd {
        program.send(signal)
        return program.end()
    }

    func closeInput() { program.closeInput() }

    /// Closes its input and waits until it ends, when all that it has printed was read.
    func finish() -> ProcessEnd {
        closeInput()
        return program.end()
    }

    /// What it wrote to standard error so far.
    var messages: String {
        let bytes = try? FileSystem.read(folder.file("messages"))
        return bytes.map { String(decoding: $0, as: UTF8.self) } ?? "(can't be read)"
    }

    /// How it ended, for the message of a test; it must have printed all that it prints.
    var ending: String {
        let end = finish()
        let time = program.isOverdue ? ", after the \(limit) s that it may take" : ""
        let last = messages.split(separator: "\n").suffix(5).joined(separator: " / ")
        return "\(end)\(time) and said '\(last)'"
    }
}
