/// Plots with a line for each contestant.
enum LinePlots {
    /// Returns a plot of cost against the number of tabs, both logarithmic; `nil` without a verified result.
    static func cost(_ work: ReportSections.Work, _ series: [Series]) -> Plot? {
        let lines = series.enumerated().map { place, series in
            (series, work.rows.compactMap { drawn($0)[place] })
        }.filter { !$0.1.isEmpty }
        let results = lines.flatMap(\.1)
        guard !results.isEmpty else { return nil }
        let vertical = LogAxis(
            results.flatMap { [$0.microseconds.p50] + ($0.interval.map(ends) ?? []) })
        let sizes = Set(results.map(\.tabs)).sorted()
        let horizontal = LogAxis(sizes.map { Double(max($0, 1)) })
        let place = { (tabs: Int) in
            sizes.count == 1 ? 0.5 : 0.04 + 0.92 * horizontal.place(Double(max(tabs, 1)))
        }
        var plot = Plot(
            title: "\(work.title): cost against number of tabs",
            summary: summary(lines.map { ($0.0, $0.1) }))
        plot.verticalAxis(vertical.ticks.map { (vertical.place($0), Figures.tick($0)) })
        plot.horizontalAxis(sizes.map { (place($0), Figures.whole($0)) }, name: "tabs")
        for (series, results) in lines {
            let points = results.map { result in
                (x: plot.x(place(result.tabs)), y: plot.y(vertical.place(result.microseconds.p50)))
            }
            plot.add("<g class=\"\(series.style)\">")
            for (result, point) in zip(results, points) {
                guard let interval = result.interval else { continue }
                let ends = ends(interval).map { plot.y(vertical.place($0)) }
                plot.line("whisker", ends.map { (point.x, $0) })
            }
            plot.line("line", points, dash: series.dash)
            for point in points { plot.add(series.marker(point.x, point.y)) }
            plot.add("</g>")
        }
        return plot
    }

    private static func ends(_ interval: ClosedRange<Double>) -> [Double] {
        [interval.lowerBound, interval.upperBound]
    }

    /// Returns the cells to plot: those with right answers. Those of `dry` that are so fast that
    /// they would compress the others are left out.
    static func drawn(_ row: ReportSections.Row) -> [BenchResult?] {
        let results = row.cells.map(verified)
        let fastest = results.compactMap { $0 }.filter { $0.kind != .dry }
            .map(\.microseconds.p50).min()
        return results.map { result in
            guard let result, result.kind == .dry, let fastest else { return result }
            return result.microseconds.p50 * 10 < fastest ? nil : result
        }
    }

    static func verified(_ result: BenchResult?) -> BenchResult? {
        result.flatMap { $0.verified ? $0 : nil }
    }

    private static func summary(_ lines: [(Series, [BenchResult])]) -> String {
        lines.map { series, results in
            let points = results.map {
                "\(Figures.time($0.microseconds.p50)) with \(ReportWords.tabs($0.tabs))"
            }
            return "\(series.contestant.name): \(points.joined(separator: ", "))"
        }.joined(separator: "; ") + "."
    }
}

extension LinePlots {
    /// Returns a plot of the fraction of operations within each time, as steps; `nil` without a distribution.
    static func distribution(
        _ work: ReportSections.Work, _ row: ReportSections.Row, _ all: [Series]
    )
        -> Plot?
    {
        let lines = zip(all, drawn(row)).compactMap { series, cell in
            cell.flatMap { result in
                steps(result).map { (series: series, result: result, steps: $0) }
            }
        }
        guard !lines.isEmpty else { return nil }
        let axis = LogAxis(lines.flatMap { $0.steps.map(\.upTo) })
        var plot = Plot(
            title: "\(work.title): latency of \(ReportWords.tabs(row.tabs)), share of operations",
            summary: lines.map { line in
                let times = line.result.microseconds
                return "\(line.series.contestant.name): half within \(Figures.time(times.p50)), "
                    + "99 % within \(Figures.time(times.p99))"
            }.joined(separator: "; ") + ".")
        plot.verticalAxis([0, 0.25, 0.5, 0.75, 1].map { ($0, "\(Int($0 * 100)) %") })
        plot.horizontalAxis(
            axis.ticks.map { (axis.place($0), Figures.tick($0)) },
            name: "took at most")
        for line in lines {
            var points: [(x: Double, y: Double)] = []
            for step in line.steps {
                let x = plot.x(axis.place(step.upTo))
                points.append((x, points.last?.y ?? plot.y(0)))
                points.append((x, plot.y(step.share)))
            }
            plot.add("<g class=\"\(line.series.style)\">")
            plot.line("line", points, dash: line.series.dash)
            let middle = line.steps.first { $0.share >= 0.5 }
            if let middle {
                plot.add(line.series.marker(plot.x(axis.place(middle.upTo)), plot.y(0.5)))
            }
            plot.add("</g>")
        }
        return plot
    }

    private static func steps(_ result: BenchResult) -> [(upTo: Double, share: Double)]? {
        let buckets = (result.distribution ?? []).filter { $0.count > 0 && $0.upTo > 0 }
            .sorted { $0.upTo < $1.upTo }
        let total = buckets.reduce(0.0) { $0 + Double($1.count) }
        guard total > 0 else { return nil }
        var seen = 0.0
        return buckets.map { bucket in
            seen += Double(bucket.count)
            return (bucket.upTo, seen / total)
        }
    }
}
