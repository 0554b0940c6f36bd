import BrowserSessions

/// The frame of a plot: title, description, axes, and positions, in units of the view box.
struct Plot {
    var title: String
    /// The description for a reader who cannot see the plot.
    var summary: String
    var left: Double = 58
    var right: Double = 348
    var top: Double = 12
    var bottom: Double = 182
    private(set) var content = ""

    static let width = 360.0

    init(title: String, summary: String) {
        self.title = title
        self.summary = summary
    }

    /// Formats a number with two decimals, which are one thousandth of a millimeter on paper.
    static func number(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        let text = Figures.fixed(min(max(value, -9999), 9999), 2)
        return text.hasSuffix(".00") ? String(text.dropLast(3)) : text
    }

    mutating func add(_ markup: String) { content += markup }

    mutating func text(_ text: String, _ x: Double, _ y: Double, _ style: String) {
        add(
            Markup.element(
                "text", ["class": style, "x": Self.number(x), "y": Self.number(y)],
                text.escapedForXML))
    }

    mutating func line(_ style: String, _ points: [(x: Double, y: Double)], dash: String = "") {
        let data = points.enumerated().map { index, point in
            "\(index == 0 ? "M" : "L")\(Self.number(point.x)) \(Self.number(point.y))"
        }.joined()
        add(
            dash.isEmpty
                ? Markup.empty("path", ["class": style, "d": data])
                : Markup.empty("path", ["class": style, "d": data, "stroke-dasharray": dash]))
    }

    func x(_ place: Double) -> Double { left + place * (right - left) }

    func y(_ place: Double) -> Double { bottom - place * (bottom - top) }

    mutating func verticalAxis(_ ticks: [(place: Double, label: String)]) {
        for tick in ticks {
            line("grid", [(left, y(tick.place)), (right, y(tick.place))])
            text(tick.label, left - 6, y(tick.place) + 4, "end")
        }
        line("axis", [(left, top), (left, bottom)])
    }

    /// Draws the axis. Labels that would overlap the previous one are left out; their lines stay.
    mutating func horizontalAxis(_ ticks: [(place: Double, label: String)], name: String) {
        var free = -Double.infinity
        for tick in ticks {
            line("grid", [(x(tick.place), top), (x(tick.place), bottom)])
            let half = Double(tick.label.count) * 3.6
            let middle = min(max(x(tick.place), half), Self.width - half - 1)
            guard middle - half >= free else { continue }
            text(tick.label, middle, bottom + 16, "middle")
            free = middle + half + 4
        }
        line("axis", [(left, bottom), (right, bottom)])
        text(name, (left + right) / 2, bottom + 34, "middle name")
    }

    /// Returns the plot as one element. `id` is unique in the page.
    func written(id: String) -> String {
        let title = Markup.element("title", ["id": "\(id)t"], title.escapedForXML)
        let summary = Markup.element("desc", ["id": "\(id)d"], summary.escapedForXML)
        return Markup.element(
            "svg",
            [
                "viewBox": "0 0 \(Self.number(Self.width)) \(Self.number(bottom + 42))",
                "role": "img", "aria-labelledby": "\(id)t \(id)d",
            ], title + summary + content)
    }
}
