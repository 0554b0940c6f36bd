public import BrowserSessions

/// A kind of session file that ``SessionImporter`` reads.
public enum SessionFormat: String, Hashable, Sendable, CaseIterable {
    /// Chrome for iOS: one directory per session and one per tab (the "optimized" layout).
    ///
    /// Its files have no checksum, so a changed letter, time or color cannot be detected. A list
    /// that was truncated between two tabs is a valid shorter list. Tabs that are missing from such
    /// a list are found by their directories and set aside.
    case chromeIOS = "chrome-ios"
    /// Chrome for iOS before that layout: `session.plist`, a keyed archive for each session.
    ///
    /// The importer reads windows, tabs, their order, the selected tab, pins, openers, groups, times
    /// and histories. It keeps the engine's states next to the file (`Web_Sessions`) as they are. It
    /// does not read certificates that the user accepted, scroll positions and form data, and the
    /// report counts them. A session that the browser moved aside after a crash
    /// (`session.backup.plist`) is set aside. There is no checksum. A truncated file is unreadable.
    case chromeIOSArchive = "chrome-ios-archive"
    /// Firefox for iOS: a JSON file per window, a blob per tab.
    case firefoxIOS = "firefox-ios"
    /// Firefox for desktop: `sessionstore` files, JSON or compressed JSON.
    case firefoxDesktop = "firefox-desktop"
    /// Chromium for desktop: `Session` and `Tabs` files, a log of commands.
    case chromiumSNSS = "chromium-snss"
    /// A table or a list of links, including Markdown, with its titles, groups and windows.
    case links
    /// The bookmarks file that browsers write, as HTML.
    case bookmarks
    /// The page for people that ``ExportFormat/html`` creates.
    case page = "html"
    /// The copy of a store that ``CanonicalJSON`` writes.
    case canonical = "canonical-json"

    /// Returns the format of the file or directory at a path.
    ///
    /// Returns `nil` if no format fits, or for a folder that is not a profile. Such a folder can
    /// still be passed to ``SessionImporter/read(path:as:scope:incognito:)``.
    ///
    /// - Throws: `notFound` if there is nothing at the path, and `permissionDenied` or `failed` if
    ///   it cannot be examined.
    public static func detect(path: String) throws(StorageError) -> SessionFormat? {
        try SourceDetector(limits: ImportLimits()).detect(path)?.format
    }
}
