import BrowserSessions

/// When restore points are taken of an open store, and what they may take.
struct PointSchedule {
    /// Whether the opening takes one.
    let takesAtOpening: Bool
    /// The time between two points while something changes; `nil` to take none.
    let interval: Duration?
    /// The most bytes of the points without a term.
    let limit: Int
    /// The time after which points are compared with the limit, so that neither an opening nor a save
    /// waits for it.
    static let limitDelay = Duration.seconds(60)

    /// When the newest point was taken, since the opening.
    private var last = Duration.zero
    private var isPlanned = false

    init(_ configuration: StorageConfiguration) {
        takesAtOpening = configuration.takesPointAtOpening
        let seconds = configuration.restorePointInterval
        interval = seconds > 0 ? .seconds(seconds) : nil
        limit = configuration.restorePointBytes
    }

    /// Returns how long after a save at this time a point is due; `nil` if one is planned, or none is
    /// taken.
    mutating func next(at time: Duration) -> Duration? {
        guard let interval, !isPlanned else { return nil }
        isPlanned = true
        return max(.zero, last + interval - time)
    }

    /// Begins a new interval.
    mutating func noteTaken(at time: Duration) { last = time }

    /// Returns how long to wait if a planned point is not due yet, because another one was taken
    /// meanwhile; `nil` if it is due, and then none is planned any more.
    mutating func remaining(at time: Duration) -> Duration? {
        guard let interval, time < last + interval else {
            isPlanned = false
            return nil
        }
        return last + interval - time
    }
}

extension StorageConfiguration {
    /// The seconds between restore points while something changes; 0 for none.
    var restorePointInterval: Int { integer("restorePointInterval", 10_800) }

    /// The most bytes of restore points that are neither pinned nor named.
    var restorePointBytes: Int { integer("restorePointBytes", 64 << 20) }
}
