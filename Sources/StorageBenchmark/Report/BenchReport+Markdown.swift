import BrowserSessions

extension BenchReport {
    /// The report as GitHub Markdown, also for the block that `storagebench report --readme` puts into a
    /// file. Headings have the third level, so that they fit below a section.
    var markdown: String {
        var blocks: [String] = []
        if let warning = ReportWords.incomplete(self) {
            blocks.append("> **\(warning.escapedForMarkdown())**")
        }
        for section in ReportSections(self).sections {
            blocks.append("### \(ReportWords.title(of: section.durability))")
            blocks.append(table(section, cell: Self.time))
            blocks.append("Written by one operation:")
            blocks.append(table(section) { result, _ in ReportWords.writes(result) })
        }
        if results.isEmpty { blocks.append("There are no results.") }
        blocks.append(Self.list(ReportWords.notes(results)))
        blocks.append("### What the figures are")
        blocks.append(
            Self.list(ReportWords.legend(self) + ["Bold = the best backend of its row."]))
        blocks.append("### Where they were measured")
        let environment = ReportWords.environment(self).map { name, value in
            "| \(name) | \(value.escapedForMarkdown()) |"
        }
        blocks.append((["| | |", "| --- | --- |"] + environment).joined(separator: "\n"))
        return blocks.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private static func list(_ lines: [String]) -> String {
        lines.map { "- \($0.escapedForMarkdown())" }.joined(separator: "\n")
    }

    /// Formats `**152 µs** (148–156 µs), 1.02 A`.
    private static func time(_ result: BenchResult, isBest: Bool) -> String {
        let median = Figures.time(result.microseconds.p50)
        var text = isBest ? "**\(median)**" : median
        if let interval = result.interval { text += " (\(Figures.times(interval)))" }
        return ([text] + ReportWords.ratios(result).map { $0.escapedForMarkdown() })
            .joined(separator: ", ")
    }

    private func table(
        _ section: ReportSections.Section, cell: (BenchResult, Bool) -> String
    ) -> String {
        let titles = section.contestants.map { $0.title.escapedForMarkdown() }
        var lines = ["| work | tabs | \(titles.joined(separator: " | ")) |"]
        lines.append("| --- | ---: |" + String(repeating: " --- |", count: titles.count))
        for row in section.rows {
            let cells = row.cells.enumerated().map { place, result in
                guard let result else { return Figures.none }
                return result.verified ? cell(result, row.best == place) : ReportWords.wrong
            }
            let label = "\(row.title.escapedForMarkdown()) | \(Figures.whole(row.tabs))"
            lines.append("| \(label) | \(cells.joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n")
    }
}
