import BrowserSessions

extension SessionFormat {
    /// Firefox for desktop: `sessionstore` files, JSON or compressed JSON.
    public static let firefoxDesktop = SessionFormat(
        "firefox-desktop", FirefoxFormat.self, writer: .firefox, [.hasCommonNames])
}

extension ExportFormat {
    /// Firefox for desktop: a compressed `sessionstore` file. Put it into a profile that no
    /// running Firefox uses. Firefox then restores the previous session.
    ///
    /// Firefox drops the first history entries over its limit
    /// (`browser.sessionhistory.max_entries`) but keeps the index, and so shows another page.
    public static let firefox = ExportFormat(
        "firefox", for: .desktopBrowser, FirefoxWriter.self, fileName: "sessionstore.jsonlz4",
        maximumEntries: 50,
        holds: [
            .activeTabs, .pins, .groups, .groupColors, .collapsedGroups, .histories, .frames,
            .referrers, .lastUseTimes, .icons, .closedWindows, .closedTabs, .inactiveTabs,
            .setAsideTabs,
        ])
}

/// The files with sessions in a profile of Firefox for desktop, and those that it would restore.
///
/// The browser takes the first valid file in this order: the file of the last clean exit, which it
/// moves away once it has written anything after its start; the files that it writes while it runs;
/// the file of the previous clean exit; and the file from before the last update. If there is none,
/// it searches for the same files under the names that they had until 2017.
enum FirefoxFormat: FileReader {
    private static let backups = "sessionstore-backups"

    static let beginnings = [MozLZ4.magic, Array("{".utf8), Array("(".utf8), Array("[".utf8)]

    static func recognizes(_ head: SourceHead) -> Bool {
        guard head.bytes.starts(with: MozLZ4.magic) else {
            return head.root.map { isSession($0) } ?? false
        }
        let text = MozLZ4.head(head.bytes, count: SourceHead.maximumBytes)
        let content = SourceHead(head.path, text, head.limits)
        return content.root.map { isSession($0) } ?? false
            || content.isDamaged && isName(head.name)
    }

    // MARK: - Profiles

    static func role(of folder: SourceFile.Folder) -> FolderRole? {
        let isNamed = folder.has("compatibility.ini") || folder.has("times.json")
        let isProfile =
            folder.has(backups, .directory) || folder.has("prefs.js") && isNamed
        return isProfile ? .profile : nil
    }

    static func places(
        in folder: SourceFile.Folder, isProfile: Bool, _ failures: inout ReadFailures
    ) -> [FoundSources] {
        var paths: [String: String] = [:]
        for name in folder.names(.file) where isName(name) {
            paths[name] = joined(folder.path, name)
        }
        if folder.has(backups, .directory),
            let inner = failures.folder(joined(folder.path, backups))
        {
            for name in inner.names(.file) where paths[name] == nil {
                paths[name] = joined(inner.path, name)
            }
        }
        let order = order(of: Array(paths.keys))
        func source(_ path: String) -> FoundSources.Source {
            .init(path: path, format: .firefoxDesktop)
        }
        var place = FoundSources(candidates: order.compactMap { paths[$0] }.map(source))
        if isProfile, isInUse(folder) { place.openProfile = folder.path }
        let others = isProfile ? paths.keys.filter { !order.contains($0) }.sorted() : []
        for path in others.compactMap({ paths[$0] }) {
            let isSession = failures.attempt(path) { () throws(StorageError) in
                recognizes(try SourceHead(path, ImportLimits()))
            }
            if isSession == true { place.others.append(source(path)) }
            if isSession == false { place.otherFiles += 1 }
        }
        return [place]
    }

    static func profile(of path: String) -> String? {
        let folder = parent(path)
        if lastComponent(folder) == backups { return parent(folder) }
        return lastComponent(path).hasPrefix("sessionstore.js") ? folder : nil
    }

    static func creation(ofProfile folder: String) -> String {
        SourceFile.member(["created"], ofFile: joined(folder, "times.json"))
    }

    private static let fixed = [
        ["sessionstore.jsonlz4", "recovery.jsonlz4", "recovery.baklz4", "previous.jsonlz4"],
        ["sessionstore.js", "recovery.js", "recovery.bak", "previous.js", "sessionstore.bak"],
    ]
    private static let upgrades = ["upgrade.jsonlz4-", "upgrade.js-"]

    /// Returns the names that the browser searches for, in its order, with the newest update first.
    private static func order(of names: [String]) -> [String] {
        zip(fixed, upgrades).flatMap { fixed, prefix in
            fixed.filter { names.contains($0) }
                + names.filter { $0.hasPrefix(prefix) }.sorted { left, right in
                    (left.utf8.count, left) > (right.utf8.count, right)
                }
        }
    }

    /// Returns whether the browser uses such a name for files with sessions, or a user for copies.
    static func isName(_ name: String) -> Bool {
        let stem = name.lowercased()
        if upgrades.contains(where: { stem.hasPrefix($0) }) { return true }
        return ["sessionstore", "recovery.", "previous.", "upgrade."].contains {
            stem.hasPrefix($0)
        } && [".js", ".json", ".jsonlz4", ".baklz4", ".bak"].contains { stem.hasSuffix($0) }
    }

    /// Returns whether the browser has the profile open, or was terminated while it had it open.
    private static func isInUse(_ folder: SourceFile.Folder) -> Bool {
        if folder.has("lock", .link) { return true }
        return SourceFile.isLocked(joined(folder.path, ".parentlock"))
    }
}
