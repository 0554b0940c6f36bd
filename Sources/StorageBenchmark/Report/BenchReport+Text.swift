import BrowserSessions
import CommandLineSupport

extension BenchReport {
    /// The report for a terminal: a line for each contestant.
    var text: String {
        var lines = ReportWords.incomplete(self).map { [$0, ""] } ?? []
        for section in ReportSections(self).sections {
            let title = ReportWords.title(of: section.durability)
            lines += [title, String(repeating: "=", count: title.count)]
            for row in section.rows {
                lines.append("\(row.title), \(ReportWords.tabs(row.tabs))")
                lines += Self.lines(row, section.contestants)
            }
            lines.append("")
        }
        if results.isEmpty { lines += ["There are no results.", ""] }
        lines += ReportWords.notes(results)
        lines += ReportWords.legend(self) + ["* = the best backend of its row", ""]
        lines += ReportWords.environment(self).map { $0.padded(toCells: 12) + $1 }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns lines such as `  directory  152 µs ±3 %, 1.02 A, 1 sync, 217 B *`.
    private static func lines(
        _ row: ReportSections.Row, _ contestants: [ReportSections.Contestant]
    ) -> [String] {
        let width = contestants.map(\.title.cells).max() ?? 0
        return zip(contestants, row.cells).enumerated().compactMap { place, cell in
            guard let result = cell.1 else { return nil }
            let words = result.verified ? words(result) : ReportWords.wrong
            let mark = row.best == place ? " *" : ""
            return "  \(cell.0.title.padded(toCells: width))  \(words)\(mark)"
        }
    }

    private static func words(_ result: BenchResult) -> String {
        var time = Figures.time(result.microseconds.p50)
        if let interval = result.interval, result.microseconds.p50 > 0 {
            let median = result.microseconds.p50
            let part = max(interval.upperBound - median, median - interval.lowerBound, 0) / median
            time += " ±\(Figures.whole(Int(exactly: (part * 100).rounded(.up)) ?? 9999)) %"
        }
        return ([time] + ReportWords.ratios(result) + [ReportWords.writes(result)])
            .joined(separator: ", ")
    }
}
