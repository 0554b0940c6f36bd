import BrowserModel
import BrowserSessions
import Logging

/// The parts of a restorer.
struct RestorerSetup {
    var windows: WindowList
    var storage: any SessionStorage
    var policy: RestorationPolicy
    /// The clock for delays.
    var clock: any Clock<Duration>
    /// The clock for the times that are saved.
    var wallClock: WallClock
    var logger: Logger
    var metrics: RestorationMetrics
}

/// The wall clock, for the times that are saved.
struct WallClock: Sendable {
    private let read: @Sendable () -> Timestamp

    init(_ read: @escaping @Sendable () -> Timestamp) { self.read = read }

    var now: Timestamp { read() }
}
