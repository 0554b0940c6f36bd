/// Runs blocking work on threads of its own, never on Swift's cooperative pool.
package enum BlockingWork {
    /// - Parameter ifCancelled: whether it runs in a task that was cancelled before, too.
    package static func run<Success: Sendable>(
        _ operation: String, on line: StoreLine = StoreLine(on: .unlimited),
        ifCancelled: Bool = false,
        _ work: @escaping @Sendable () throws(StorageError) -> Success
    ) async throws(StorageError) -> Success {
        if Task.isCancelled, !ifCancelled {
            throw StorageError(
                .cancelled, "the task was cancelled before the call began", operation: operation)
        }
        let result: Result<Success, StorageError> = await withCheckedContinuation { waiting in
            line.add {
                waiting.resume(returning: Result { () throws(StorageError) in try work() })
            }
        }
        return try result.get()
    }
}
