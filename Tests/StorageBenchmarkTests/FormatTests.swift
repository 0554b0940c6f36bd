import BrowserSessions
import Expectations
import Foundation
import StorageBenchmark

@Suite("Text and Markdown")
struct FormatTests {
    static let report = SampleReport.full()

    @Test func extensionsTellTheFormat() {
        expect(BenchFormat(fileExtension: "md"), is: .markdown)
        expect(BenchFormat(fileExtension: ".JSON"), is: .json)
        expect(BenchFormat(fileExtension: "txt"), is: .text)
        expect(BenchFormat(fileExtension: "yaml") == nil)
        for format in BenchFormat.allCases {
            expect(BenchFormat(fileExtension: format.rawValue), is: format)
        }
    }

    @Test func textIsAtMost120ColumnsWide() throws {
        var report = Self.report
        report.results[0].backend = String(repeating: "long", count: 40)
        report.results[1].note = String(repeating: "very ", count: 60)
        report.environment.command = String(repeating: "x", count: 300)
        report.incompleteBecause = String(repeating: "word ", count: 50)
        let lines = try report.formatted(.text).split(
            separator: "\n", omittingEmptySubsequences: false)
        expect(lines.allSatisfy { $0.count <= 120 })
        expect(lines.allSatisfy { $0.last != " " })
    }

    @Test func textShowsMedianUncertaintyRatioAndTheBest() throws {
        let text = try Self.report.formatted(.text)
        expect(text.hasPrefix("Survives a power cut (powerLoss)\n====="))
        expect(text.contains("\n  1,000 tabs   144 µs ±2 % 1.03 A *   269 µs ±3 % 1.92 A"))
        expect(text.contains("\n  10,000 tabs  1 sync, 252 B"))
        expect(text.contains("\nsave-one-tab-state, 100 KiB\n"))
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
        let row = try #require(lines.first { $0.hasPrefix("| save-one-tab | 1,000 |") })
        let cells = row.split(separator: "|").map(String.init)
        expect(cells[2], is: " **144 µs** (141–146 µs), 1.03 A ")
        expect(cells[7], is: " 0.55 µs (0.54–0.57 µs), &lt; 0.1 A ")
        for line in lines where line.hasPrefix("| ") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            guard cells.count == 10 else { continue }
            expect(cells[6...8].allSatisfy { !$0.contains("**") }, "\(line)")
        }
    }

    @Test func wrongAnswersAreMarkedExplainedAndWithoutFigures() throws {
        for format in [BenchFormat.text, .markdown] {
            let text = try Self.report.formatted(format)
                .split(whereSeparator: \.isWhitespace).joined(separator: " ")
            expect(text.contains("✗ wrong answer"))
            expect(text.contains("✗ sqlite, restore, 1,000 tabs: a wrong answer"))
            expect(text.contains("tab 17 came back with another title"))
        }
        let row = try Self.report.formatted(.markdown).split(separator: "\n")
            .first { $0.hasPrefix("| restore | 1,000 |") }
        let cells = try #require(row).split(separator: "|")
        expect(cells[3], is: " ✗ wrong answer ")
        expect(cells[2].contains("**"), "the two others are apart: \(cells[2])")
    }

    @Test func incompleteReportsSayItFirst() throws {
        var report = Self.report
        report.incompleteBecause = "interrupted after 40 of 576 rows"
        expect(try report.formatted(.text).hasPrefix("INCOMPLETE: the run ended early (interr"))
        expect(try report.formatted(.markdown).hasPrefix("> **INCOMPLETE"))
    }

    @Test func namesCannotBecomeMarkup() throws {
        var report = Self.report
        report.results[0].backend = "a|b*\n<!-- storagebench:end -->"
        let markdown = try report.formatted(.markdown)
        expect(markdown.contains("a\\|b\\* &lt;!-- storagebench:end"))
        expect(!markdown.contains("<!--"))
    }

    @Test func floorOIsShownBesideAnotherWhereThereIsRoom() throws {
        var report = Self.report
        report.results[0].overwriteRatio = 1.5
        let markdown = try report.formatted(.markdown)
        expect(markdown.contains("(138–144 µs), 1.01 A, 1.50 O |"))
        expect(markdown.contains("\n- O = overwriting"))
        expect(try !report.formatted(.text).contains("O = "))
    }

    @Test(arguments: BenchFormat.allCases)
    func everyFormatHasTheLibraries(format: BenchFormat) throws {
        let text = try Self.report.formatted(format)
        expect(text.contains("3.40.1") && text.contains("leveldb"))
    }

    @Test func emptyReportsSaySo() throws {
        let empty = BenchReport(environment: SampleReport.environment, results: [])
        for format in [BenchFormat.text, .markdown] {
            expect(try empty.formatted(format).contains("There are no results."))
        }
    }

    @Test func whoWasMeasuredTwiceGetsTwoRows() throws {
        var report = Self.report
        report.results.append(report.results[0])
        let rows = try report.formatted(.text).split(separator: "\n")
        let before = try Self.report.formatted(.text).split(separator: "\n")
        expect(rows.count, is: before.count + 4, "a row for each part of both tables")
    }
}
