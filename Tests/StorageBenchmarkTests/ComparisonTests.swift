import BrowserSessions
import Expectations

@testable import StorageBenchmark

@Suite("Comparing two runs")
struct ComparisonTests {
    /// A row with a ratio and its interval, both ends `around` of it away.
    func row(
        _ ratio: Double, _ around: Double = 0.02, backend: String = "sqlite", tabs: Int = 1000
    ) -> BenchResult {
        var row = BenchResult(
            backend: backend, workload: "save-one-tab", tabs: tabs, stateBytes: 0,
            durability: .powerLoss, samples: 400,
            microseconds: .init(p50: 100 * ratio, p90: 0, p99: 0, max: 0),
            interval95: [90 * ratio, 110 * ratio], floorMicroseconds: 100, floorRatio: ratio,
            verified: true)
        row.floor = "A"
        row.ratioInterval95 = [ratio * (1 - around), ratio * (1 + around)]
        return row
    }

    func report(_ rows: BenchResult...) -> BenchReport {
        BenchReport(environment: SampleReport.environment, results: rows)
    }

    func compare(
        _ old: BenchResult, _ new: BenchResult, limit: Double = 0.1
    ) throws -> Comparison.Row {
        let rows = Comparison(old: report(old), new: report(new), limit: limit).rows
        return try #require(rows.count == 1 ? rows.first : nil)
    }

    @Test func certainlySlowerAboveTheLimitFails() throws {
        let row = try compare(row(1), row(1.2))
        expect(row.verdict == .slower && row.fails && row.measure == .ratio)
        expect(abs((row.change ?? 0) - 0.2) < 1e-9)
        let comparison = Comparison(
            old: report(self.row(1)), new: report(self.row(1.2)), limit: 0.1)
        expect(comparison.exitCode, is: 1)
    }

    @Test func certainlySlowerBelowTheLimitIsReportedOnly() throws {
        let row = try compare(row(1, 0.01), row(1.09, 0.01))
        expect(row.verdict == .slower && !row.fails)
    }

    @Test("Of what differs between two runs of one program nothing is certain")
    func runsOfOneProgramDiffer() throws {
        // Intervals that are far apart, by less than ratios move.
        let near = try compare(row(1, 0.001), row(1.045, 0.001), limit: 0.01)
        expect(near.verdict == .cannotTell && !near.fails)
        var (old, new) = (report(row(1)), report(row(1.5), row(1, tabs: 10)))
        expect(Comparison(old: old, new: new, limit: 0.1).exitCode, is: 1)
        (old.environment.program, new.environment.program) = ("one", "another")
        expect(Comparison(old: old, new: new, limit: 0.1).exitCode, is: 1)
        new.environment.program = "one"
        let comparison = Comparison(old: old, new: new, limit: 0.1)
        expect(comparison.exitCode == 0 && comparison.failures.isEmpty)
        expect(comparison.rows.first?.verdict, is: .cannotTell)
        expect(comparison.warnings.count, is: 1)
        expect(comparison.warnings.first?.contains("of one program"), is: true)
    }

    @Test("A debug build and a release build are not compared", arguments: [true, false])
    func buildsDiffer(isNoted: Bool) throws {
        let old = report(row(1))
        var new = report(row(9))
        if isNoted {
            new.environment.build = "debug"
        } else {
            new.environment.notes = ["a debug build: times say little"]
        }
        for (one, other) in [(old, new), (new, old)] {
            let comparison = Comparison(old: one, new: other, limit: 0.1)
            expect(comparison.exitCode == 2 && comparison.compared.isEmpty)
            expect(comparison.rows.first?.note?.contains("is not compared with"), is: true)
            expect(comparison.warnings.first?.contains(" debug build"), is: true)
        }
        expect(Comparison(old: new, new: new, limit: 0.1).exitCode, is: 0)
    }

    @Test("A run names the build that it is of")
    func programsAreKnown() {
        let environment = EnvironmentProbe.environment(
            folder: "/", seed: 1, libraries: [:], countsSyncs: true)
        expect(environment.program?.contains(" bytes, written at "), is: true)
        expect(["debug", "release"].contains(environment.build))
    }

    @Test func noiseIsNoReasonToFail() throws {
        let wide = try compare(row(1, 0.2), row(1.3, 0.2))
        expect(wide.verdict == .cannotTell && !wide.fails)
        let narrow = try compare(row(1, 0.02), row(1.03, 0.02))
        expect(narrow.verdict == .noDifference && !narrow.fails)
        // The same change is hidden noise or no difference, as the limit is.
        expect(try compare(row(1, 0.02), row(1.03, 0.02), limit: 0.05).verdict == .cannotTell)
        // Intervals that touch do not exclude anything.
        let old = row(1, 0.1)
        var touching = row(1.2)
        touching.ratioInterval95 = [1.1, 1.3]
        expect(try compare(old, touching).verdict == .cannotTell)
    }

