import BrowserSessions
import CommandLineSupport

/// A list of sessions for people, in parts: what is open, closed, kept, and internal.
struct SessionListing: TextPart {
    private let figures: [SessionFigures]
    private let times: TimeWords

    /// - Parameters:
    ///   - figures: sessions in the order of ``SessionFigures/forPeople(_:)``.
    ///   - times: says times as people do.
    init(_ figures: [SessionFigures], times: TimeWords = TimeWords()) {
        self.figures = figures
        self.times = times
    }

    var styledLines: [StyledLine] { lines(width: TextTable.terminalWidth) }

    /// Returns the lines. If the terminal is too narrow, shows identifiers as short as possible, and
    /// leaves out figures so that titles can be read. Commands that take a session accept each one as
    /// printed.
    ///
    /// - Parameter width: the cells of a line; `nil` for no limit.
    func lines(width: Int?) -> [StyledLine] {
        var table = table
        if let width, table.width > width {
            table.shortenSessions(toFit: width)
            let titles = figures.map(\.shownTitle.cells).max() ?? 0
            let cut = max(0, titles - Self.readableTitle)
            for figure in ["state", "history", "groups"] where table.width - cut > width {
                table.removeColumn(figure)
            }
        }
        return table.styledLines(width: width)
    }

    /// The cells of a title that say what a window is.
    private static let readableTitle = 24

    private var table: TextTable {
        var table = TextTable(
            [
                .init(heading: "session"), .init(heading: "title", least: 8),
                .init(heading: "what", usual: "window"), .init(heading: "tabs", isNumber: true),
                .init(heading: "groups", isNumber: true, usual: "0"),
                .init(heading: "history", isNumber: true, usual: "0"),
                .init(heading: "state", isNumber: true, usual: ""),
                .init(heading: "provenance", usual: "intact"),
                .init(heading: "losses", isNumber: true, usual: "0"),
                .init(heading: "last use", usual: ""),
            ], ifEmpty: "no sessions")
        var part: SessionFigures.Part?
        for figures in figures {
            if part != figures.part { table.begin(figures.part.title) }
            part = figures.part
            table.add(
                [
                    figures.session, figures.shownTitle, figures.what, "\(figures.tabs)",
                    "\(figures.groups)", "\(figures.historyEntries)",
                    figures.stateBytes == 0 ? "" : ByteWords.words(figures.stateBytes),
                    figures.provenance, "\(figures.losses)", times.words(figures.lastUse),
                ], figures.textStyle)
        }
        table.removeUsualColumns()
        return table
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
