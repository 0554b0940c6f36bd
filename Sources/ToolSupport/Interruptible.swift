import BrowserSessions
import CommandLineSupport
import Dispatch

/// Does work that leaves something behind if the process ends in the middle of it.
///
/// At the first Ctrl-C, polite kill or end of the terminal the work is cancelled, and ends in order: calls of
/// stores throw, files that are not whole go. A second one ends the process at once.
///
/// - Parameters:
///   - command: what is interrupted, for the message.
///   - hint: what the user may know then.
/// - Throws: `cancelled` after an interruption.
package func interruptible<Result: Sendable>(
    _ command: String, _ hint: String, _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    let interruption = Interruption()
    let signals = interruption.listen()
    defer { for signal in signals { signal.cancel() } }
    let task = Task { try await work() }
    interruption.watch { task.cancel() }
    do {
        return try await task.value
    } catch let error as StorageError where error.code == .cancelled {
        throw StorageError(.cancelled, "it was interrupted; \(hint)", operation: command)
    }
}
