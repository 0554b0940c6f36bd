import BrowserModel
import BrowserSessions
import Expectations
import Synchronization

struct RealizationMonitorTests {
    /// A wall clock that the test sets.
    private final class Clock: Sendable {
        private let time = Mutex(Timestamp(microseconds: 0))
        var now: Timestamp { time.withLock { $0 } }
        func advance(_ duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
    }

    private final class Reports {
        var counts: [Int] = []
    }

    private let clock = Clock()
    private let reports = Reports()

    private func makeMonitor(limit: Int = 3) -> RealizationMonitor {
        RealizationMonitor(limit: limit, now: { [clock] in clock.now }) { [reports] in
            reports.counts.append($0)
        }
    }

    private func realize(_ count: Int, every pause: Duration = .zero, _ monitor: RealizationMonitor)
        async throws
    {
        let list = TabList()
        list.realizationMonitor = monitor
        for number in 0..<count {
            let tab = Tab.unrealized("\(number)")
            try list.insert(tab)
            try await tab.forceRealization()
            clock.advance(pause)
        }
    }

    @Test func usualNumberOfRealizationsIsNotReported() async throws {
        let monitor = makeMonitor()
        try await realize(3, monitor)
        expect(reports.counts.isEmpty)
        expect(!monitor.hasReported)
    }

    @Test func moreThanTheLimitWithinThePeriodIsReportedOnce() async throws {
        let monitor = makeMonitor()
        try await realize(20, monitor)
        expect(reports.counts, is: [4])
        expect(monitor.hasReported)
    }

    @Test func realizationsThatLieAPeriodBackDoNotCount() async throws {
        let monitor = makeMonitor()
        try await realize(20, every: .milliseconds(334), monitor)
        expect(reports.counts.isEmpty)
        try await realize(4, every: .milliseconds(333), monitor)
        expect(reports.counts, is: [4])
    }

    @Test func clockThatGoesBackForgets() async throws {
        let monitor = makeMonitor()
        clock.advance(.seconds(100))
        try await realize(3, monitor)
        clock.advance(.seconds(-50))
        try await realize(3, monitor)
        expect(reports.counts.isEmpty)
    }

    @Test func expectedRealizationsDoNotCount() async throws {
        let monitor = makeMonitor()
        try await monitor.expecting { try await realize(20, monitor) }
        let list = TabList()
        list.realizationMonitor = monitor
        for number in 0..<20 { try list.insert(Tab.unrealized("\(number)")) }
        try monitor.expecting { for tab in list { try list.activate(tab) } }
        try await realize(3, monitor)
        expect(reports.counts.isEmpty)
        try await realize(1, monitor)
        expect(reports.counts, is: [4])
    }

    @Test func newTabsDoNotCount() throws {
        let list = TabList()
        list.realizationMonitor = makeMonitor(limit: 0)
        for _ in 0..<9 { try list.insert(Tab(), as: .active) }
        expect(reports.counts.isEmpty)
    }
}