    @Test func fasterIsFaster() throws {
        let row = try compare(row(1.2), row(1))
        expect(row.verdict == .faster && !row.fails)
        expect(try #require(row.change) < -0.1)
    }

    @Test func mediansAreComparedWithoutRatiosToTheSameFloor() throws {
        var old = row(1)
        var new = row(1.5)
        new.floor = "O"
        // Times move threefold.
        let times = try compare(old, new)
        expect(times.measure == .median && times.verdict == .cannotTell && !times.fails)
        new = row(5)
        new.floor = "O"
        expect(try compare(old, new).measure == .median)
        new.floor = nil
        expect(try compare(old, new).measure == .ratio)
        new.ratioInterval95 = nil
        let median = try compare(old, new)
        expect(median.measure == .median && median.verdict == .slower && median.fails)
        (old.floorRatio, new.floorRatio) = (0, 0)
        expect(try compare(old, new).measure == .median)
        new.microseconds.p50 = 0
        expect(try compare(old, new).verdict == .notCompared)
    }

    @Test func whatCannotBeJudgedIsReported() throws {
        var wrong = row(1)
        wrong.verified = false
        expect(try compare(wrong, row(2)).note?.contains("a wrong answer in the old run") == true)
        expect(try compare(row(1), wrong).note?.contains("a wrong answer in the new run") == true)
        let comparison = Comparison(
            old: report(row(1), row(1, backend: "gone")),
            new: report(row(1), row(1, backend: "come"), row(1, tabs: 10), row(2, tabs: 10)),
            limit: 0.1)
        expect(comparison.exitCode, is: 0)
        expect(
            comparison.rows.map(\.note),
            is: [
                nil, "only the new run has this row", "only the new run has this row",
                "only the old run has this row",
            ])
        let twice = Comparison(
            old: report(row(1)), new: report(row(1), row(2)), limit: 0.1)
        expect(twice.rows.map(\.note), is: ["a run has this row more than once"])
    }

    @Test func durabilitiesAreNeverPaired() {
        var other = row(2)
        other.durability = .processCrash
        let comparison = Comparison(old: report(row(1)), new: report(other), limit: 0.1)
        expect(comparison.compared.isEmpty && comparison.exitCode == 2)
        expect(comparison.summary.hasPrefix("Nothing could be compared"))
    }

    @Test(arguments: [BenchResult.Role.reference, .dry])
    func onlyBackendsFail(role: BenchResult.Role) throws {
        var new = row(2)
        new.role = role
        let row = try compare(row(1), new)
        expect(row.verdict == .slower && !row.fails && row.note != nil)
    }

    @Test func environmentsAndEarlyEndsAreWarnings() {
        var new = report(row(1))
        new.environment.revision = "another"
        expect(Comparison(old: report(row(1)), new: new, limit: 0.1).warnings.isEmpty)
        new.environment.filesystem = "xfs"
        new.environment.libraries["sqlite"] = "3.50.0"
        new.incompleteBecause = "interrupted"
        let warnings = Comparison(old: report(row(1)), new: new, limit: 0.1).warnings
        expect(warnings.count, is: 3)
        expect(warnings[0], is: "the new run ended early: interrupted")
        expect(warnings[1].hasPrefix("different file system: 'ext4' and 'xfs'"))
        expect(warnings[2].contains("sqlite 3.50.0"))
    }

    @Test func aRunEqualsItself() {
        let full = SampleReport.full()
        let comparison = Comparison(old: full, new: full, limit: 0.1)
        expect(comparison.rows.count, is: full.results.count)
        expect(comparison.rows.filter { $0.verdict == .noDifference }.count, is: 575)
        expect(comparison.rows.filter { $0.verdict == .notCompared }.count, is: 1)
        expect(comparison.exitCode, is: 0)
    }

    @Test func itIsWrittenWithFailuresFirst() throws {
        let comparison = Comparison(
            old: report(row(1.2), row(1, tabs: 10), row(1, tabs: 100)),
            new: report(row(1), row(1.2, tabs: 10), row(1, tabs: 100)), limit: 0.1)
        expect(
            try comparison.formatted(.text) == """
                sqlite, save-one-tab, 10 tabs, powerLoss: SLOWER +20 % (+15 % to +25 %), 1.00 to 1.20 times the floor
                sqlite, save-one-tab, 1,000 tabs, powerLoss: faster −17 % (−20 % to −13 %), 1.20 to 1.00 times the floor

                1 slower, 1 faster, 1 no difference: 1 certainly slower by more than 10 %.

                """)
        let markdown = try comparison.formatted(.markdown)
        expect(markdown.contains("| sqlite, save-one-tab, 10 tabs | powerLoss | SLOWER +20 %"))
        let json = try comparison.formatted(.json)
        expect(json.contains("\"exitCode\" : 1"))
        expect(json.contains("\"verdict\" : \"noDifference\""))
    }
}
