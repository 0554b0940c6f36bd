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
        var collector = ExportCollector(self)
        for session in sessions {
            collector.begin(session.id, session.attributes)
            for tab in session.tabs { collector.add(tab) }
            collector.endSession()
        }
        return try finish(collector)
    }

    /// The files of everything in a store, sessions ascending.
    ///
    /// Of the states of tabs only the histories stay in memory, and what engines gave if the format
    /// holds it. Throws what the store throws, `corrupted` for a session that is not intact, and
    /// `tooLarge` if the format cannot hold that much.
    ///
    /// - Parameters:
    ///   - losses: Told what of the store is lost; the files then have what is left.
    ///   - progress: Told the number of tabs so far, after each session.
    public func export(
        _ storage: any SessionStorage, losses: LossHandler? = nil,
        progress: ((_ tabs: Int) -> Void)? = nil
    ) async throws(StorageError) -> SessionExport {
        var collector = ExportCollector(self)
        var tabs = 0
        let stored = StoredSessions(
            storage: storage, includesStates: true,
            losses: losses.map { losses in
                { loss in
                    collector.note(loss)
                    losses(loss)
                }
            })
        try await stored.forEach { session throws(StorageError) in
            collector.begin(session.id, session.attributes, losses: session.lossLines)
        } tab: { tab throws(StorageError) in
            collector.add(tab)
            tabs += 1
        } end: { () throws(StorageError) in
            collector.endSession()
            progress?(tabs)
        }
        return try finish(collector)
    }

    private func finish(_ collector: ExportCollector) throws(StorageError) -> SessionExport {
        var losses = collector.losses
        let files = try write(collector, &losses)
        return SessionExport(
            files: files, counts: counts(of: collector.sessions), losses: losses.counts)
    }

    private func write(_ collector: ExportCollector, _ losses: inout ExportLosses)
        throws(StorageError) -> [ExportedFile]
    {
        let sessions = collector.sessions
        return switch format {
        case .firefox: try FirefoxWriter(time: time).write(sessions, &losses)
        case .chromium: ChromiumWriter(time: time).write(sessions, &losses)
        case .chromeIOS: try ChromeIOSWriter().write(sessions, &losses)
        case .firefoxIOS: FirefoxIOSWriter().write(sessions, &losses)
        case .bookmarks: BookmarksWriter().write(sessions)
        case .markdown: MarkdownWriter(time: time).write(sessions)
        case .html: try HTMLWriter(time: time).write(sessions, losses: collector.unnamedLosses)
        }
    }

    private func counts(of sessions: [ExportedSession]) -> ImportCounts {
        var counts = ImportCounts()
        for session in sessions {
            let entries = session.tabs.reduce(0) { count, tab in
                let all = tab.history.entries.count
                return count + (format.holds.contains(.histories) ? all : min(all, 1))
            }
            let isClosed =
                session.place == .closedTabs
                || (format.isOfADesktopBrowser && session.place != nil)
            if isClosed {
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
