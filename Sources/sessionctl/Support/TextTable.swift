import CommandLineSupport
import Foundation

/// A table of rows: objects in JSON, and in text cells in columns of equal width, with optional headings,
/// whole or cut to a terminal.
struct TextTable: TextPart {
    struct Column {
        var heading = ""
        /// Whether the column holds numbers, which are aligned to the right.
        var isNumber = false
        /// The minimum width of the column in cells if space is short; `nil` if the column is never cut.
        var least: Int?
        /// The cell of a column that is left out if all its cells are so; `nil` if it never is.
        var usual: String?
    }

    /// A row, which JSON has as its value.
    struct Row: Encodable {
        private let value: any Encodable
        fileprivate(set) var cells: [String]
        fileprivate let style: TextStyle?
        /// The title above the row.
        fileprivate var title: String?

        /// Creates a row. All text of the cells becomes visible; see ``Swift/StringProtocol/visible``.
        init(_ value: any Encodable, _ cells: [String], _ style: TextStyle? = nil) {
            (self.value, self.cells, self.style) = (value, cells.map(\.visible), style)
        }

        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    private var columns: [Column]
    private(set) var rows: [Row] = []
    private let sentence: String?
    private var nextTitle: String?

    /// - Parameter ifEmpty: the text of a table without rows; `nil` for its headings.
    init(_ columns: [Column], ifEmpty sentence: String? = nil) {
        (self.columns, self.sentence) = (columns, sentence)
    }

    /// Adds a row. More cells than columns make more columns.
    mutating func add(_ row: Row) {
        var row = row
        (row.title, nextTitle) = (nextTitle, nil)
        while columns.count < row.cells.count { columns.append(Column()) }
        rows.append(row)
    }

    mutating func add(_ fields: Fields, _ cells: [String], _ style: TextStyle? = nil) {
        add(Row(fields, cells, style))
    }

    /// Adds a row that only text has.
    mutating func add(_ cells: [String], _ style: TextStyle? = nil) { add([:], cells, style) }

    /// Begins a part of the table, with a title above it.
    mutating func begin(_ title: String) { nextTitle = title }

    /// Removes the columns in which nothing stands that is not usual.
    mutating func removeUsualColumns() {
        for (index, column) in columns.enumerated().reversed() {
            guard let usual = column.usual, rows.allSatisfy({ $0.cells[index] == usual }) else {
                continue
            }
            remove(index)
        }
    }

    mutating func removeColumn(_ heading: String) {
        if let index = columns.firstIndex(where: { $0.heading == heading }) { remove(index) }
    }

    private mutating func remove(_ index: Int) {
        columns.remove(at: index)
        for row in rows.indices { rows[row].cells.remove(at: index) }
    }

    /// Makes the identifiers in the first column as short as possible if the table is too wide.
    mutating func shortenSessions(toFit width: Int? = terminalWidth) {
        guard let width, self.width > width else { return }
        let names = SessionPrefix.shortest(of: rows.map { $0.cells[0] })
        for (row, name) in names.enumerated() { rows[row].cells[0] = name }
    }

    private static let gap = 2

    /// The number of cells in a line of standard output's terminal; `nil` if there is no terminal.
    static var terminalWidth: Int? {
        StandardStream.output.width(environment: ProcessInfo.processInfo.environment)
    }

    /// The width of the table if nothing is cut.
    var width: Int {
        let widths = naturalWidths
        return widths.reduce(0, +) + Self.gap * max(0, widths.count { $0 > 0 } - 1)
    }

    private var hasHeadings: Bool { columns.contains { !$0.heading.isEmpty } }

    private var all: [[String]] {
        (hasHeadings ? [columns.map(\.heading)] : []) + rows.map(\.cells)
    }

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

    /// The lines, cut to the width of standard output's terminal; whole if there is no terminal.
    var styledLines: [StyledLine] { styledLines(width: Self.terminalWidth) }

    /// Returns the lines, with headings, titles and rows in their styles.
    ///
    /// - Parameter width: the number of cells in a line; `nil` for no limit.
    func styledLines(width: Int?) -> [StyledLine] {
        if rows.isEmpty, let sentence { return [StyledLine(sentence)] }
        let headings = hasHeadings ? 1 : 0
        return plainLines(width: width).enumerated().flatMap { index, line in
            if index < headings { return [StyledLine(line, .bold)] }
            let row = rows[index - headings]
            let title = row.title.map { width.map($0.cut(toCells:)) ?? $0 }
            return (title.map { [StyledLine($0, .bold)] } ?? []) + [StyledLine(line, row.style)]
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
