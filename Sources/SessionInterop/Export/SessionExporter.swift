public import BrowserSessions

/// Writes sessions as files that other browsers open, or that people read.
///
/// ```swift
/// let export = try SessionExporter(.firefox).export(sessions)
/// for file in export.files { … }
/// for line in export.lossLines { … }
/// ```
///
/// Sessions that are not open windows (closed, inactive, set aside) become what the format has for
/// them: closed windows in desktop browsers, sections of their own in lists. Nothing is dropped
/// without a count in ``SessionExport/losses``. Nothing is written to a disk.
public struct SessionExporter: Sendable {
    public var format: ExportFormat
    /// The moment that files with a date of their own are given.
    public var time: Timestamp
    /// Whether tabs off the record are written, where the format has a place for them. Otherwise
    /// they are left out and counted.
    public var includesIncognito = false

    /// An exporter of one format; files are dated with the system's time if none is given.
    public init(_ format: ExportFormat, at time: Timestamp = .now()) {
        self.format = format
        self.time = time
    }

    /// The files of the sessions, in the order in which they are given.
    ///
    /// Without a session this makes the format's empty file. Throws `StorageError` with the code
    /// `tooLarge` if the format cannot hold that much.
    public func export(_ sessions: [SessionSnapshot]) throws(StorageError) -> SessionExport {
        var losses = ExportLosses(format: format)
        var kept: [ExportedSession] = []
        for snapshot in sessions {
            let session = ExportedSession(snapshot)
            let place = session.place
            if place.map({ !format.holds.contains($0) }) ?? false
                || (place == .incognitoTabs && !includesIncognito)
            {
                losses.add(place ?? .tabs, session.tabs.count)
                continue
            }
            losses.count(session)
            kept.append(session)
        }
        let files = try write(kept, &losses)
        return SessionExport(files: files, counts: counts(of: kept), losses: losses.counts)
    }

    private func write(_ sessions: [ExportedSession], _ losses: inout ExportLosses)
        throws(StorageError) -> [ExportedFile]
    {
        switch format {
        case .firefox: try FirefoxWriter(time: time).write(sessions, &losses)
        case .chromium: try ChromiumWriter(time: time).write(sessions, &losses)
        case .chromeIOS: try ChromeIOSWriter().write(sessions, &losses)
        case .firefoxIOS: FirefoxIOSWriter().write(sessions, &losses)
        case .bookmarks: BookmarksWriter().write(sessions)
        case .markdown: MarkdownWriter(time: time).write(sessions)
        }
    }

    private func counts(of sessions: [ExportedSession]) -> ImportCounts {
        var counts = ImportCounts()
        for session in sessions {
            let entries = session.tabs.reduce(0) { $0 + $1.history.entries.count }
            if session.place == .closedTabs {
                counts.closedTabs += session.tabs.count
                counts.closedEntries += entries
            } else {
                counts.windows += 1
                counts.tabs += session.tabs.count
                counts.entries += entries
                counts.groups += session.usedGroups.count
            }
        }
        return counts
    }
}

/// Counts what a format does not hold.
struct ExportLosses {
    let format: ExportFormat
    private(set) var counts: [SessionPart: Int] = [:]
    /// Counted by the writers, piece by piece: what a browser's format holds of these depends on
    /// the browser that they came from.
    private static let byWriters: Set<SessionPart> = [.pageStates, .properties, .engineStates]

    init(format: ExportFormat) { self.format = format }

    mutating func add(_ part: SessionPart, _ count: Int = 1) {
        if count > 0 { counts[part, default: 0] += count }
    }

    /// Counts the parts of a session that the format has no place for.
    mutating func count(_ session: ExportedSession) {
        add(.unreadableHistories, session.unreadableHistories)
        for part in SessionPart.allCases where !format.holds.contains(part) {
            if Self.byWriters.contains(part), format.isOfABrowser { continue }
            add(part, part.count(in: session))
        }
    }

    /// Counts the properties whose names do not begin with the given text.
    mutating func countProperties(_ properties: [String: String], except own: String) {
        add(.properties, properties.keys.count { !$0.hasPrefix(own) })
    }
}

extension ExportFormat {
    /// Whether a browser reads it as its own.
    fileprivate var isOfABrowser: Bool {
        switch self {
        case .firefox, .chromium, .chromeIOS, .firefoxIOS: true
        case .bookmarks, .markdown: false
        }
    }
}
