/// A kind of file that ``SessionExporter`` writes.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable {
    /// Firefox for desktop: a compressed `sessionstore` file. Put it into a profile that no
    /// running Firefox uses. Firefox then restores the previous session.
    case firefox
    /// Chromium for desktop: a folder with a `Session` file, and a `Tabs` file if something was
    /// closed. It replaces `Sessions` in a profile that Chromium created. Remove
    /// `Sessions_Encrypted` next to it.
    case chromium
    /// Chrome for iOS: a state folder with a directory per window and one per tab.
    case chromeIOS = "chrome-ios"
    /// Firefox for iOS: a profile folder with a file per window and one per tab.
    case firefoxIOS = "firefox-ios"
    /// The bookmarks file that every browser imports: a folder per window and group.
    case bookmarks
    /// Headings and lists of links for people.
    case markdown
    /// One self-contained page for people to search, sort and print. It fetches nothing.
    case html

    /// The default name of the file in a folder; `nil` if the format is itself a folder.
    public var fileName: String? {
        switch self {
        case .firefox: "sessionstore.jsonlz4"
        case .bookmarks: "bookmarks.html"
        case .markdown: "sessions.md"
        case .html: "sessions.html"
        case .chromium, .chromeIOS, .firefoxIOS: nil
        }
    }

    /// The parts that remain when the output is read by its browser or by ``SessionImporter``.
    ///
    /// ``SessionExport/losses`` counts everything else in a session.
    public var holds: Set<SessionPart> {
        switch self {
        case .firefox:
            [
                .activeTabs, .pins, .groups, .groupColors, .collapsedGroups, .histories, .frames,
                .referrers, .lastUseTimes, .icons, .closedWindows, .closedTabs, .inactiveTabs,
                .setAsideTabs,
            ]
        case .chromium:
            [
                .activeTabs, .pins, .groups, .groupColors, .collapsedGroups, .histories,
                .referrers, .userAgents, .entryTimes, .lastUseTimes, .windowTitles, .closedWindows,
                .closedTabs,
                .inactiveTabs, .setAsideTabs,
            ]
        case .chromeIOS:
            [
                .activeTabs, .pins, .groups, .groupColors, .collapsedGroups, .histories,
                .displayAddresses, .referrers, .userAgents, .requestHeaders, .entryTimes,
                .creationTimes,
                .lastUseTimes, .openers, .inactiveTabs, .incognitoTabs,
            ]
        case .firefoxIOS:
            [.activeTabs, .icons, .creationTimes, .lastUseTimes, .incognitoTabs]
        case .bookmarks:
            [
                .groups, .windowTitles, .icons, .creationTimes, .lastUseTimes, .closedWindows,
                .closedTabs,
                .inactiveTabs, .setAsideTabs, .incognitoTabs,
            ]
        case .markdown:
            [
                .activeTabs, .pins, .groups, .windowTitles, .closedWindows, .closedTabs,
                .inactiveTabs,
                .setAsideTabs, .incognitoTabs,
            ]
        case .html:
            [
                .activeTabs, .pins, .groups, .groupColors, .collapsedGroups, .histories,
                .entryTimes,
                .creationTimes, .lastUseTimes, .windowTitles, .closedWindows, .closedTabs,
                .inactiveTabs,
                .setAsideTabs, .incognitoTabs,
            ]
        }
    }
}

extension ExportFormat {
    /// Whether a browser reads the format as its own.
    var isOfABrowser: Bool {
        switch self {
        case .firefox, .chromium, .chromeIOS, .firefoxIOS: true
        case .bookmarks, .markdown, .html: false
        }
    }

    /// Whether the format is of a desktop browser. These have closed windows for everything that is
    /// not open, and have no window without a tab.
    var isOfADesktopBrowser: Bool { self == .firefox || self == .chromium }

    /// Whether the format holds the bytes of the one engine that every browser on iOS has.
    var holdsNative: Bool { self == .chromeIOS || self == .firefoxIOS }

    /// The maximum number of history entries of a tab. Firefox drops the first ones over its limit
    /// (`browser.sessionhistory.max_entries`) but keeps the index, and so shows another page.
    var maximumEntries: Int { self == .firefox ? 50 : .max }

    /// Returns whether the format can hold an address.
    func takes(_ address: String) -> Bool {
        switch self {
        case .chromium: address.utf8.count <= ChromiumNavigation.mostBytes
        case .bookmarks: !address.isEmpty && !Self.runs(address)
        default: true
        }
    }

    /// Returns whether a click on the address would run something. Ignores white space and control
    /// characters, as browsers do. A list of places should have no such address.
    private static func runs(_ address: String) -> Bool {
        var scheme = String.UnicodeScalarView()
        for scalar in address.unicodeScalars where scalar.value > 0x20 && scalar.value < 0x7F {
            if scalar == ":" { break }
            scheme.append(scalar)
        }
        return ["javascript", "data", "vbscript"].contains(String(scheme).lowercased())
    }
}
