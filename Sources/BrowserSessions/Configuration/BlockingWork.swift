import Dispatch

/// Runs blocking work on its own threads, never on Swift's cooperative pool.
package enum BlockingWork {
    /// - Parameters:
    ///   - ifCancelled: Whether the work also runs in a task that was already canceled.
    ///   - start: Passes the work to a thread. The default creates a new queue, which starts the
    ///     work no matter how many others wait; a concurrent queue has few threads.
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
