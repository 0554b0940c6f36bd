import CommandLineSupport
import Foundation

/// A table of rows in columns of equal width, with optional headings, whole or cut to a terminal.
struct TextTable {
    struct Column {
        var heading = ""
        /// Whether the column holds numbers, which are aligned to the right.
        var isNumber = false
        /// The minimum width of the column in cells if space is short; `nil` if the column is never cut.
        var least: Int?
    }

    var columns: [Column]
    private(set) var rows: [[String]] = []
    /// The styles of rows by index, and the titles above them.
    private var styles: [Int: TextStyle] = [:]
    private var titles: [Int: String] = [:]

    init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row. All its text becomes visible; see ``Swift/StringProtocol/visible``.
    mutating func add(_ row: [String], _ style: TextStyle? = nil) {
        styles[rows.count] = style
        rows.append(row.map(\.visible))
    }

    /// Begins a part of the table, with a title above it.
    mutating func begin(_ title: String) { titles[rows.count] = title }

    private static let gap = 2

    /// The number of cells in a line of standard output's terminal; `nil` if there is no terminal.
    static var terminalWidth: Int? {
        StandardStream.output.width(environment: ProcessInfo.processInfo.environment)
    }

    /// The lines, cut to the width of standard output's terminal; whole if there is no terminal.
    var lines: [String] { lines(width: Self.terminalWidth) }

    /// The width of the table if nothing is cut.
    var width: Int {
        let widths = naturalWidths
        return widths.reduce(0, +) + Self.gap * max(0, widths.count { $0 > 0 } - 1)
    }

    private var hasHeadings: Bool { columns.contains { !$0.heading.isEmpty } }

    private var all: [[String]] { (hasHeadings ? [columns.map(\.heading)] : []) + rows }

    private var naturalWidths: [Int] {
        let all = all
        return columns.indices.map { column in
            all.map { column < $0.count ? $0[column].cells : 0 }.max() ?? 0
        }
    }

    /// Returns a line above or below a table, cut like the table.
    static func cut(_ line: String) -> String {
        terminalWidth.map { line.visible.cut(toCells: $0) } ?? line
    }

    /// - Parameter width: the number of cells in a line; `nil` for no limit.
    func lines(width: Int?) -> [String] { styledLines(width: width).map(\.text) }

    /// The same lines, with headings, titles and rows in their styles.
    func styledLines(width: Int? = terminalWidth) -> [StyledLine] {
        let headings = hasHeadings ? 1 : 0
        return plainLines(width: width).enumerated().flatMap { index, line in
            let row = index - headings
            if row < 0 { return [StyledLine(line, .bold)] }
            let title = titles[row].map { width.map($0.cut(toCells:)) ?? $0 }
            return (title.map { [StyledLine($0, .bold)] } ?? []) + [StyledLine(line, styles[row])]
        }
    }

    private func plainLines(width: Int?) -> [String] {
        let widths = fitted(naturalWidths, to: width)
        return all.map { row in
            let cells = zip(row, zip(columns, widths)).map { cell, place in
                cell.cut(toCells: place.1).padded(toCells: place.1, right: place.0.isNumber)
            }
            var line = cells.joined(separator: String(repeating: " ", count: Self.gap))
            while line.hasSuffix(" ") { line.removeLast() }
            return width.map { line.cut(toCells: $0) } ?? line
        }
    }

    /// Returns widths that fit. The widest columns that may be cut shrink first, down to the next
    /// narrower column, and then together with it.
    private func fitted(_ natural: [Int], to width: Int?) -> [Int] {
        guard let width else { return natural }
        var widths = natural
        let filled = natural.count { $0 > 0 }
        var excess = natural.reduce(0, +) + Self.gap * max(0, filled - 1) - width
        while excess > 0 {
            let shrinkable = columns.indices.filter { widths[$0] > columns[$0].least ?? .max }
            guard let widest = shrinkable.map({ widths[$0] }).max() else { break }
            let all = shrinkable.filter { widths[$0] == widest }
            let narrower = shrinkable.map { widths[$0] }.filter { $0 < widest }
            let next = (narrower + all.map { columns[$0].least ?? 0 }).max() ?? 0
            let step = max(1, min(widest - next, excess / all.count))
            // The excess may be less than one cell for each column.
            for column in all.prefix(excess) { widths[column] -= step }
            excess -= step * min(all.count, excess)
        }
        return widths
    }
}
