import Dispatch

/// Runs blocking work on its own threads, never on Swift's cooperative pool.
package enum BlockingWork {
    /// Passes work to a thread.
    package typealias Start = (@escaping @Sendable () -> Void) -> Void

    /// Creates a new queue, which starts the work no matter how many others wait; a concurrent
    /// queue has few threads.
    package static func onNewQueue(_ work: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "browser-sessions.blocking").async(execute: work)
    }

    /// Runs work, even in a task that was already canceled.
    package static func run<Success: Sendable, Failure: Error>(
        on start: Start = onNewQueue, _ work: @escaping @Sendable () throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        let result: Result<Success, Failure> = await withCheckedContinuation { waiting in
            start { waiting.resume(returning: Result { () throws(Failure) in try work() }) }
        }
        return try result.get()
    }

    /// Runs a call of a store.
    ///
    /// - Parameter ifCancelled: Whether it also runs in a task that was already canceled.
    package static func run<Success: Sendable>(
        _ operation: String, ifCancelled: Bool = false, on start: Start = onNewQueue,
        _ work: @escaping @Sendable () throws(StorageError) -> Success
    ) async throws(StorageError) -> Success {
        if Task.isCancelled, !ifCancelled {
            throw StorageError(
                .cancelled, "the task was cancelled before the call began", operation: operation)
        }
        return try await run(on: start, work)
    }
}
