import BrowserSessions
import Synchronization

/// Returns the value of a task; `nil` if it takes longer, in which case the task continues.
func value<Value: Sendable>(of work: Task<Value, Never>, within limit: Duration) async -> Value? {
    await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
        let answer = FirstAnswer(continuation)
        let timer = Task {
            // waits: the limit of what may hang
            try await Task.sleep(for: limit)
            answer.give(nil)
        }
        Task {
            answer.give(await work.value)
            timer.cancel()
        }
    }
}

/// Delivers one answer to its waiting caller, once.
private final class FirstAnswer<Value: Sendable>: Sendable {
    private let waiting: Mutex<CheckedContinuation<Value?, Never>?>

    init(_ continuation: CheckedContinuation<Value?, Never>) { waiting = Mutex(continuation) }

    func give(_ value: Value?) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: value)
    }
}

/// Returns a store call's result; throws a ``Violation`` if it takes longer and still runs.
func outcome<Success: Sendable>(
    of subject: String, within limit: Duration,
    _ call: @escaping @Sendable () async throws(StorageError) -> Success
) async throws -> Result<Success, StorageError> {
    let work = Task { () -> Result<Success, StorageError> in
        do throws(StorageError) {
            return .success(try await call())
        } catch { return .failure(error) }
    }
    return try unwrap(
        await value(of: work, within: limit), "\(subject) still waits after \(limit)")
}
