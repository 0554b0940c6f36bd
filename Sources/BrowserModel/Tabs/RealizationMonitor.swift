public import BrowserSessions

/// Reports code that realizes many tabs at once by mistake: that costs memory for tabs that nobody
/// looks at.
///
/// It reports once, when more than ``limit`` tabs were realized within ``period``. Code that means
/// it says so with `expecting`.
public final class RealizationMonitor {
    /// How many realizations within ``period`` are usual.
    public let limit: Int
    public let period: Duration
    /// Whether it has reported.
    public private(set) var hasReported = false
    private var times: [Timestamp] = []
    private var expectations = 0
    private let now: @Sendable () -> Timestamp
    private let report: (Int) -> Void

    /// - Parameters:
    ///   - limit: how many realizations within the period are usual.
    ///   - period: how long they are counted.
    ///   - now: the wall clock.
    ///   - report: gets the number of tabs that were realized within the period.
    public init(
        limit: Int = 3, period: Duration = .seconds(1),
        now: @escaping @Sendable () -> Timestamp = { .now() }, report: @escaping (Int) -> Void
    ) {
        self.limit = limit
        self.period = period
        self.now = now
        self.report = report
    }

    /// Runs code that realizes many tabs on purpose. They do not count later either.
    @discardableResult
    public func expecting<Answer, Failure: Error>(
        _ work: () throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        expectations += 1
        defer { expectations -= 1 }
        return try work()
    }

    /// Runs code that realizes many tabs on purpose. What others realize meanwhile does not count.
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
