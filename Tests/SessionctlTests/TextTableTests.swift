import CommandLineSupport
import Expectations
import Foundation

@testable import sessionctl

struct TextTableTests {
    func table() -> TextTable {
        var table = TextTable([
            .init(heading: "id", least: 9), .init(heading: "title", least: 8),
            .init(heading: "address", least: 12), .init(heading: "tabs", isNumber: true),
        ])
        table.add([
            "6B29FC40-CA47-1067-B31D-00DD010662DA/regular", "見出しの長いページの題名です、とても長い",
            "https://example.org/a/very/long/path/that/goes/on/and/on/for/ever?and=ever", "7",
        ])
        table.add(["A", "👩‍👩‍👧‍👦", "https://e.org/", "12"])
        return table
    }

    private func lines(_ table: TextTable, _ width: Int?) -> [String] {
        table.styledLines(width: width).map(\.text)
    }

    @Test("Columns share the available width", arguments: [1, 2, 10, 20, 40, 60, 80, 120, 200])
    func widths(width: Int) {
        let lines = self.lines(table(), width)
        expect(lines.count, is: 3)
        for line in lines { expect(line.cells <= width, "\(line)") }
        // All columns are there if they can be, and so are numbers.
        if width < 40 { return }
        expect(lines[1].hasSuffix(" 7") && lines[2].hasSuffix("12"))
        expect(lines[1].contains("https://"))
        expect(lines.map { $0.cells }.max(), is: min(width, 168))
    }

    @Test func whatIsShortStaysWholeWhenOtherThingsAreCut() {
        let lines = self.lines(table(), 60)
        expect(lines[2].contains("👩‍👩‍👧‍👦") && lines[2].contains("https://e.org/"))
        expect(lines[1].contains("…"))
    }

    @Test func withoutATerminalNothingIsCut() {
        let lines = self.lines(table(), nil)
        expect(lines[1].contains("for/ever?and=ever") && lines[1].contains("とても長い"))
        expect(!lines.joined().contains("…"))
        // The columns begin in the same cell.
        let starts = lines.map { line in
            line.range(of: line.contains("address") ? "address" : "https").map {
                line[..<$0.lowerBound].cells
            }
        }
        expect(Set(starts).count, is: 1)
    }

    @Test func whatIsEquallyWideIsCutEqually() {
        var table = TextTable([.init(least: 1), .init(least: 1), .init(least: 1), .init()])
        table.add(
            ["a", "b", "c", "d"].map { String(repeating: $0, count: $0 == "d" ? 3 : 10_000) })
        for (width, widths) in [(39, [10, 10, 10]), (40, [10, 10, 11]), (41, [10, 11, 11])] {
            let cells = lines(table, width)[0].split(separator: " ").map(\.cells)
            expect(cells, is: widths + [3])
        }
        // A narrower one is cut when the others are as narrow.
        table = TextTable([.init(least: 4), .init(least: 1), .init(least: 1)])
        table.add([("a", 100), ("b", 20), ("c", 30)].map { String(repeating: $0, count: $1) })
        for (width, widths) in [(72, [24, 20, 24]), (44, [13, 13, 14]), (10, [4, 1, 1])] {
            let cells = lines(table, width)[0].split(separator: " ").map(\.cells)
            expect(cells, is: widths)
        }
    }

    @Test func cellsAreVisible() {
        var table = TextTable([.init(), .init()])
        table.add(["\u{1B}[2J", "b\n"])
        expect(lines(table, nil), is: [#"\u{1B}[2J  b\u{A}"#])
    }
}
