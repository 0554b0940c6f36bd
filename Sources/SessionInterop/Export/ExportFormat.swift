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
    /// Whether a browser reads it as its own.
    var isOfABrowser: Bool {
        switch self {
        case .firefox, .chromium, .chromeIOS, .firefoxIOS: true
        case .bookmarks, .markdown, .html: false
        }
    }

    /// Desktop browsers have closed windows for all that is not open, and no window without a tab.
    var isOfADesktopBrowser: Bool { self == .firefox || self == .chromium }

    /// Whether it holds the bytes of an engine: of the one that every browser on iOS has.
    var holdsNative: Bool { self == .chromeIOS || self == .firefoxIOS }

    /// Whether it has a place for an address at all.
    func takes(_ address: String) -> Bool {
        switch self {
        case .chromium: address.utf8.count <= ChromiumNavigation.mostBytes
        case .bookmarks: !address.isEmpty && !Self.runs(address)
        default: true
        }
    }

    /// Whether a click on the address would run something, as browsers read it: without white space and
    /// controls. A list of places should have none of these.
    private static func runs(_ address: String) -> Bool {
        var scheme = String.UnicodeScalarView()
        for scalar in address.unicodeScalars where scalar.value > 0x20 && scalar.value < 0x7F {
            if scalar == ":" { break }
            scheme.append(scalar)
        }
        return ["javascript", "data", "vbscript"].contains(String(scheme).lowercased())
    }
}
