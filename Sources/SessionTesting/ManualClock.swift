public import BrowserSessions

/// A clock that moves only when it is told to, so that tests of delays need no time.
///
/// Give it to the code under test wherever that takes a `Clock`, wait until the code sleeps, and
/// move the clock:
///
/// ```swift
/// let clock = ManualClock()
/// let task = Task { try await clock.sleep(for: .seconds(2.5)) }
/// await clock.waitForSleepers()
/// clock.advance(by: .seconds(2.5))
/// try await task.value
/// ```
///
/// It also has a wall clock, ``timestamp``, which moves with it and can be set apart from it, as
/// users and servers do with real ones.
public final class ManualClock: Clock {
    /// A point in the time of a ``ManualClock``.
    public struct Instant: InstantProtocol {
        /// How far the clock had been moved; zero for a new clock.
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
        /// What the wall clock showed when it was set, and when that was.
        var setTimestamp: Timestamp
        var setAt = Instant(sinceStart: .zero)
        /// Those with the earliest deadline first; of equal ones, who came first.
        var sleepers: [Sleeper] = []
        var lastNumber: UInt64 = 0
    }

    private let state: Watched<State>

    /// 2026-01-01T00:00:00Z: what the wall clock shows unless a test says otherwise.
    public static let defaultTimestamp = Timestamp(microseconds: 1_767_225_600_000_000)

    /// - Parameter timestamp: what the wall clock shows at first.
    public init(timestamp: Timestamp = defaultTimestamp) {
        state = Watched(State(setTimestamp: timestamp))
    }

    /// The sum of everything that the clock was advanced by.
    public var now: Instant { state.withLock { $0.now } }

    /// Zero: the clock wakes exactly at the deadline.
    public var minimumResolution: Swift.Duration { .zero }

    // MARK: - Moving

    /// Moves the clock, and the wall clock with it, and wakes every task whose deadline has come.
    ///
    /// Tasks are woken in the order of their deadlines, those with equal ones in the order in which
    /// they went to sleep. All of them read the new ``now``, not their deadline; so advance step by
    /// step if a woken task is to sleep again, and wait with ``waitForSleepers(_:)`` in between.
    /// The tasks go on after this has returned.
    ///
    /// - Parameter duration: not negative; zero wakes nobody.
    public func advance(by duration: Swift.Duration) {
        precondition(duration >= .zero, "A clock never goes back: advance by zero or more")
        move { $0.advanced(by: duration) }
    }

    /// Moves the clock to a point in time, see ``advance(by:)``.
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

    /// What the wall clock shows: what it was set to, and the time since, in whole microseconds.
    /// It stays at the last possible timestamp when it gets there.
    public var timestamp: Timestamp {
        state.withLock { state in
            let (seconds, attoseconds) = state.setAt.duration(to: state.now).components
            let (micros, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000)
            let passed = isTooLong ? .max : micros + attoseconds / 1_000_000_000_000
            let (sum, isOver) = state.setTimestamp.microseconds.addingReportingOverflow(passed)
            return Timestamp(microseconds: isOver ? .max : sum)
        }
    }

    /// Lets the wall clock jump, forwards or backwards, as when somebody corrects it.
    ///
    /// ``now`` stays and nobody wakes: durations do not depend on the wall clock.
    public func setTimestamp(_ timestamp: Timestamp) {
        state.withLock { state in
            state.setTimestamp = timestamp
            state.setAt = state.now
        }
    }

    // MARK: - Sleeping

    /// Returns once the clock was moved to the deadline; at once if it is there already.
    ///
    /// Throws `CancellationError` if the task is cancelled before that, also if it was before the
    /// call. The tolerance makes no difference.
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

    /// A task is marked as cancelled before its handler runs: either this sees the mark, or the
    /// handler finds the sleeper.
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

    /// How many tasks sleep.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// When the next task wakes; `nil` if none sleeps.
    public var nextDeadline: Instant? { state.withLock { $0.sleepers.first?.deadline } }

    /// Returns once at least so many tasks sleep.
    ///
    /// If the waiting task is cancelled, as a test that ran out of time is, it returns at once.
    public func waitForSleepers(_ count: Int = 1) async {
        await state.wait { $0.sleepers.count >= count }
    }
}
