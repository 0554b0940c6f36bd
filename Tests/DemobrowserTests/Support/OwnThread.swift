import Foundation

/// Runs work that waits for other processes on a thread of its own, so that tests that run at the
/// same time do not stand in line for it.
///
/// The work must expect nothing: on this thread an expectation belongs to no test, and what it says
/// is lost. It throws what is wrong, or returns what is then looked at.
func onOwnThread<Answer: Sendable>(
    _ work: @escaping @Sendable () throws -> Answer
) async throws -> Answer {
    try await withCheckedThrowingContinuation { done in
        Thread.detachNewThread { done.resume(with: Result(catching: work)) }
    }
}
