import BrowserSessions

/// A report for a terminal, at most ``width`` columns wide.
struct TextReport {
    static let width = 120
    private let report: BenchReport

    init(_ report: BenchReport) { self.report = report }

    func written() -> String {
        var lines: [String] = []
        if let warning = ReportWords.incomplete(report) {
            lines += TextWrap.lines(warning, width: Self.width) + [""]
        }
        for section in ReportSections(report).sections {
            lines += table(section, ReportWords.title(of: section.durability), cell: Self.time)
            lines += table(
                section, "Written by one operation, \(section.durability.rawValue)",
                cell: { result, _ in ReportWords.writes(result) })
        }
        if report.results.isEmpty { lines += ["There are no results.", ""] }
        for note in ReportWords.notes(report.results) { lines += wrapped(note) }
        if lines.last != "" { lines.append("") }
        for line in ReportWords.legend(report, withOverwriting: false) { lines += wrapped(line) }
        lines.append("\(ReportWords.best) = the best backend of its row")
        lines.append("")
        for (name, value) in ReportWords.environment(report) {
            let label = name.padded(to: 12)
            lines += TextWrap.lines(label + value, width: Self.width, hanging: 12)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func wrapped(_ line: String) -> [String] {
        TextWrap.lines(line, width: Self.width, hanging: 4)
    }

    /// Formats `152 µs ±3 % 1.02 A *`.
    private static func time(_ result: BenchResult, isBest: Bool) -> String {
        var parts = [Figures.time(result.microseconds.p50)]
        if let part = result.uncertainty {
            parts.append("±\(Figures.whole(Int(exactly: (part * 100).rounded(.up)) ?? 9999)) %")
        }
        if let tail = ReportWords.tail(result) { parts.append(tail) }
        if let ratio = ReportWords.ratio(result) { parts.append(ratio) }
        if isBest { parts.append(ReportWords.best) }
        return parts.joined(separator: " ")
    }

    /// Returns one table, or several if there are too many contestants for one.
    private func table(
        _ section: ReportSections.Section, _ title: String, cell: (BenchResult, Bool) -> String
    ) -> [String] {
        let rows = section.works.flatMap(\.rows)
        let columns = section.contestants.enumerated().map { place, contestant in
            Column(
                title: contestant.title,
                cells: rows.map { row in
                    guard let result = row.cells[place] else { return Figures.none }
                    return result.verified
                        ? cell(result, row.best == place) : ReportWords.wrong
                })
        }
        let labels = section.works.flatMap { work in
            work.rows.enumerated().map { index, row in
                Label(
                    heading: index == 0 ? work.title.shortened(to: Self.width) : nil,
                    text: "  \(ReportWords.tabs(row.tabs))")
            }
        }
        let indent = (labels.map(\.text.count).max() ?? 0) + 2
        var lines = [title, String(repeating: "=", count: title.count)]
        for part in Column.parts(columns, width: Self.width - indent) {
            lines += part.lines(labels, indent: indent) + [""]
        }
        return lines
    }

    struct Label {
        var heading: String?
        var text: String
    }
}

extension TextReport {
    /// The cells of one contestant, in the order of the rows.
    struct Column {
        var title: String
        var cells: [String]

        var width: Int { (cells + [title]).map(\.count).max() ?? 0 }

        /// Groups the columns so that each group fits the width.
        static func parts(_ columns: [Column], width: Int) -> [Part] {
            var parts: [Part] = []
            for column in columns {
                var column = column
                column.title = column.title.shortened(to: width)
                if let last = parts.last, last.width + 2 + column.width <= width {
                    parts[parts.count - 1].columns.append(column)
                } else {
                    parts.append(Part(columns: [column]))
                }
            }
            return parts
        }
    }

    struct Part {
        var columns: [Column]

        var width: Int { columns.map(\.width).reduce(-2) { $0 + 2 + $1 } }

        func lines(_ labels: [Label], indent: Int) -> [String] {
            var lines = [row("", columns.map(\.title), indent)]
            for (index, label) in labels.enumerated() {
                let cells = columns.map { $0.cells[index] }
                if let heading = label.heading { lines.append(heading) }
                lines.append(row(label.text, cells, indent))
            }
            return lines
        }

        private func row(_ label: String, _ cells: [String], _ indent: Int) -> String {
            let padded = zip(cells, columns).map { $0.padded(to: $1.width) }
            let line = label.padded(to: indent) + padded.joined(separator: "  ")
            return line.trimmingEnd()
        }
    }
}
