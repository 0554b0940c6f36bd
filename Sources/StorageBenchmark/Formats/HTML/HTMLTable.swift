import BrowserSessions

/// A table with the figures of one work, below its plots.
enum HTMLTable {
    private static let names = [
        "tabs", "contestant", "median", "95 % interval", "ratio", "ratio, 95 %", "to O", "p90",
        "p99",
        "max", "syncs", "bytes", "memory", "on disk", "samples",
    ]

    static func written(_ work: ReportSections.Work, _ series: [Series]) -> String {
        let head = names.map { Markup.element("th", ["scope": "col"], $0.escapedForXML) }
        let rows = work.rows.flatMap { row in
            row.cells.enumerated().compactMap { place, cell in
                cell.map { self.row($0, series[place], isBest: row.best == place) }
            }
        }
        let table = Markup.element(
            "table",
            Markup.element("thead", Markup.element("tr", head.joined()))
                + Markup.element("tbody", rows.joined(separator: "\n")))
        return Markup.element(
            "div",
            [
                "class": "scroll", "tabindex": "0", "role": "region",
                "aria-label": "figures of \(work.title)",
            ], table)
    }

    private static func row(_ result: BenchResult, _ series: Series, isBest: Bool) -> String {
        let name = Markup.element(
            "th", ["scope": "row"], series.sample + series.contestant.name.escapedForXML)
        let tabs = cell(Figures.whole(result.tabs))
        guard result.verified else {
            let wrong = Markup.element(
                "td", ["class": "wrong", "colspan": "\(names.count - 2)"],
                "\(ReportWords.wrong): \(result.note ?? "see above")".escapedForXML)
            return Markup.element("tr", tabs + name + wrong)
        }
        let times = result.microseconds
        let median = Figures.time(times.p50)
        let cells = [
            isBest
                ? Markup.element(
                    "td", Markup.element("strong", "\(median) \(ReportWords.best)".escapedForXML))
                : cell(median),
            cell(result.interval.map(Figures.times)),
            cell(ReportWords.ratio(result)),
            cell(result.ratioInterval.map(Figures.ratios)),
            cell(ReportWords.overwriteRatio(result)), cell(Figures.time(times.p90)),
            cell(Figures.time(times.p99)),
            cell(Figures.time(times.max)), cell(Figures.syncs(result.syncs)),
            cell(Figures.bytes(result.bytesWritten)),
            cell(result.peakRSSBytes > 0 ? Figures.bytes(result.peakRSSBytes) : nil),
            cell(result.diskBytes.map(Figures.bytes)), cell(Figures.whole(result.samples)),
        ]
        return Markup.element("tr", tabs + name + cells.joined())
    }

    private static func cell(_ text: String?) -> String {
        Markup.element("td", (text ?? Figures.none).escapedForXML)
    }
}
