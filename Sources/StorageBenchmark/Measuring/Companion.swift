import BrowserSessions
import ChildProcesses
import Foundation
import Synchronization

/// The work of a second process at a store, beside the one that measures.
struct CompanionOrder: Codable, Hashable, Sendable {
    var contestant: ContestantName
    var location: String
    var role: Role

    enum Role: String, Codable, Hashable, Sendable {
        /// Has the store open, and has saved to it.
        case owner
        /// Opens and closes one reader after another.
        case readers
    }

    /// The command that takes an order.
    static let commandName = "companion"
}

/// A second process of this program, ended with this value.
///
/// It writes a line with a number: an owner when its store is ready, readers the change set that each
/// of them showed.
final class Companion: Sendable {
    private let program: RunningProgram
    private let lines = Mutex(Lines())

    private struct Lines {
        var rest: [UInt8] = []
        var numbers: [Int] = []
    }

    /// Starts the process, and blocks until its first line.
    init(_ order: CompanionOrder, executable: String) throws(StorageError) {
        let text: String
        do {
            text = String(decoding: try JSONEncoder().encode(order), as: UTF8.self)
        } catch { throw StorageError(.failed, "no order could be written: \(error)") }
        program = try RunningProgram(
            [executable, CompanionOrder.commandName, text],
            environment: ProcessInfo.processInfo.environment, input: .pipe, output: .pipe,
            messages: .pipe)
        // waits: each turn blocks in read, and throws at the end of the process
        while lines.withLock(\.numbers.isEmpty) { try take() }
    }

    /// Returns the numbers of all lines so far, without waiting. Throws if the process has ended.
    func numbers() throws(StorageError) -> [Int] {
        // waits: no turn waits; there are as many as pieces were written since
        while let pipe = program.pipe(1), pipe.hasMore { try take() }
        return lines.withLock(\.numbers)
    }

    /// Ends the process after the reader that it is about to open. Throws if it failed.
    func end() throws(StorageError) {
        program.closeInput()
        _ = program.readToEnd()
        guard program.end() != .exited(0) else { return }
        throw failure()
    }

    /// Takes over the next piece of what it writes.
    private func take() throws(StorageError) {
        let bytes = program.read()
        guard !bytes.isEmpty else { throw failure() }
        lines.withLock { lines in
            lines.rest += bytes
            while let end = lines.rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: lines.rest[..<end], as: UTF8.self)
                lines.numbers.append(Int(line) ?? 0)
                lines.rest.removeSubrange(...end)
            }
        }
    }

    private func failure() -> StorageError {
        program.closeInput()
        let words = String(decoding: program.readToEnd(2), as: UTF8.self)
        let last = words.split(separator: "\n").last.map { ": \($0.prefix(300))" } ?? ""
        return StorageError(
            .failed, "the process beside this one ended (\(program.end()))\(last)")
    }
}

extension Descriptor {
    /// Whether a read would not wait: bytes are there, or the other end is closed.
    var hasMore: Bool { Self.hasMore(number) }

    static func hasMore(_ number: Int32) -> Bool {
        var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }
}
