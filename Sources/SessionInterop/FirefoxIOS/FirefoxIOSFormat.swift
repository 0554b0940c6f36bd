import BrowserSessions

extension SessionFormat {
    /// Firefox for iOS: a JSON file per window, a blob per tab.
    public static let firefoxIOS = SessionFormat(
        "firefox-ios", FirefoxIOSFormat.self, writer: .firefoxIOS, [.hasLastingIDs])
}

extension ExportFormat {
    /// Firefox for iOS: a profile folder with a file per window and one per tab.
    public static let firefoxIOS = ExportFormat(
        "firefox-ios", for: .mobileBrowser, FirefoxIOSWriter.self,
        holds: [.activeTabs, .icons, .creationTimes, .lastUseTimes, .incognitoTabs])
}

/// The window files of a profile of Firefox for iOS, each with a backup.
enum FirefoxIOSFormat: FormatReader {
    static let primaryFolder = "window-data"
    static let backupFolder = "window-data-backup"
    static let blobFolder = "tab-session-data"

    static let beginnings = [Array("{".utf8), Array("(".utf8), Array("[".utf8)]

    /// Returns the window in a file name of the form `window-<UUID>`.
    static func window(ofFile name: String) -> WindowID? {
        name.hasPrefix("window-") ? WindowID(String(name.dropFirst(7))) : nil
    }

    static func isName(_ name: String) -> Bool { window(ofFile: name) != nil }

    static func recognizes(_ head: SourceHead) -> Bool { head.root?["tabData"]?.array != nil }

    static func role(of folder: SourceFile.Folder) -> FolderRole? {
        [primaryFolder, backupFolder].contains { folder.has($0, .directory) }
            ? .profile : nil
    }

    /// Finds each window once: its primary file or, if that is missing or damaged, its backup.
    static func places(
        in folder: SourceFile.Folder, isProfile: Bool, _ failures: inout ReadFailures
    ) -> [FoundSources] {
        guard isProfile else { return [] }
        var names: Set<String> = []
        var others = FoundSources(candidates: [])
        for inner in [primaryFolder, backupFolder] where folder.has(inner, .directory) {
            for name in failures.folder(joined(folder.path, inner))?.names ?? [] {
                if isName(name) { names.insert(name) } else { others.otherFiles += 1 }
            }
        }
        return names.sorted().map { place(ofWindow: $0, in: folder.path) } + [others]
    }

    /// Returns the primary file of a window and its backup, as far as they exist or may exist.
    private static func place(ofWindow name: String, in profile: String) -> FoundSources {
        let paths = [primaryFolder, backupFolder].map { joined(joined(profile, $0), name) }
        return FoundSources(
            candidates: paths.filter { SourceFile.mayBeFile($0) }
                .map { FoundSources.Source(path: $0, format: .firefoxIOS) })
    }

    /// Returns the place of a primary file that is imported alone.
    static func place(of path: String, in root: String?) -> FoundSources? {
        let folder = parent(path)
        guard root == nil, lastComponent(folder) == primaryFolder else { return nil }
        return place(ofWindow: lastComponent(path), in: parent(folder))
    }

    static func read(_ path: String, limits: ImportLimits) throws(StorageError) -> SourceReading {
        try FirefoxIOSReader(path: path, limits: limits).read()
    }
}
