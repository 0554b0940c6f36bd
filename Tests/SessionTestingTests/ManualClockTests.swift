import BrowserSessions
import Expectations
import SessionTesting
import Synchronization

@Suite("A clock that moves only on request", .timeLimit(.minutes(10)))
struct ManualClockTests {
    let clock = ManualClock()

    @Test func timePassesOnlyByAdvancing() {
        expect(clock.now.sinceStart, is: .zero)
        expect(clock.sleeperCount == 0 && clock.nextDeadline == nil)
        clock.advance(by: .seconds(2))
        clock.advance(by: .milliseconds(500))
        expect(clock.now.sinceStart, is: .seconds(2.5))
        clock.advance(to: clock.now.advanced(by: .seconds(1)))
        expect(clock.now.sinceStart, is: .seconds(3.5))
    }

    @Test func sleeperWakesAtItsDeadlineAndNotBefore() async throws {
        let task = Task { try await clock.sleep(for: .seconds(2.5)) }
        await clock.waitForSleepers()
        expect(clock.nextDeadline?.sinceStart, is: .seconds(2.5))
        clock.advance(by: .seconds(2.499))
        expect(clock.sleeperCount, is: 1)
        clock.advance(by: .milliseconds(1))
        expect(clock.sleeperCount, is: 0)
        try await task.value
    }

    /// On one actor, tasks run in the order in which they were resumed, as long as none of them is waited
    /// for, which makes it more urgent. Given a duration instead of a deadline, the standard library
    /// would leave the actor, and any of them may come back first.
    @Test @MainActor func sleepersWakeInTheOrderOfTheirDeadlines() async throws {
        let (woken, continuation) = AsyncStream.makeStream(of: Int.self)
        for (number, seconds) in [3, 1, 2, 1, 5].enumerated() {
            Task { @MainActor in
                try await clock.sleep(until: clock.now.advanced(by: .seconds(seconds)))
                continuation.yield(number)
            }
            await clock.waitForSleepers(number + 1)
        }
        var numbers = woken.makeAsyncIterator()
        var order: [Int?] = []
        clock.advance(by: .seconds(3))
        for _ in 1...4 { order.append(await numbers.next()) }
        expect(order, is: [1, 3, 2, 0])
        expect(clock.sleeperCount, is: 1)
        clock.advance(by: .seconds(2))
        expect(await numbers.next() == 4)
    }

    @Test func wokenTaskReadsTheNewTime() async throws {
        let task = Task {
            try await clock.sleep(for: .seconds(1))
            return clock.now
        }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        expect(try await task.value.sinceStart == .seconds(10))
    }

    @Test func sleepUntilAPastDeadlineReturnsAtOnce() async throws {
        clock.advance(by: .seconds(1))
        try await clock.sleep(until: clock.now)
        try await clock.sleep(for: .seconds(-1))
        expect(clock.sleeperCount, is: 0)
    }

    @Test func waitingForSleepersEndsWhenEnoughSleep() async throws {
        let waiting = Task { await clock.waitForSleepers(3) }
        let tasks = (0..<3).map { _ in Task { try await clock.sleep(for: .seconds(1)) } }
        await waiting.value
        expect(clock.sleeperCount, is: 3)
        clock.advance(by: .seconds(1))
        for task in tasks { try await task.value }
    }

    @Test func waitingForSleepersEndsWhenItsTaskIsCancelled() async {
        let waiting = Task { await clock.waitForSleepers() }
        waiting.cancel()
        await waiting.value
        expect(clock.sleeperCount, is: 0)
    }

    @Test func aClockNeverGoesBack() async {
        await #expect(processExitsWith: .failure) { ManualClock().advance(by: .seconds(-1)) }
        await #expect(processExitsWith: .failure) {
            let clock = ManualClock()
            clock.advance(by: .seconds(1))
            clock.advance(to: clock.now.advanced(by: .nanoseconds(-1)))
        }
    }
}

@Suite("Cancelling who sleeps on a manual clock", .timeLimit(.minutes(10)))
struct ManualClockCancellationTests {
    let clock = ManualClock()

    @Test func taskCancelledBeforeItSleepsThrows() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await expect(throws: CancellationError.self) { try await task.value }
        expect(clock.sleeperCount, is: 0)
    }

    @Test func taskCancelledBeforeItSleepsThrowsAlsoIfItsDeadlineHasPassed() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .zero)
        }
        await expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func taskCancelledWhileItSleepsThrowsAndSleepsNoLonger() async throws {
        let (cancelled, other) = (
            Task { try await clock.sleep(for: .seconds(1)) },
            Task { try await clock.sleep(for: .seconds(2)) }
        )
        await clock.waitForSleepers(2)
        cancelled.cancel()
        await expect(throws: CancellationError.self) { try await cancelled.value }
        expect(clock.sleeperCount, is: 1)
        expect(clock.nextDeadline?.sinceStart, is: .seconds(2))
        clock.advance(by: .seconds(2))
        try await other.value
    }

    @Test func taskCancelledAfterItWasWokenDoesNotThrow() async throws {
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        task.cancel()
        try await task.value
    }

    /// The first of the two decides, and no sleeper is resumed twice or forgotten.
    @Test func cancellingAndAdvancingAtOnceEndsEverySleep() async {
        for _ in 0..<200 {
            let tasks = (0..<4).map { number in
                Task { try await clock.sleep(for: .seconds(number)) }
            }
            let advancing = Task { for _ in 0..<4 { clock.advance(by: .seconds(1)) } }
            for task in tasks { task.cancel() }
            await advancing.value
            for task in tasks { _ = await task.result }
            expect(clock.sleeperCount, is: 0)
        }
    }
}

@Suite("The wall clock of a manual clock")
struct ManualWallClockTests {
    @Test func wallClockBeginsInTheYear2026UnlessSetOtherwise() {
        expect(ManualClock().timestamp.microseconds, is: 1_767_225_600 * 1_000_000)
        expect(ManualClock(timestamp: .unknown).timestamp, is: .unknown)
    }

    @Test func wallClockMovesWithTheClock() {
        let clock = ManualClock(timestamp: Timestamp(microseconds: 7))
        clock.advance(by: .seconds(2) + .microseconds(5))
        expect(clock.timestamp.microseconds, is: 2_000_012)
    }

    @Test func wallClockKeepsFractionsOfMicroseconds() {
        let clock = ManualClock(timestamp: .unknown)
        for _ in 0..<3 { clock.advance(by: .nanoseconds(500)) }
        expect(clock.timestamp.microseconds, is: 1)
    }

    @Test func settingTheWallClockNeitherMovesTheClockNorWakesAnybody() async throws {
        let clock = ManualClock()
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(1))
        clock.setTimestamp(Timestamp(microseconds: 1_000))
        expect(clock.now.sinceStart, is: .milliseconds(1))
        expect(clock.sleeperCount, is: 1)
        expect(clock.timestamp.microseconds, is: 1_000)
        clock.advance(by: .seconds(1))
        expect(clock.timestamp.microseconds, is: 1_001_000)
        try await task.value
    }

    @Test func wallClockStaysAtTheLastTimestamp() {
        let clock = ManualClock(timestamp: Timestamp(microseconds: .max - 1))
        clock.advance(by: .seconds(1))
        expect(clock.timestamp.microseconds, is: .max)
        clock.setTimestamp(.unknown)
        clock.advance(by: .seconds(Int64.max / 2))
        expect(clock.timestamp.microseconds, is: .max)
    }
}
