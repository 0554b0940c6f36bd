import BrowserModel
import BrowserSessions
import Logging

/// The parts of a restorer.
struct RestorerSetup {
    var windows: WindowList
    var storage: any SessionStorage
    var policy: RestorationPolicy
    var pages: any PageMaker
    /// The clock for delays.
    var clock: any Clock<Duration>
    /// The clock for the times that are saved.
    var wallClock: WallClock
    var logger: Logger
    var metrics: RestorationMetrics
}
