import BrowserSessions
import Expectations

@testable import StorageBenchmark

@Suite("Comparing two runs")
struct ComparisonTests {
    /// A row with a ratio and its interval, both ends `around` of it away.
    func row(
        _ ratio: Double, _ around: Double = 0.02, backend: String = "sqlite", tabs: Int = 1000
    ) -> BenchResult {
        BenchResult(
            backend: backend, workload: "save-one-tab", tabs: tabs, stateBytes: 0,
            durability: .powerLoss, samples: 400, microseconds: .init(p50: 100 * ratio),
            interval95: [90 * ratio, 110 * ratio], floor: .append, floorMicroseconds: 100,
            floorRatio: ratio, ratioInterval95: [ratio * (1 - around), ratio * (1 + around)],
            verified: true)
    }

    func report(_ rows: BenchResult...) -> BenchReport {
        BenchReport(environment: SampleReport.environment, results: rows)
    }

    func compare(
        _ old: BenchResult, _ new: BenchResult, limit: Double = 0.1
    ) throws -> Comparison.Row {
        let rows = Comparison(old: report(old), new: report(new), limit: limit).rows
        return try require(rows.count == 1 ? rows.first : nil)
    }

    @Test func certainlySlowerFailsAboveTheLimitOnly() throws {
        let above = try compare(row(1), row(1.2))
        expect(above.verdict == .slower && above.fails && above.measure == .ratio)
        expect(abs(above.change - 0.2) < 1e-9)
        let below = try compare(row(1, 0.01), row(1.09, 0.01))
        expect(below.verdict == .slower && !below.fails)
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

    @Test("A debug build and a release build are not compared")
    func buildsDiffer() throws {
        let old = report(row(1))
        var new = report(row(9))
        new.environment.build = "debug"
        for (one, other) in [(old, new), (new, old)] {
            let comparison = Comparison(old: one, new: other, limit: 0.1)
            expect(comparison.exitCode == 2 && comparison.compared.isEmpty)
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
        var touching = row(1.2)
        touching.ratioInterval95 = [1.1, 1.3]
        expect(try compare(row(1, 0.1), touching).verdict == .cannotTell)
        let faster = try compare(row(1.2), row(1))
        expect(faster.verdict == .faster && !faster.fails && faster.change < -0.1)
    }

    @Test func mediansAreComparedWithoutRatiosToTheSameFloor() throws {
        var old = row(1)
        var new = row(1.5)
        new.floor = .overwrite
        // Times move threefold.
        let times = try compare(old, new)
        expect(times.measure == .median && times.verdict == .cannotTell && !times.fails)
        new = row(5)
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
        expect(try compare(wrong, row(2)).note.contains("a wrong answer in the old run"))
        expect(try compare(row(1), wrong).note.contains("a wrong answer in the new run"))
        let comparison = Comparison(
            old: report(row(1), row(1, backend: "gone")),
            new: report(row(1), row(1, backend: "come"), row(1, tabs: 10), row(2, tabs: 10)),
            limit: 0.1)
        expect(comparison.exitCode, is: 0)
        expect(
            comparison.rows.dropFirst().map(\.note),
            is: [
                "only the new run has this row", "only the new run has this row",
                "only the old run has this row",
            ])
        let twice = Comparison(
            old: report(row(1)), new: report(row(1), row(2)), limit: 0.1)
        expect(twice.rows.map(\.note), is: ["a run has this row more than once"])
    }

    @Test func otherWorkIsNeverPaired() {
        var (other, cold) = (row(2), row(2))
        other.durability = .processCrash
        cold.cache = .warm
        for new in [other, cold] {
            let comparison = Comparison(old: report(row(1)), new: report(new), limit: 0.1)
            expect(comparison.compared.isEmpty && comparison.exitCode == 2)
            expect(comparison.summary.hasPrefix("Nothing could be compared"))
        }
    }

    @Test(arguments: [BenchResult.Role.reference, .dry])
    func onlyBackendsFail(role: BenchResult.Role) throws {
        var new = row(2)
        new.role = role
        let row = try compare(row(1), new)
        expect(row.verdict == .slower && !row.fails)
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

    @Test func itIsWrittenWithFailuresFirst() {
        let comparison = Comparison(
            old: report(row(1.2), row(1, tabs: 10), row(1, tabs: 100)),
            new: report(row(1), row(1.2, tabs: 10), row(1, tabs: 100)), limit: 0.1)
        expect(
            comparison.written() == """
                sqlite, save-one-tab, 10 tabs, powerLoss: SLOWER +20 % (+15 % to +25 %), 1.00 to 1.20 times the floor
                sqlite, save-one-tab, 1,000 tabs, powerLoss: faster −17 % (−20 % to −13 %), 1.20 to 1.00 times the floor

                1 slower, 1 faster, 1 no difference: 1 certainly slower by more than 10 %.

                """)
        let full = SampleReport.full()
        let same = Comparison(old: full, new: full, limit: 0.1)
        expect(same.exitCode, is: 0)
        expect(same.summary.hasPrefix("47 no difference, 1 not compared: no backend is"))
    }
}
