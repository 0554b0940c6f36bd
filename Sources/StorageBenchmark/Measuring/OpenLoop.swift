import BrowserSessions
import Foundation

/// Starts operations on a schedule, as people and pages do, whether or not the store is ready.
///
/// Each is measured from when it should have started. So a stall counts for every operation that
/// had to wait for it, while a closed loop, which only starts the next one when the last has ended,
/// counts it once.
struct OpenLoop {
    /// Starts per second.
    let rate: Double
    /// The time since any moment.
    var now: () -> Duration = systemTime
    /// Returns at the time, or at once if it has passed.
    var wait: (Duration) -> Void = wait

    init(rate: Double) { self.rate = rate }

    /// Ends early if it takes more than twice as long as planned, and a second: then the waiting
    /// line, and with it every time, would grow with the length of the run.
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

    /// Sleeps, but for the last moment: a thread wakes up late.
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
