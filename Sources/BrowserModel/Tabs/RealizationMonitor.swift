public import BrowserSessions

/// Reports code that mistakenly realizes many tabs at once, which uses memory for tabs that the
/// user does not view.
///
/// It reports once, when more tabs than its limit were realized within its period. Use `expecting`
/// for code that realizes many tabs intentionally.
public final class RealizationMonitor {
    /// The usual maximum of realizations within ``period``.
    package let limit: Int
    /// The length of time over which realizations are counted; one second by default.
    package let period: Duration
    /// Whether the monitor has reported.
    package private(set) var hasReported = false
    private var times: [Timestamp] = []
    private var expectations = 0
    private let now: @Sendable () -> Timestamp
    private let report: (Int) -> Void

    /// - Parameters:
    ///   - limit: the usual maximum of realizations within the period.
    ///   - period: the length of time over which realizations are counted.
    ///   - now: the wall clock.
    ///   - report: receives the number of tabs that were realized within the period.
    public init(
        limit: Int = 3, period: Duration = .seconds(1),
        now: @escaping @Sendable () -> Timestamp = { .now() }, report: @escaping (Int) -> Void
    ) {
        self.limit = limit
        self.period = period
        self.now = now
        self.report = report
    }

    /// Runs code that realizes many tabs intentionally. These tabs are never counted.
    @discardableResult
    public func expecting<Answer, Failure: Error>(
        _ work: () throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        expectations += 1
        defer { expectations -= 1 }
        return try work()
    }

    /// Runs code that realizes many tabs intentionally. No realizations are counted meanwhile.
    @discardableResult
    public func expecting<Answer>(_ work: () async throws -> Answer) async rethrows -> Answer {
        expectations += 1
        defer { expectations -= 1 }
        return try await work()
    }

    func tabWasRealized() {
        guard expectations == 0, !hasReported else { return }
        let time = now()
        times.removeAll { time.timeSince($0) >= period || time < $0 }
        times.append(time)
        guard times.count > limit else { return }
        hasReported = true
        report(times.count)
    }
}
