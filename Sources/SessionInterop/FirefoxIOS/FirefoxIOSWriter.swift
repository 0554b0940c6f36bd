import BrowserSessions

/// A writer of the profile folder of Firefox for iOS, which ``FirefoxIOSReader`` reads.
enum FirefoxIOSWriter: FormatWriter {
    private static let prefix = "firefox-ios."
    private static let written: Set<String> = [
        prefix + "temporary-documents", prefix + "search-group", prefix + "of-page",
    ]

    static func write(
        _ sessions: [ExportedSession], at time: Timestamp, _ losses: inout ExportLosses
    ) -> [ExportedFile] {
        var byWindow = Dictionary(grouping: sessions, by: \.id.window)
        var files: [ExportedFile] = []
        for window in sessions.map(\.id.window) {
            guard let sessions = byWindow.removeValue(forKey: window) else { continue }
            let file = content(of: sessions, window, &losses).encoded()
            files.append(
                ExportedFile(
                    path: FirefoxIOSFormat.primaryFolder + "/window-\(window)", bytes: file))
            for tab in sessions.flatMap(\.tabs) {
                guard let native = tab.native else { continue }
                let path = FirefoxIOSFormat.blobFolder + "/tab-\(tab.metadata.id)"
                files.append(ExportedFile(path: path, bytes: native))
            }
        }
        return files
    }

    /// Returns the content of a window file. The browser requires an active tab. If there is none,
    /// the file names one that does not exist, as the browser's own files do.
    private static func content(
        of sessions: [ExportedSession], _ window: WindowID, _ losses: inout ExportLosses
    ) -> JSONValue {
        // A window opens with its private tabs only if there are no others.
        let ordered = sessions.filter { !$0.isIncognito } + sessions.filter(\.isIncognito)
        let active = ordered.compactMap(\.attributes.activeTab).first ?? .random()
        let extra = sessions.count { $0.attributes.activeTab != nil } - 1
        losses.add(.activeTabs, extra)
        let tabs = sessions.flatMap { session -> [JSONValue] in
            losses.countProperties(session.attributes.properties) { written.contains($0) }
            return session.tabs.map { tab($0, isPrivate: session.isIncognito, &losses) }
        }
        return .object([
            "id": .string(window.description), "activeTabId": .string(active.description),
            "tabData": .array(tabs),
        ])
    }

    private static func tab(_ tab: ExportedTab, isPrivate: Bool, _ losses: inout ExportLosses)
        -> JSONValue
    {
        let metadata = tab.metadata
        let isOfPage = metadata.properties[prefix + "of-page"] == metadata.url
        losses.countProperties(metadata.properties) {
            written.contains($0) && (isOfPage || $0 == prefix + "of-page")
        }
        for entry in tab.history.entries {
            losses.add(.pageStates, entry.pageState.isEmpty ? 0 : 1)
            losses.countProperties(entry.properties) { written.contains($0) }
        }
        var members: [String: JSONValue] = [
            "id": .string(metadata.id.description), "siteUrl": .string(metadata.url),
            "title": .string(metadata.title), "isPrivate": .bool(isPrivate),
            "lastUsedTime": .number(seconds(metadata.lastActiveAt)),
            "createdAtTime": .number(seconds(metadata.createdAt)),
        ]
        if !metadata.faviconURL.isEmpty { members["faviconURL"] = .string(metadata.faviconURL) }
        if isOfPage {
            members["temporaryDocumentSession"] = json("temporary-documents", of: metadata)
            members["tabGroupData"] = json("search-group", of: metadata)
        }
        return .object(members)
    }

    private static func json(_ name: String, of metadata: TabMetadata) -> JSONValue? {
        guard let text = metadata.properties[prefix + name] else { return nil }
        let (value, failures) = JSONParser.parse(Array(text.utf8))
        return failures.isEmpty ? value : nil
    }

    /// Returns the seconds since 2001. The browser also uses 1970 for an unknown time.
    private static func seconds(_ time: Timestamp) -> Double {
        Double(time.microseconds) / 1_000_000 - FirefoxIOSTabs.epoch
    }
}
