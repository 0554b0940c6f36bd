import BrowserSessions
import CommandLineSupport
import Expectations
import Foundation

@testable import StorageBenchmark

@Suite("The formats of a report")
struct FormatTests {
    static let report = SampleReport.full()

    @Test func theDocumentComesBackAsItWasWritten() throws {
        var report = Self.report
        report.incompleteBecause = "interrupted"
        let text = try report.formatted(.json)
        expect(text.hasPrefix("{\n  \"environment\" : {\n    \"build\""))
        expect(try BenchReport(json: Array(text.utf8)) == report)
        let more = text.replacingOccurrences(of: "\"seed\"", with: "\"unknown\" : 1, \"seed\"")
        expect(try BenchReport(json: Array(more.utf8)) == report)
    }

    @Test func otherDocumentsAreRefused() throws {
        let text = try Self.report.formatted(.json)
        let others = [
            "", "[1", "[]", String(text.dropLast(3)),
            text.replacingOccurrences(of: "\"kernel\"", with: "\"colonel\""),
            text.replacingOccurrences(of: "\"powerLoss\"", with: "\"forEver\""),
        ]
        for other in others {
            let error = expect(throws: CommandError.self) {
                try BenchReport(json: Array(other.utf8))
            }
            expect(error?.message.contains("storagebench --format json"), is: true)
        }
        let newer = expect(throws: CommandError.self) {
            try BenchReport(json: Array("{\"schema\": 2, \"everything\": \"else\"}".utf8))
        }
        expect(newer?.message.contains("use the storagebench that wrote it"), is: true)
        var infinite = Self.report
        infinite.results[2].floorRatio = .infinity
        expect(throws: (any Error).self) { try infinite.formatted(.json) }
    }

    @Test func textShowsMedianUncertaintyRatioAndTheBest() throws {
        let text = try Self.report.formatted(.text)
        expect(text.hasPrefix("Survives a power cut (powerLoss)\n====="))
        expect(
            text.contains(
                """

                save-one-tab-state, 10 KiB, 1,000 tabs
                  directory                       200 µs ±3 %, 1.02 A, 1 sync, 252 B *
                  sqlite                          314 µs ±2 %, 1.60 A, 1 sync, 252 B
                  whole-window-json (not ranked)  666 µs ±2 %, 3.40 A, 1 sync, 252 B
                  dry (not ranked)                0.78 µs ±3 %, < 0.1 A, 1 sync, 252 B

                """), "\(text)")
        expect(text.contains("\nA = append of the same bytes to a file, and one fdatasync\n"))
        expect(text.contains("\nlibraries   leveldb 1.23, sqlite 3.40.1\n"))
        expect(!text.contains("\nO = "), "no row has floor O")
    }

    @Test func durabilitiesHaveTablesOfTheirOwn() throws {
        let markdown = try Self.report.formatted(.markdown)
        let parts = markdown.split(separator: "\n### ").map(String.init)
        expect(parts[0].hasPrefix("### Survives a power cut"))
        expect(parts[1].hasPrefix("Survives a killed process"))
        expect(parts[2].hasPrefix("What the figures are"))
        let rows = { (part: String) in
            part.split(separator: "\n").filter { $0.hasPrefix("| save-one-tab | 10 |") }.count
        }
        expect(rows(parts[0]) == 2 && rows(parts[1]) == 2, "times, and what is written")
    }

