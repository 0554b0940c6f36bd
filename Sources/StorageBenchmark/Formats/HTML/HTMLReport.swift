import BrowserSessions

/// A report as a page with plots, without scripts or other files.
///
/// The page is also well-formed XML. Every plot has a title and a description for readers who
/// cannot see it. A table below has the figures.
struct HTMLReport {
    private let report: BenchReport
    private let sections: [ReportSections.Section]
    /// All contestants of the page, in the order of the first section that has them.
    private let contestants: [ReportSections.Contestant]

    init(_ report: BenchReport) {
        self.report = report
        sections = ReportSections(report).sections
        contestants = sections.flatMap(\.contestants).reduce(into: []) { all, contestant in
            if !all.contains(contestant) { all.append(contestant) }
        }
    }

    func written() -> String {
        let head = [
            Markup.empty("meta", ["charset": "utf-8"]),
            Markup.empty(
                "meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
            Markup.empty("meta", ["name": "color-scheme", "content": "light dark"]),
            Markup.element("title", "storagebench"),
            Markup.element("style", HTMLStyle.sheet),
        ].joined(separator: "\n")
        let main = ([opening()] + sections.map(section) + [closing()]).joined(separator: "\n")
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            \(head)
            </head>
            <body>
            \(Markup.element("main", main))
            </body>
            </html>

            """
    }

    private func opening() -> String {
        var parts = [Markup.element("h1", "storagebench")]
        if let warning = ReportWords.incomplete(report) {
            parts.append(paragraph(warning, style: "warning"))
        }
        if report.results.isEmpty { parts.append(paragraph("There are no results.")) }
        let notes = ReportWords.notes(report.results)
        if !notes.isEmpty {
            parts += [Markup.element("h2", "To know first"), list(notes)]
        }
        let samples = contestants.map { contestant in
            let series = series(contestant)
            return Markup.element("li", series.sample + contestant.title.escapedForXML)
        }
        parts.append(Markup.element("ul", ["class": "legend"], samples.joined()))
        let links = sections.map { section in
            Markup.element(
                "li",
                Markup.element(
                    "a", ["href": "#\(section.durability.rawValue)"],
                    ReportWords.title(of: section.durability).escapedForXML))
        }
        parts.append(Markup.element("ul", links.joined()))
        return Markup.element("header", parts.joined(separator: "\n"))
    }

    private func closing() -> String {
        let rows = ReportWords.environment(report).map { name, value in
            Markup.element(
                "tr",
                Markup.element("th", ["scope": "row"], name.escapedForXML)
                    + Markup.element("td", value.escapedForXML))
        }
        let marked = "\(ReportWords.best) and bold = the best backend of its row"
        return [
            Markup.element("h2", "What the figures are"),
            list(ReportWords.legend(report) + [ReportWords.plots, marked]),
            Markup.element("h2", "Where they were measured"),
            Markup.element("table", ["class": "environment"], rows.joined(separator: "\n")),
        ].joined(separator: "\n")
    }

    private func paragraph(_ text: String, style: String = "plain") -> String {
        Markup.element("p", ["class": style], text.escapedForXML)
    }

    private func list(_ lines: [String]) -> String {
        Markup.element(
            "ul", lines.map { Markup.element("li", $0.escapedForXML) }.joined(separator: "\n"))
    }

    private func series(_ contestant: ReportSections.Contestant) -> Series {
        Series(contestant: contestant, number: contestants.firstIndex(of: contestant) ?? 0)
    }

    // MARK: - Works

    private func section(_ section: ReportSections.Section) -> String {
        let series = section.contestants.map(series)
        let title = Markup.element(
            "h2", ["id": section.durability.rawValue],
            ReportWords.title(of: section.durability).escapedForXML)
        let works = section.works.enumerated().map { index, work in
            self.work(work, series, id: "\(section.durability.rawValue)\(index)")
        }
        return Markup.element("section", ([title] + works).joined(separator: "\n"))
    }

    private func work(_ work: ReportSections.Work, _ series: [Series], id: String) -> String {
        let shown = Self.shownRow(work)
        let plots: [(name: String, plot: Plot?)] = [
            ("Cost against number of tabs", LinePlots.cost(work, series)),
            (
                "Latency of \(ReportWords.tabs(shown.tabs)): share of operations",
                LinePlots.distribution(work, shown, series)
            ),
            (
                "Written by one operation, \(ReportWords.tabs(shown.tabs))",
                BarPlots.bytes(work, shown, series)
            ),
            (
                "Ratio to the floor, \(ReportWords.tabs(shown.tabs))",
                BarPlots.ratio(work, shown, series)
            ),
        ]
        let figures = plots.enumerated().compactMap { index, named in
            named.plot.map { plot in
                let name = Markup.element("figcaption", named.name.escapedForXML)
                return Markup.element("figure", name + plot.written(id: "\(id)p\(index)"))
            }
        }
        let parts = [
            Markup.element("h3", work.title.escapedForXML),
            Markup.element("div", ["class": "plots"], figures.joined(separator: "\n")),
            HTMLTable.written(work, series),
        ]
        return Markup.element("section", ["class": "work"], parts.joined(separator: "\n"))
    }

    /// Returns the size for distributions and bytes: the one with right answers from the most
    /// contestants. Among several, returns 1,000 tabs or else the largest.
    static func shownRow(_ work: ReportSections.Work) -> ReportSections.Row {
        let rank = { (row: ReportSections.Row) in
            (
                row.cells.filter { LinePlots.verified($0) != nil }.count,
                row.tabs == 1000 ? 1 : 0, row.tabs
            )
        }
        return work.rows.max { rank($0) < rank($1) } ?? ReportSections.Row(tabs: 0, cells: [])
    }
}
