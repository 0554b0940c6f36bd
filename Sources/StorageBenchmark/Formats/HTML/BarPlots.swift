/// Plots with a horizontal bar for each contestant.
enum BarPlots {
    private typealias Bar = (series: Series, result: BenchResult)

    /// Returns a plot of the bytes that one operation writes, logarithmic from 1 byte; `nil` if none writes.
    static func bytes(
        _ work: ReportSections.Work, _ row: ReportSections.Row, _ series: [Series]
    ) -> Plot? {
        let bars = bars(row, series)
        guard bars.contains(where: { $0.result.bytesWritten > 0 }) else { return nil }
        let axis = LogAxis([1, 10] + bars.map { Double($0.result.bytesWritten) })
        let labels = bars.map { ReportWords.writes($0.result) }
        var plot = frame(
            "\(work.title): bytes written by one operation, \(ReportWords.tabs(row.tabs))",
            bars, labels)
        plot.horizontalAxis(
            axis.ticks.map { (axis.place($0), Figures.byteTick($0)) },
            name: "bytes written, logarithmic")
        for (index, bar) in bars.enumerated() {
            let y = middle(index)
            let end = plot.x(axis.place(Double(bar.result.bytesWritten)))
            rectangle(&plot, bar.series, from: plot.x(0), to: end, y)
            label(&plot, labels[index], after: end, y)
        }
        return plot
    }

    /// Returns a plot of ratios to the floor; `nil` if no result has one. Bars begin at 1.0, the
    /// floor itself, so a shorter bar is closer to it.
    static func ratio(
        _ work: ReportSections.Work, _ row: ReportSections.Row, _ series: [Series]
    ) -> Plot? {
        let bars = bars(row, series).filter { $0.result.ratio != nil }
        guard !bars.isEmpty else { return nil }
        let ends = bars.flatMap { bar in
            bar.result.ratioInterval.map { [$0.lowerBound, $0.upperBound] } ?? []
        }
        let axis = LogAxis([0.5, 2] + bars.compactMap(\.result.ratio) + ends)
        let labels = bars.map { ReportWords.ratio($0.result) ?? "" }
        var plot = frame(
            "\(work.title): ratio to the floor, \(ReportWords.tabs(row.tabs))", bars, labels)
        plot.horizontalAxis(
            axis.ticks.map { (axis.place($0), Figures.shortest($0)) },
            name: "times the floor, logarithmic; 1 is the floor itself")
        let one = plot.x(axis.place(1))
        for (index, bar) in bars.enumerated() {
            let y = middle(index)
            let end = plot.x(axis.place(bar.result.ratio ?? 1))
            rectangle(&plot, bar.series, from: min(one, end), to: max(one, end), y)
            var reach = max(one, end)
            if let interval = bar.result.ratioInterval {
                let low = plot.x(axis.place(interval.lowerBound))
                let high = plot.x(axis.place(interval.upperBound))
                plot.line("whisker over", [(low, y), (high, y)])
                plot.line("whisker over", [(low, y - 3), (low, y + 3)])
                plot.line("whisker over", [(high, y - 3), (high, y + 3)])
                reach = max(reach, high)
            }
            label(&plot, labels[index], after: reach, y)
        }
        plot.line("one", [(one, plot.top - 4), (one, plot.bottom)])
        return plot
    }

    private static func bars(_ row: ReportSections.Row, _ series: [Series]) -> [Bar] {
        zip(series, LinePlots.drawn(row)).compactMap { series, cell in
            cell.map { (series, $0) }
        }
    }

    private static let step = 26.0

    private static func middle(_ index: Int) -> Double { 12 + (Double(index) + 0.5) * step }

    /// Returns the frame, with names at the left, as wide as the longest name requires.
    private static func frame(_ title: String, _ bars: [Bar], _ labels: [String]) -> Plot {
        var plot = Plot(
            title: title,
            summary: zip(bars, labels).map { "\($0.series.contestant.name): \($1)" }
                .joined(separator: "; ") + ".")
        let names = bars.map { $0.series.contestant.name.shortened(to: 20) }
        plot.left = 12 + 6.3 * Double(names.map(\.count).max() ?? 0)
        plot.right = max(plot.left + 90, 340 - 6 * Double(labels.map(\.count).max() ?? 0))
        plot.bottom = middle(bars.count - 1) + step / 2
        for (index, name) in names.enumerated() {
            plot.text(name, plot.left - 6, middle(index) + 4, "end")
        }
        return plot
    }

    private static func rectangle(
        _ plot: inout Plot, _ series: Series, from left: Double, to right: Double, _ y: Double
    ) {
        plot.add(
            Markup.element(
                "g", ["class": series.style],
                Markup.empty(
                    "rect",
                    [
                        "class": series.contestant.role == .backend ? "bar" : "bar faint",
                        "x": Plot.number(left), "y": Plot.number(y - 7),
                        "width": Plot.number(max(right - left, 1)), "height": "14",
                    ])))
    }

    private static func label(_ plot: inout Plot, _ text: String, after x: Double, _ y: Double) {
        plot.text(text, x + 6, y + 4, "start")
    }
}
