import Dispatch

/// Runs blocking work on threads of its own, never on Swift's cooperative pool.
package enum BlockingWork {
    /// - Parameters:
    ///   - ifCancelled: whether it runs in a task that was cancelled before, too.
    ///   - start: hands the work to a thread; without one the work gets a new one. (A queue of its own does
    ///     that however many others wait; the threads of a concurrent queue are few.)
    package static func run<Success: Sendable>(
        _ operation: String, ifCancelled: Bool = false,
        on start: (@escaping @Sendable () -> Void) -> Void = { work in
            DispatchQueue(label: "browser-sessions.blocking").async(execute: work)
        },
        _ work: @escaping @Sendable () throws(StorageError) -> Success
    ) async throws(StorageError) -> Success {
        if Task.isCancelled, !ifCancelled {
            throw StorageError(
                .cancelled, "the task was cancelled before the call began", operation: operation)
        }
        let result: Result<Success, StorageError> = await withCheckedContinuation { waiting in
            start {
                waiting.resume(returning: Result { () throws(StorageError) in try work() })
            }
        }
        return try result.get()
    }
}
