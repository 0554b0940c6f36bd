import Synchronization

@testable import BrowserSessions
@testable import StorageEngines

/// Clocks that a test sets: the wall clock, which may jump, and the time since the start.
final class PointTime: Sendable {
    private let wall = Mutex(Timestamp(microseconds: 1))
    private let up = Mutex(Duration.zero)

    /// Sets the wall clock alone.
    func set(_ microseconds: Int64) { wall.withLock { $0 = Timestamp(microseconds: microseconds) } }

    /// Lets time pass, by both clocks.
    func pass(_ hours: Double) {
        up.withLock { $0 += .seconds(hours * 3600) }
        wall.withLock { $0.microseconds += Int64(hours * 3_600_000_000) }
    }

    var environment: StoreEnvironment {
        StoreEnvironment(
            now: { self.wall.withLock(\.self) }, random: { 7 },
            uptime: { self.up.withLock(\.self) })
    }
}
