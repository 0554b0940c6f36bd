import BrowserSessions

/// The age of restore points, by a count of the store's own.
///
/// Within a launch the count follows a clock that only goes forward. From one opening to the next it
/// follows the wall clock, by two days at most and never back: a clock that is years off removes
/// nothing.
struct PointClock {
    /// The longest time that is believed to have passed between two openings, in seconds.
    static let longestGap: Int64 = 2 * 24 * 3600

    private let environment: StoreEnvironment
    private let count: Int64
    private let began: Duration

    /// Goes on from the newest point.
    init(_ environment: StoreEnvironment, after newest: PointRecord?) {
        self.environment = environment
        began = environment.uptime()
        guard let newest else {
            count = 0
            return
        }
        let (gap, isFar) = (environment.now().microseconds / 1_000_000)
            .subtractingReportingOverflow(newest.point.takenAt.microseconds / 1_000_000)
        let believed = isFar ? 0 : min(max(gap, 0), Self.longestGap)
        count = newest.count.addingReportingOverflow(believed).partialValue
    }

    /// The wall-clock time.
    var now: Timestamp { environment.now() }

    /// The time since the store was opened.
    var elapsed: Duration { environment.uptime() - began }

    /// The count in seconds.
    var seconds: Int64 { count + elapsed.components.seconds }

    /// Returns a point's age in seconds, at least 0.
    func age(of point: PointRecord) -> Int64 {
        let (age, isFar) = seconds.subtractingReportingOverflow(point.count)
        return isFar ? 0 : max(age, 0)
    }
}
