import BrowserSessions
import Expectations

@testable import StorageBenchmark

@Suite("Which backend is marked as the best")
struct RankingTests {
    func row(
        _ median: Double, _ interval: [Double], role: BenchResult.Role? = .backend,
        verified: Bool = true
    ) -> BenchResult {
        var row = BenchResult(
            backend: "b", workload: "w", tabs: 1, stateBytes: 0, durability: .powerLoss,
            samples: 1, microseconds: .init(p50: median, p90: 1, p99: 1, max: 1),
            interval95: interval, verified: verified)
        row.role = role
        return row
    }

    @Test func theFastestHasAnIntervalApart() {
        expect(Ranking.best(of: [row(20, [19, 21]), row(10, [9, 11]), nil]), is: 1)
    }

    @Test func noneIfIntervalsOverlapOrTouch() {
        expect(Ranking.best(of: [row(10, [9, 12]), row(13, [11, 14])]) == nil)
        expect(Ranking.best(of: [row(10, [9, 11]), row(12, [11, 13])]) == nil)
        expect(Ranking.best(of: [row(10, [9, 11]), row(10, [9, 11])]) == nil)
    }

    @Test func aSlowerOneWithAWideIntervalCounts() {
        expect(
            Ranking.best(of: [row(10, [9, 11]), row(15, [14, 16]), row(18, [8, 30])]) == nil)
    }

    @Test func neverReferencesDryOrWrongOnes() {
        let fast = [
            row(1, [1, 1], role: .dry), row(2, [2, 2], role: .reference),
            row(3, [3, 3], verified: false),
        ]
        expect(Ranking.best(of: fast + [row(10, [9, 11]), row(20, [19, 21])]), is: 3)
        expect(Ranking.best(of: fast) == nil)
    }

    @Test func oneAloneIsNotTheBest() {
        expect(Ranking.best(of: [row(10, [9, 11]), nil]) == nil)
        expect(Ranking.best(of: [row(10, [9, 11]), row(20, [19, 21], verified: false)]) == nil)
    }

    @Test func withoutAnIntervalNothingIsCertain() {
        expect(Ranking.best(of: [row(10, [9, 11]), row(20, [])]) == nil)
        expect(Ranking.best(of: [row(10, [9, .nan]), row(20, [19, 21])]) == nil)
    }

    @Test func differentConditionsAreNeverRanked() {
        var (cold, warm) = (row(20, [19, 21]), row(10, [9, 11]))
        (cold.cache, warm.cache) = (.cold, .warm)
        expect(Ranking.best(of: [cold, warm]) == nil)
        warm.cache = .cold
        expect(Ranking.best(of: [cold, warm]), is: 1)
        warm.rate = 50
        expect(Ranking.best(of: [cold, warm]) == nil)
    }

    @Test func differentConditionsStandInDifferentRows() throws {
        var (cold, warm, scheduled) = (row(20, [19, 21]), row(10, [9, 11]), row(5, [4, 6]))
        (cold.cache, warm.cache, scheduled.rate) = (.cold, .warm, 50)
        (warm.backend, scheduled.backend) = ("c", "d")
        let report = BenchReport(
            environment: SampleReport.environment, results: [cold, warm, scheduled])
        let section = try #require(ReportSections(report).sections.first)
        expect(
            section.works.map(\.title),
            is: [
                "w", "w, warm: the page cache could not be dropped", "w, open loop, 50 per second",
            ])
        let comparison = Comparison(
            old: BenchReport(environment: SampleReport.environment, results: [cold]),
            new: BenchReport(environment: SampleReport.environment, results: [row(50, [49, 51])]),
            limit: 0.1)
        expect(comparison.compared.isEmpty)
    }

    @Test func oldFilesKnowNoRoles() {
        expect(
            Ranking.best(of: [row(10, [9, 11], role: nil), row(20, [19, 21], role: nil)]), is: 0)
    }
}
