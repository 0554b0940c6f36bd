import BrowserSessions
import CommandLineSupport

/// A list of sessions for people, in parts: what is open, closed, kept, and internal.
struct SessionListing {
    private let figures: [SessionFigures]
    private let times: TimeWords

    /// - Parameters:
    ///   - figures: sessions in the order of ``SessionFigures/forPeople(_:)``.
    ///   - times: says times as people do.
    init(_ figures: [SessionFigures], times: TimeWords = TimeWords()) {
        self.figures = figures
        self.times = times
    }

    /// Returns the lines. If the terminal is too narrow, shows identifiers as short as possible, and
    /// leaves out figures so that titles can be read. Commands that take a session accept each one as
    /// printed.
    ///
    /// - Parameter width: the cells of a line; `nil` for no limit.
    func lines(width: Int? = TextTable.terminalWidth) -> [StyledLine] {
        if figures.isEmpty { return [StyledLine("no sessions")] }
        let whole = table(figures.map(\.session), columns)
        guard let width, whole.width > width else { return whole.styledLines(width: width) }
        let names = SessionPrefix.shortest(of: figures.map(\.session))
        let titles = figures.map(\.shownTitle.cells).max() ?? 0
        var columns = columns
        for figure in ["state", "history", "groups"] {
            let cut = max(0, titles - Self.readableTitle)
            if table(names, columns).width - cut <= width { break }
            columns.removeAll { $0.column.heading == figure }
        }
        return table(names, columns).styledLines(width: width)
    }

    /// The cells of a title that say what a window is.
    private static let readableTitle = 24

    private typealias Filled = (column: TextTable.Column, cells: [String])

    private func table(_ names: [String], _ columns: [Filled]) -> TextTable {
        var table = TextTable(
            [.init(heading: "session"), .init(heading: "title", least: 8)] + columns.map(\.column))
        var part: SessionFigures.Part?
        for (index, figures) in figures.enumerated() {
            if part != figures.part { table.begin(figures.part.title) }
            part = figures.part
            let cells = columns.map { $0.cells[index] }
            table.add([names[index], figures.shownTitle] + cells, figures.textStyle)
        }
        return table
    }

    /// The columns in which something stands that is not usual.
    private var columns: [Filled] {
        let all:
            [(heading: String, usual: String, isNumber: Bool, cell: (SessionFigures) -> String)] = [
                ("what", "window", false, { $0.what }),
                ("tabs", "", true, { "\($0.tabs)" }),
                ("groups", "0", true, { "\($0.groups)" }),
                ("history", "0", true, { "\($0.historyEntries)" }),
                ("state", "", true, { $0.stateBytes == 0 ? "" : ByteWords.words($0.stateBytes) }),
                ("provenance", "intact", false, { $0.provenance }),
                ("losses", "0", true, { "\($0.losses)" }),
                ("last use", "", false, { times.words($0.lastUse) }),
            ]
        return all.compactMap { heading, usual, isNumber, cell in
            let cells = figures.map(cell)
            if cells.allSatisfy({ $0 == usual }) { return nil }
            return (TextTable.Column(heading: heading, isNumber: isNumber), cells)
        }
    }
}

extension SessionFigures {
    fileprivate var shownTitle: String {
        let name = title.isEmpty ? activeTabTitle : title
        return name.isEmpty ? "-" : name
    }

    /// What the session is, in words.
    fileprivate var what: String {
        switch kind {
        case .regular: "window"
        case .incognito: "incognito"
        case .recentlyClosed: "closed tabs"
        case .setAside: "set aside"
        case .inactive: "unused tabs"
        default: kind.rawValue
        }
    }

    fileprivate var textStyle: TextStyle? {
        losses > 0 ? .red : part == .open ? nil : .dim
    }
}

extension SessionFigures.Part {
    fileprivate var title: String {
        switch self {
        case .open: "Open"
        case .closed: "Closed"
        case .kept: "Kept for later"
        case .internal: "Internal"
        }
    }
}
