/// A kind of file that ``SessionExporter`` writes.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable {
    /// Firefox for desktop: a compressed `sessionstore` file, which goes into a profile whose
    /// Firefox does not run and restores the previous session.
    case firefox
    /// Chromium for desktop: a folder with a `Session` file, and a `Tabs` file if something was
    /// closed. It replaces `Sessions` in a profile that Chromium made once; `Sessions_Encrypted`
    /// beside it has to go.
    case chromium
    /// Chrome for iOS: a state folder with a directory per window and one per tab.
    case chromeIOS = "chrome-ios"
    /// Firefox for iOS: a profile folder with a file per window and one per tab.
    case firefoxIOS = "firefox-ios"
    /// The bookmarks file that every browser imports: a folder per window and group.
    case bookmarks
    /// Headings and lists of links for people.
    case markdown
    /// One page for people that needs nothing else and fetches nothing: to search, sort and print.
    case html

    /// What a file is called that was given a folder; `nil` if the format is a folder itself.
    public var fileName: String? {
        switch self {
        case .firefox: "sessionstore.jsonlz4"
        case .bookmarks: "bookmarks.html"
        case .markdown: "sessions.md"
        case .html: "sessions.html"
        case .chromium, .chromeIOS, .firefoxIOS: nil
        }
    }

    /// What comes back when what was written is read by its browser or by ``SessionImporter``.
    ///
    /// What a session has beyond that is counted in ``SessionExport/losses``.
    public var holds: Set<SessionPart> {
        switch self {
        case .firefox:
            [
                .activeTabs, .pins, .groups, .groupColors, .collapsedGroups, .histories, .frames,
                .referrers, .lastUseTimes, .icons, .closedTabs, .inactiveTabs, .setAsideTabs,
            ]
        case .chromium:
            [
                .activeTabs, .pins, .groups, .groupColors, .collapsedGroups, .histories,
                .referrers, .entryTimes, .lastUseTimes, .windowTitles, .closedTabs, .inactiveTabs,
                .setAsideTabs,
            ]
        case .chromeIOS:
            [
                .activeTabs, .pins, .groups, .groupColors, .collapsedGroups, .histories,
                .displayAddresses, .referrers, .requestHeaders, .entryTimes, .creationTimes,
                .lastUseTimes, .openers, .inactiveTabs, .incognitoTabs,
            ]
        case .firefoxIOS:
            [.activeTabs, .icons, .creationTimes, .lastUseTimes, .incognitoTabs]
        case .bookmarks:
            [
                .groups, .windowTitles, .icons, .creationTimes, .lastUseTimes, .closedTabs,
                .inactiveTabs, .setAsideTabs, .incognitoTabs,
            ]
        case .markdown:
            [
                .activeTabs, .pins, .groups, .windowTitles, .closedTabs, .inactiveTabs,
                .setAsideTabs, .incognitoTabs,
            ]
        case .html:
            [
                .activeTabs, .pins, .groups, .groupColors, .collapsedGroups, .histories,
                .entryTimes,
                .creationTimes, .lastUseTimes, .windowTitles, .closedTabs, .inactiveTabs,
                .setAsideTabs, .incognitoTabs,
            ]
        }
    }
}
