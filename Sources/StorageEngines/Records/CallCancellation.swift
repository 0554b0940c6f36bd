import BrowserSessions
import Synchronization

/// Whether the caller of a long call still wants the result.
final class CallCancellation: Sendable {
    private let isSet = Atomic(false)

    /// Does the work, and sets the interruption when the task is cancelled.
    func whenCancelled<Success: Sendable>(
        _ work: () async throws(StorageError) -> Success
    ) async throws(StorageError) -> Success {
        let result = await withTaskCancellationHandler {
            do throws(StorageError) {
                return Result<Success, StorageError>.success(try await work())
            } catch { return .failure(error) }
        } onCancel: {
            isSet.store(true, ordering: .relaxed)
        }
        return try result.get()
    }

    /// Throws `StorageError.Code.cancelled` once the interruption is set.
    func poll() throws(StorageError) {
        guard isSet.load(ordering: .relaxed) else { return }
        throw StorageError(.cancelled, "the task was cancelled; nothing was changed")
    }
}
