import BrowserSessions

/// A kind of file that ``SessionExporter`` writes.
public struct ExportFormat: RawRepresentable, Hashable, Sendable {
    /// The name in commands and reports.
    public let rawValue: String
    /// The default name of the file in a folder; `nil` if the format is itself a folder.
    public let fileName: String?
    /// The parts that remain when the output is read by its browser or by ``SessionImporter``.
    ///
    /// ``SessionExport/losses`` counts everything else in a session.
    public let holds: Set<SessionPart>
    /// The maximum number of history entries of a tab.
    let maximumEntries: Int
    let writer: any FormatWriter.Type
    private let audience: Audience

    /// Who or what the files are for.
    enum Audience { case desktopBrowser, mobileBrowser, people }

    init(
        _ name: String, for audience: Audience, _ writer: any FormatWriter.Type,
        fileName: String? = nil, maximumEntries: Int = .max, holds: Set<SessionPart>
    ) {
        (rawValue, self.audience, self.writer) = (name, audience, writer)
        (self.fileName, self.maximumEntries, self.holds) = (fileName, maximumEntries, holds)
    }

    /// Whether a browser reads the format as its own.
    var isOfABrowser: Bool { audience != .people }

    /// Whether the format is of a desktop browser. These have closed windows for everything that is
    /// not open, and have no window without a tab.
    var isOfADesktopBrowser: Bool { audience == .desktopBrowser }

    /// Whether the format holds the bytes of the one engine that every browser on iOS has.
    var holdsNative: Bool { audience == .mobileBrowser }
}

/// What writes the files of one format.
protocol FormatWriter: SendableMetatype {
    /// Returns whether the format can hold an address.
    static func takes(_ address: String) -> Bool

    /// Returns the files of the sessions, and counts what they do not hold.
    ///
    /// - Parameter time: The date of files that contain one.
    static func write(
        _ sessions: [ExportedSession], at time: Timestamp, _ losses: inout ExportLosses
    ) throws(StorageError) -> [ExportedFile]
}

extension FormatWriter {
    static func takes(_ address: String) -> Bool { true }
}
