import BrowserSessions
import Synchronization

/// A call that can end with an error for its caller before the storage has ended it.
protocol AbandonableCall: Sendable {
    func abandon(_ error: StorageError)
}

/// The answer to one call. The first outcome counts.
final class AwaitedAnswer<Answer: Sendable>: AbandonableCall {
    typealias Outcome = Result<Answer, StorageError>

    private struct State {
        var outcome: Outcome?
        var waiting: CheckedContinuation<Outcome, Never>?
    }

    private let state = Mutex(State())

    func give(_ outcome: Outcome) {
        let waiting = state.withLock { state in
            guard state.outcome == nil else { return CheckedContinuation<Outcome, Never>?.none }
            state.outcome = outcome
            return state.waiting.take()
        }
        waiting?.resume(returning: outcome)
    }

    func abandon(_ error: StorageError) { give(.failure(error)) }

    /// What was given; `nil` before.
    var outcome: Outcome? { state.withLock { $0.outcome } }

    func value() async -> Outcome {
        await withCheckedContinuation { waiting in
            let outcome = state.withLock { state in
                state.waiting = state.outcome == nil ? waiting : nil
                return state.outcome
            }
            if let outcome { waiting.resume(returning: outcome) }
        }
    }
}

func outcome<Answer>(
    _ call: @Sendable () async throws -> Answer
) async -> Result<Answer, StorageError> {
    do { return .success(try await call()) } catch { return .failure(StorageError(any: error)) }
}
