public import BrowserSessions

/// A kind of session file that ``SessionImporter`` reads.
public enum SessionFormat: String, Hashable, Sendable, CaseIterable {
    /// Chrome for iOS: one directory per session, one per tab (the "optimised" layout).
    ///
    /// Its files have no checksum, so a changed letter, time or colour reads as well as the right
    /// one, and a list that was cut between two tabs is a valid shorter list. Tabs that such a list
    /// lost are found by their directories and set aside.
    case chromeIOS = "chrome-ios"
    /// Chrome for iOS before that layout: `session.plist`, a keyed archive for each session.
    ///
    /// Read are windows, tabs, their order, the selected tab, pins, openers, groups, times and
    /// histories; the engine's states beside it (`Web_Sessions`) are kept as they are. Certificates
    /// that the user accepted, scroll positions and form data are not read: the report counts
    /// them. A session that was moved aside after a crash (`session.backup.plist`) is set aside.
    /// There is no checksum, and of a file that was cut nothing can be read.
    case chromeIOSArchive = "chrome-ios-archive"
    /// Firefox for iOS: a JSON file per window, a blob per tab.
    case firefoxIOS = "firefox-ios"
    /// Firefox for desktop: `sessionstore` files, JSON or compressed JSON.
    case firefoxDesktop = "firefox-desktop"
    /// Chromium for desktop: `Session` and `Tabs` files, a log of commands.
    case chromiumSNSS = "chromium-snss"
    /// A table or a list of links, of Markdown, too: with titles, groups and windows as far as it has them.
    case links
    /// The bookmarks file that browsers write, as HTML.
    case bookmarks
    /// The page for people that ``ExportFormat/html`` makes.
    case page = "html"
    /// The copy of a store that ``CanonicalJSON`` writes.
    case canonical = "canonical-json"

    /// What the file or directory at a path is.
    ///
    /// `nil` if it is nothing that can be read, or a folder that is no profile; such a folder can
    /// still be given to ``SessionImporter/read(path:as:scope:incognito:)``. Throws `notFound` if there is
    /// nothing at the path, and `permissionDenied` or `failed` if it cannot be looked at.
    public static func detect(path: String) throws(StorageError) -> SessionFormat? {
        try SourceDetector(limits: ImportLimits()).detect(path)?.format
    }
}
