import BrowserSessions
import Foundation

/// A loop that starts operations on a schedule, as people and pages do, whether or not the store is ready.
///
/// Each operation is measured from its scheduled start, so a stall counts for every operation that waited for
/// it. In contrast, a closed loop starts each operation only when the previous one has ended, and counts a
/// stall once.
struct OpenLoop {
    /// The number of starts per second.
    let rate: Double
    /// Returns the time since a fixed moment.
    var now: () -> Duration = systemTime
    /// Returns at the given time, or at once if it has passed.
    var wait: (Duration) -> Void = wait

    init(rate: Double) { self.rate = rate }

    /// Measures operations. Ends early after more than twice the planned time plus one second.
    /// Otherwise, the queue, and every time with it, would grow with the length of the run.
    func measure(_ run: any WorkloadRun, samples: Int, _ reply: inout JobAnswer)
        async throws(StorageError)
    {
        let start = now()
        let latest = start + .seconds(2 * Double(samples) / rate + 1)
        for number in 0..<samples where reply.wrong == nil {
            _ = try await run.prepare()
            let intended = start + .seconds(Double(number) / rate)
            wait(intended)
            try await run.operate()
            let end = now()
            reply.operation.append((end - intended).nanoseconds)
            reply.wrong = try await run.check()
            guard end <= latest else {
                reply.remark =
                    "fell behind: only \(number + 1) of \(samples) operations were done in twice"
                    + " the time of their schedule; ask for a lower --rate"
                return
            }
        }
    }

    private static func systemTime() -> Duration {
        let clock = ContinuousClock.now
        return origin.duration(to: clock)
    }

    private static let origin = ContinuousClock.now

    /// Sleeps until shortly before the time, and then spins, because a thread wakes up late.
    private static func wait(until time: Duration) {
        let rest = time - systemTime() - .microseconds(300)
        // waits: operations come at their times, whatever the store does
        if rest > .zero { usleep(UInt32(min(rest.nanoseconds / 1000, 10_000_000))) }
        // waits: for the last 300 µs, because a thread wakes up late
        while systemTime() < time {}
    }
}

extension Duration {
    var nanoseconds: Int {
        Int(components.seconds) * 1_000_000_000 + Int(components.attoseconds / 1_000_000_000)
    }
}
