/// The appearance of a contestant in every plot: a color, and dashes and markers for readers who
/// cannot see colors, and for paper.
struct Series {
    let contestant: ReportSections.Contestant
    /// The index among all contestants of the page.
    let number: Int

    private static let dashes = ["", "7 3", "2 3", "9 3 2 3", "12 4", "4 4", "1 3"]

    /// The CSS class with the color: one of eight. They repeat with other dashes.
    var style: String { "c\(number % 8)" }

    var dash: String { Self.dashes[number % Self.dashes.count] }

    /// Returns a marker around a point.
    func marker(_ x: Double, _ y: Double) -> String {
        let (x0, x1, x2) = (Plot.number(x - 4), Plot.number(x), Plot.number(x + 4))
        let (y0, y1, y2) = (Plot.number(y - 4), Plot.number(y), Plot.number(y + 4))
        return switch number % 6 {
        case 0: Markup.empty("circle", ["class": "fill", "cx": x1, "cy": y1, "r": "3.5"])
        case 1:
            Markup.empty(
                "rect",
                [
                    "class": "fill", "x": Plot.number(x - 3.2), "y": Plot.number(y - 3.2),
                    "width": "6.4", "height": "6.4",
                ])
        case 2: path("fill", "M\(x1) \(y0)L\(x2) \(y2)H\(x0)Z")
        case 3: path("hollow", "M\(x1) \(y0)L\(x2) \(y1)L\(x1) \(y2)L\(x0) \(y1)Z")
        case 4: path("line", "M\(x0) \(y0)L\(x2) \(y2)M\(x0) \(y2)L\(x2) \(y0)")
        default: path("line", "M\(x0) \(y1)H\(x2)M\(x1) \(y0)V\(y2)")
        }
    }

    private func path(_ style: String, _ data: String) -> String {
        Markup.empty("path", ["class": style, "d": data])
    }

    /// The line and the marker in the legend.
    var sample: String {
        let line = Markup.empty(
            "path", ["class": "line", "d": "M1 7H35", "stroke-dasharray": dash])
        return Markup.element(
            "svg",
            [
                "class": "sample \(style)", "viewBox": "0 0 36 14", "width": "36", "height": "14",
                "aria-hidden": "true",
            ], line + marker(18, 7))
    }
}
