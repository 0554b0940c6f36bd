import Dispatch

/// Runs blocking work on its own threads, never on Swift's cooperative pool.
package enum BlockingWork {
    /// Runs work on a new queue, even in a task that was already canceled. Such a queue starts the work no
    /// matter how many others wait; a concurrent one has few threads.
    package static func run<Success: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        let result: Result<Success, Failure> = await withCheckedContinuation { waiting in
            DispatchQueue(label: "browser-sessions.blocking").async {
                waiting.resume(returning: Result { () throws(Failure) in try work() })
            }
        }
        return try result.get()
    }

    /// Throws before a call of a store, if the task was already canceled.
    package static func requireTask(for operation: String) throws(StorageError) {
        guard Task.isCancelled else { return }
        throw StorageError(
            .cancelled, "the task was cancelled before the call began", operation: operation)
    }
}
