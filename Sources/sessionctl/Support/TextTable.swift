import CommandLineSupport
import Foundation

/// Rows in columns of equal width, under headings if there are any: whole, or cut to a terminal.
struct TextTable {
    struct Column {
        var heading = ""
        /// Numbers stand to the right.
        var isNumber = false
        /// How narrow the column may become, in cells, if there is no room for all; `nil` if it stays whole.
        var least: Int?
    }

    var columns: [Column]
    private(set) var rows: [[String]] = []

    init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row, of which text of any origin becomes visible: see ``Swift/StringProtocol/visible``.
    mutating func add(_ row: [String]) { rows.append(row.map(\.visible)) }

    private static let gap = 2

    /// The cells of a line of the terminal of standard output; `nil` where that is none.
    static var terminalWidth: Int? {
        StandardStream.output.width(environment: ProcessInfo.processInfo.environment)
    }

    /// The lines as the terminal of standard output has room for them; whole where that is none.
    var lines: [String] { lines(width: Self.terminalWidth) }

    /// How wide the table is if nothing of it is cut.
    var width: Int {
        let widths = naturalWidths
        return widths.reduce(0, +) + Self.gap * max(0, widths.count { $0 > 0 } - 1)
    }

    private var all: [[String]] {
        let headings = columns.map(\.heading)
        return (headings.allSatisfy(\.isEmpty) ? [] : [headings]) + rows
    }

    private var naturalWidths: [Int] {
        let all = all
        return columns.indices.map { column in
            all.map { column < $0.count ? $0[column].cells : 0 }.max() ?? 0
        }
    }

    /// A line above or below a table, cut as that.
    static func cut(_ line: String) -> String {
        terminalWidth.map { line.visible.cut(toCells: $0) } ?? line
    }

    /// - Parameter width: the cells of a line; `nil` for as many as there are.
    func lines(width: Int?) -> [String] {
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

    /// Takes what is too much from the widest of the columns that may become narrower, down to the next
    /// narrower one and then from both, so that they share the room.
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
            // What is too much may be less than a cell of each.
            for column in all.prefix(excess) { widths[column] -= step }
            excess -= step * min(all.count, excess)
        }
        return widths
    }
}
