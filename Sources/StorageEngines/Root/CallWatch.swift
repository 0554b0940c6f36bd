import BrowserSessions
import Dispatch
import Synchronization

/// Interrupts calls of an engine that take too long.
///
/// A call costs two changes of a number and does not read the clock: while there are calls, a timer
/// checks whether the number still belongs to the same call. It checks four times within the limit,
/// so a call may take a quarter more.
final class CallWatch: Sendable {
    private static let looks = 4
    private static let queue = DispatchQueue(label: "browser-sessions.watch")

    /// Odd during a call.
    private let number = Atomic<UInt64>(0)
    private let isLooking = Atomic(false)
    private let interval: DispatchTimeInterval
    private let interruption = Mutex<@Sendable () -> Void>({})

    init(timeout: Duration) {
        interval = max(timeout / Self.looks, .microseconds(1)).dispatched
    }

    /// Sets what interrupts a call from now on.
    func use(_ interrupt: @escaping @Sendable () -> Void) {
        interruption.withLock { $0 = interrupt }
    }

    /// Stops interrupting, and releases what did.
    func forget() { use {} }

    /// Watches a call. Calls come one at a time, or one within another.
    func watch<Success>(_ call: () throws -> Success) rethrows -> Success {
        let step: UInt64 = number.load(ordering: .relaxed) % 2 == 1 ? 2 : 1
        number.wrappingAdd(step, ordering: .sequentiallyConsistent)
        defer { number.wrappingAdd(step, ordering: .sequentiallyConsistent) }
        if !isLooking.load(ordering: .sequentiallyConsistent) { beginLooking() }
        return try call()
    }

    /// Restarts the time of the current call.
    func noteProgress() { number.wrappingAdd(2, ordering: .relaxed) }

    private func beginLooking() {
        let (isNew, _) = isLooking.compareExchange(
            expected: false, desired: true, ordering: .sequentiallyConsistent)
        if isNew { look(again: 0, at: number.load(ordering: .sequentiallyConsistent)) }
    }

    /// - Parameter seen: the number at the last check, unchanged for `looks` checks.
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