    @Test func markdownMarksTheBestAndNeverOthers() throws {
        let lines = try Self.report.formatted(.markdown).split(separator: "\n")
        let row = try require(lines.first { $0.hasPrefix("| save-one-tab | 1,000 |") })
        let cells = row.split(separator: "|").map(String.init)
        expect(cells[2], is: " **143 µs** (140–146 µs), 1.02 A ")
        expect(cells[5], is: " 0.56 µs (0.55–0.57 µs), &lt; 0.1 A ")
        for line in lines where line.hasPrefix("| ") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            guard cells.count == 8 else { continue }
            expect(cells[5...6].allSatisfy { !$0.contains("**") }, "\(line)")
        }
    }

    @Test func wrongAnswersAreMarkedExplainedAndWithoutFigures() throws {
        for format in [BenchFormat.text, .markdown] {
            let text = try Self.report.formatted(format)
            expect(text.contains("✗ wrong answer"))
            expect(text.contains("✗ sqlite, restore, 10 tabs: a wrong answer"))
            expect(text.contains("tab 17 came back with another title"))
        }
    }

    @Test func incompleteAndEmptyReportsSayIt() throws {
        var report = BenchReport(environment: SampleReport.environment, results: [])
        report.incompleteBecause = "interrupted after 40 of 576 rows"
        let (text, markdown) = (try report.formatted(.text), try report.formatted(.markdown))
        expect(text.hasPrefix("INCOMPLETE: the run ended early (interr"))
        expect(markdown.hasPrefix("> **INCOMPLETE"))
        for text in [text, markdown] { expect(text.contains("There are no results.")) }
    }

    @Test func namesCannotBecomeMarkup() throws {
        var report = Self.report
        report.results[0].backend = "a|b*\n<!-- storagebench:end -->"
        let markdown = try report.formatted(.markdown)
        expect(markdown.contains("a\\|b\\* &lt;!-- storagebench:end"))
        expect(!markdown.contains("<!--"))
    }

    @Test func floorOIsShownBesideAnother() throws {
        var report = Self.report
        report.results[0].overwriteRatio = 1.5
        let markdown = try report.formatted(.markdown)
        expect(markdown.contains("(140–146 µs), 1.02 A, 1.50 O |"))
        expect(markdown.contains("\n- O = overwriting"))
    }

    // MARK: - The best of a row

    private func row(
        _ interval: [Double], role: BenchResult.Role = .backend, verified: Bool = true,
        cache: BenchResult.Cache? = nil
    ) -> BenchResult {
        BenchResult(
            backend: "b", role: role, workload: "w", tabs: 1, stateBytes: 0,
            durability: .powerLoss, samples: 1, microseconds: .init(p50: interval.first ?? 0),
            interval95: interval, cache: cache, verified: verified)
    }

    @Test func theFastestHasAnIntervalApart() {
        expect(BenchResult.best(of: [row([19, 21]), row([9, 11]), nil]), is: 1)
        expect(BenchResult.best(of: [row([9, 12]), row([11, 14])]) == nil, "they overlap")
        expect(BenchResult.best(of: [row([9, 11]), row([11, 13])]) == nil, "they touch")
        expect(BenchResult.best(of: [row([9, 11]), row([9, 11])]) == nil)
        expect(BenchResult.best(of: [row([9, 11]), row([14, 16]), row([8, 30])]) == nil)
        expect(BenchResult.best(of: [row([9, 11]), row([])]) == nil, "nothing is certain")
        expect(BenchResult.best(of: [row([9, .nan]), row([19, 21])]) == nil)
    }

    @Test func onlySoundBackendsAreRanked() {
        let fast = [
            row([1, 1], role: .dry), row([2, 2], role: .reference), row([3, 3], verified: false),
        ]
        expect(BenchResult.best(of: fast + [row([9, 11]), row([19, 21])]), is: 3)
        expect(BenchResult.best(of: fast) == nil)
        expect(BenchResult.best(of: [row([9, 11]), nil]) == nil, "one alone is not the best")
    }

    @Test func coldAndWarmAreNeitherRankedNorInOneRow() throws {
        let (cold, warm) = (row([19, 21], cache: .cold), row([9, 11], cache: .warm))
        expect(BenchResult.best(of: [cold, warm]) == nil)
        expect(BenchResult.best(of: [cold, row([9, 11], cache: .cold)]), is: 1)
        let report = BenchReport(environment: SampleReport.environment, results: [cold, warm])
        let section = try require(ReportSections(report).sections.first)
        expect(
            section.rows.map(\.title),
            is: ["w", "w, warm: the page cache could not be dropped"])
    }
}
