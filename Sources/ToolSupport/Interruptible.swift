import BrowserSessions
import CommandLineSupport
import Dispatch

/// Does work that leaves something unfinished if the process ends before it is complete.
///
/// The first Ctrl-C, SIGTERM, or end of the terminal cancels the work, which ends in order: store
/// calls throw, and incomplete files are removed. A second one ends the process at once.
///
/// - Parameters:
///   - command: the name of the interrupted command, for the message.
///   - hint: what the user should know after an interruption.
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
