public import BrowserSessions

/// An exporter that writes sessions as files that other browsers open, or that people read.
///
/// ```swift
/// let export = try SessionExporter(.firefox).export(sessions)
/// for file in export.files { … }
/// for line in export.lossLines { … }
/// ```
///
/// Open windows come first, each with its companions, then closed windows. Other sessions (closed
/// tabs, inactive tabs, tabs that were set aside) take the form that the format has for them: closed
/// tabs and windows in desktop browsers, separate sections in lists. Tabs between two windows are in
/// the first window. Each space of a library is a window. A restorer's notes are not written. ``SessionExport/losses`` counts what is
/// dropped; <doc:Formats> lists the exceptions. Nothing is written to a disk.
public struct SessionExporter: Sendable {
    /// The format of the files. ``ExportFormat/holds`` says what it can hold.
    public var format: ExportFormat
    /// The date of files that contain one.
    public var time: Timestamp
    /// Whether incognito tabs are written, if the format can hold them. Otherwise, they are
    /// left out and counted.
    public var includesIncognito = false

    /// Creates an exporter of one format. By default, the system's time dates the files.
    public init(_ format: ExportFormat, at time: Timestamp = .now()) {
        self.format = format
        self.time = time
    }

    /// Returns the files of the sessions. Sessions of the same kind keep their order.
    ///
    /// Returns the format's empty file if there are no sessions.
    ///
    /// - Throws: `StorageError` with the code `tooLarge` if the format cannot hold that much.
    public func export(_ sessions: [SessionSnapshot]) throws(StorageError) -> SessionExport {
        var collector = ExportCollector(self)
        for session in sessions.windowsFirst(\.id.kind) {
            collector.begin(RestoredSession(session))
            for tab in session.tabs { collector.add(tab) }
            collector.endSession()
        }
        return try finish(collector, isOfStore: false)
    }

    /// Returns the files of everything in a store, with open windows in the order in which they were
    /// opened.
    ///
    /// Only the histories of tabs stay in memory, and the states of engines if the format holds
    /// them. Returns the format's empty file if the store has no sessions.
    ///
    /// - Parameters:
    ///   - storage: The store to read.
    ///   - losses: Receives the losses of the store. The files then have everything else.
    ///   - progress: Receives the number of tabs so far, after each session.
    /// - Throws: What the store throws, `corrupted` if something cannot be read and there is no
    ///   `losses`, and `tooLarge` if the format cannot hold that much.
    public func export(
        _ storage: any SessionStorage, losses: LossHandler? = nil,
        progress: ((_ tabs: Int) -> Void)? = nil
    ) async throws(StorageError) -> SessionExport {
        var collector = ExportCollector(self)
        var tabs = 0
        let stored = StoredSessions(
            storage: storage, includesStates: true, windowsFirst: true,
            losses: losses.map { losses in
                { loss in
                    collector.note(loss)
                    losses(loss)
                }
            })
        try await stored.forEach { session throws(StorageError) in
            collector.begin(session)
        } tab: { tab throws(StorageError) in
            collector.add(tab)
            tabs += 1
        } end: { () throws(StorageError) in
            collector.endSession()
            progress?(tabs)
        }
        return try finish(collector, isOfStore: true)
    }

    private func finish(_ collector: ExportCollector, isOfStore: Bool) throws(StorageError)
        -> SessionExport
    {
        var losses = collector.losses
        let sessions = collector.arranged(isOfStore: isOfStore)
        let files = try format.writer.write(sessions, at: time, &losses)
        return SessionExport(files: files, counts: counts(of: sessions), losses: losses.counts)
    }

    private func counts(of sessions: [ExportedSession]) -> ImportCounts {
        var counts = ImportCounts()
        for session in sessions {
            let entries = session.tabs.reduce(0) { count, tab in
                let all = tab.history.entries.count
                return count + (format.holds.contains(.histories) ? all : min(all, 1))
            }
            let isClosed =
                [.closedTabs, .closedWindows].contains(session.place)
                || (format.isOfADesktopBrowser && session.place != nil)
            if isClosed {
                if session.place == .closedWindows, session.id.kind.role == .window {
                    counts.closedWindows += 1
                }
                counts.closedTabs += session.tabs.count
                counts.closedEntries += entries
            } else {
                counts.windows += session.place == nil ? 1 : 0
                counts.tabs += session.tabs.count
                counts.entries += entries
                counts.groups += session.usedGroups.count
            }
        }
        return counts
    }
}
