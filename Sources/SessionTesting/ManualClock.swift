public import BrowserSessions

/// A clock that moves only on request, so that tests of delays take no time.
///
/// Pass it to the code under test as its `Clock`, wait until that code sleeps, and move the clock:
///
/// ```swift
/// let clock = ManualClock()
/// let task = Task { try await clock.sleep(for: .seconds(2.5)) }
/// await clock.waitForSleepers()
/// clock.advance(by: .seconds(2.5))
/// try await task.value
/// ```
///
/// It also has a wall clock, ``timestamp``, which moves with it and can be set independently, as
/// users and servers do with real ones.
public final class ManualClock: Clock {
    /// A point in the time of a ``ManualClock``.
    public struct Instant: InstantProtocol {
        /// The distance that the clock had moved in total; zero for a new clock.
        public let sinceStart: Swift.Duration

        public func advanced(by duration: Swift.Duration) -> Instant {
            Instant(sinceStart: sinceStart + duration)
        }

        public func duration(to other: Instant) -> Swift.Duration { other.sinceStart - sinceStart }

        public static func < (left: Instant, right: Instant) -> Bool {
            left.sinceStart < right.sinceStart
        }
    }

    private struct Sleeper {
        var number: UInt64
        var deadline: Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(sinceStart: .zero)
        /// The value to which the wall clock was set, and when.
        var setTimestamp: Timestamp
        var setAt = Instant(sinceStart: .zero)
        /// Sorted by deadline; with equal deadlines, by arrival.
        var sleepers: [Sleeper] = []
        var lastNumber: UInt64 = 0
    }

    private let state: Watched<State>

    /// 2026-01-01T00:00:00Z, the default value of the wall clock.
    public static let defaultTimestamp = Timestamp(microseconds: 1_767_225_600_000_000)

    /// - Parameter timestamp: the initial value of the wall clock.
    public init(timestamp: Timestamp = defaultTimestamp) {
        state = Watched(State(setTimestamp: timestamp))
    }

    /// The sum of all advances of the clock.
    public var now: Instant { state.withLock { $0.now } }

    /// Zero: the clock wakes tasks exactly at their deadline.
    public var minimumResolution: Swift.Duration { .zero }

    // MARK: - Moving

    /// Moves the clock and its wall clock, and wakes every task with a deadline that has passed.
    ///
    /// Tasks wake in the order of their deadlines; with equal deadlines, in the order in which they
    /// went to sleep. All of them read the new ``now``, not their deadline. If a woken task sleeps
    /// again, advance step by step, with ``waitForSleepers(_:)`` in between. The tasks continue
    /// after this method has returned.
    ///
    /// - Parameter duration: not negative; zero wakes no task.
    public func advance(by duration: Swift.Duration) {
        precondition(duration >= .zero, "A clock never goes back: advance by zero or more")
        move { $0.advanced(by: duration) }
    }

    /// Moves the clock to a point in time; see ``advance(by:)``.
    ///
    /// - Parameter instant: not before ``now``; often ``nextDeadline``.
    public func advance(to instant: Instant) { move { _ in instant } }

    private func move(_ next: (Instant) -> Instant) {
        let woken = state.withLock { state in
            let new = next(state.now)
            precondition(new >= state.now, "A clock never goes back: advance to now or later")
            state.now = new
            let woken = state.sleepers.prefix { $0.deadline <= new }
            state.sleepers.removeFirst(woken.count)
            return woken.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    // MARK: - The wall clock

    /// The time of the wall clock: the value to which it was set, plus the time since, in whole
    /// microseconds. It stops at the last possible timestamp.
    public var timestamp: Timestamp {
        state.withLock { state in
            let (seconds, attoseconds) = state.setAt.duration(to: state.now).components
            let (micros, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000)
            let passed = isTooLong ? .max : micros + attoseconds / 1_000_000_000_000
            let (sum, isOver) = state.setTimestamp.microseconds.addingReportingOverflow(passed)
            return Timestamp(microseconds: isOver ? .max : sum)
        }
    }

    /// Sets the wall clock, forward or backward, as a user who corrects a clock does.
    ///
    /// ``now`` does not change and no task wakes: durations do not depend on the wall clock.
    public func setTimestamp(_ timestamp: Timestamp) {
        state.withLock { state in
            state.setTimestamp = timestamp
            state.setAt = state.now
        }
    }

    // MARK: - Sleeping

    /// Returns when the clock reaches the deadline; immediately if it already has.
    ///
    /// The tolerance has no effect.
    ///
    /// - Throws: `CancellationError` if the task is canceled earlier, including before the call.
    public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Sleeper(number: number, deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.sleepers.firstIndex { $0.number == number }
                    .map { state.sleepers.remove(at: $0) }
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private enum Entry { case asleep, due, cancelled }

    /// A task is marked as canceled before its handler runs: either this method sees the mark, or
    /// the handler finds the sleeper.
    private func add(_ sleeper: Sleeper) {
        let entry: Entry = state.withLock { state in
            if Task.isCancelled { return .cancelled }
            if sleeper.deadline <= state.now { return .due }
            let place = state.sleepers.firstIndex { $0.deadline > sleeper.deadline }
            state.sleepers.insert(sleeper, at: place ?? state.sleepers.endIndex)
            return .asleep
        }
        switch entry {
        case .asleep: break
        case .due: sleeper.continuation.resume()
        case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
        }
    }

    // MARK: - Waiting for the code under test

    /// The number of sleeping tasks.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// The time at which the next task wakes; `nil` if none sleeps.
    public var nextDeadline: Instant? { state.withLock { $0.sleepers.first?.deadline } }

    /// Returns when at least `count` tasks sleep.
    ///
    /// Returns immediately if the waiting task is canceled, such as when a test runs out of time.
    public func waitForSleepers(_ count: Int = 1) async {
        await state.wait { $0.sleepers.count >= count }
    }
}
