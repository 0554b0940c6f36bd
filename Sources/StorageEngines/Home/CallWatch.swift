import BrowserSessions
import Dispatch
import Synchronization

/// Interrupts calls of an engine that take too long.
///
/// A call costs two changes of a number and no look at a clock: while there are calls a timer looks whether
/// the number is still that of the same call. It looks four times in the allowed time, so a call may take a
/// quarter more.
final class CallWatch: Sendable {
    private static let looks = 4
    private static let queue = DispatchQueue(label: "browser-sessions.watch")

    /// Odd within a call.
    private let number = Atomic<UInt64>(0)
    private let isLooking = Atomic(false)
    private let interval: DispatchTimeInterval
    private let interruption = Mutex<@Sendable () -> Void>({})

    init(patience: Duration) {
        let (seconds, rest) = patience.components
        let nanoseconds =
            Int(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000).partialValue
            + Int(rest / 1_000_000_000)
        interval = .nanoseconds(max(1, nanoseconds) / Self.looks)
    }

    /// From now on that is what interrupts a call.
    func use(_ interrupt: @escaping @Sendable () -> Void) {
        interruption.withLock { $0 = interrupt }
    }

    /// Nothing is interrupted any more, and nothing kept of what was.
    func forget() { use {} }

    /// Calls come one at a time, or one within another.
    func watch<Success>(_ call: () throws -> Success) rethrows -> Success {
        let step: UInt64 = number.load(ordering: .relaxed) % 2 == 1 ? 2 : 1
        number.wrappingAdd(step, ordering: .sequentiallyConsistent)
        defer { number.wrappingAdd(step, ordering: .sequentiallyConsistent) }
        if !isLooking.load(ordering: .sequentiallyConsistent) { beginLooking() }
        return try call()
    }

    /// The call goes on: its time begins anew.
    func noteProgress() { number.wrappingAdd(2, ordering: .relaxed) }

    private func beginLooking() {
        let (isNew, _) = isLooking.compareExchange(
            expected: false, desired: true, ordering: .sequentiallyConsistent)
        if isNew { look(again: 0, at: number.load(ordering: .sequentiallyConsistent)) }
    }

    /// - Parameter seen: the number at the last look, which was the same for so many looks.
    private func look(again looks: Int, at seen: UInt64) {
        // waits: on no thread
        Self.queue.asyncAfter(deadline: .now() + interval) { [weak self] in
            self?.lookNow(looks + 1, seen)
        }
    }

    private func lookNow(_ looks: Int, _ seen: UInt64) {
        let now = number.load(ordering: .sequentiallyConsistent)
        guard now == seen else { return look(again: 0, at: now) }
        if now % 2 == 1 {
            if looks == Self.looks { interruption.withLock(\.self)() }
            return look(again: looks, at: now)
        }
        guard looks >= Self.looks else { return look(again: looks, at: now) }
        isLooking.store(false, ordering: .sequentiallyConsistent)
        // A call that began since saw a timer.
        if number.load(ordering: .sequentiallyConsistent) != now { beginLooking() }
    }
}
