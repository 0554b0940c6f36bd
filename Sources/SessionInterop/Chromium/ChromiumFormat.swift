import BrowserSessions

extension SessionFormat {
    /// Chromium for desktop: `Session` and `Tabs` files, a log of commands.
    public static let chromiumSNSS = SessionFormat(
        "chromium-snss", ChromiumFormat.self, writer: .chromium, [.hasTwoKinds])
}

extension ExportFormat {
    /// Chromium for desktop: a folder with a `Session` file, and a `Tabs` file if something was
    /// closed. It replaces `Sessions` in a profile that Chromium created. Remove
    /// `Sessions_Encrypted` next to it.
    public static let chromium = ExportFormat(
        "chromium", for: .desktopBrowser, ChromiumWriter.self,
        holds: [
            .activeTabs, .pins, .groups, .groupColors, .collapsedGroups, .histories, .referrers,
            .userAgents, .entryTimes, .lastUseTimes, .windowTitles, .closedWindows, .closedTabs,
            .inactiveTabs, .setAsideTabs,
        ])
}

/// The files with sessions in profiles of Chromium, and those that the browser would restore.
///
/// The browser takes the newest file of each kind by the time in its name, if the file has its
/// complete initial state. Files without a time are from before 2021. The browser writes open tabs,
/// closed tabs, and windows of installed apps to three kinds of files. It restores the windows of
/// apps only after a crash.
enum ChromiumFormat: FileReader {
    private static let sessions = "Sessions"
    private static let encrypted = "Sessions_Encrypted"
    /// The copies of profiles from before updates.
    private static let snapshots = "Snapshots"
    private static let legacy = ["Current Session", "Current Tabs", "Last Session", "Last Tabs"]
    private static let appPrefix = "Apps_"
    private static let preferences = "Preferences"

    static let beginnings = [SNSSFile.magic]

    static func recognizes(_ head: SourceHead) -> Bool { head.bytes.starts(with: SNSSFile.magic) }

    // MARK: - Profiles

    static func role(of folder: SourceFile.Folder) -> FolderRole? {
        var ignored = ReadFailures()
        let isUserData =
            folder.has("Local State") && !profiles(in: folder, &ignored).isEmpty
        return isUserData || hasSessions(folder) ? .profile : nil
    }

    private static func hasSessions(_ folder: SourceFile.Folder) -> Bool {
        let places = [sessions, encrypted].contains { folder.has($0, .directory) }
        return folder.has(preferences)
            && (places || folder.has("History") || legacy.contains { folder.has($0) })
    }

    /// Returns the profiles in a folder that can be read.
    private static func profiles(in folder: SourceFile.Folder, _ failures: inout ReadFailures)
        -> [SourceFile.Folder]
    {
        folder.names(.directory).compactMap { name in
            let path = joined(folder.path, name)
            let isProfile = failures.attempt(path) { () throws(StorageError) in
                try SourceFile.kind(of: joined(path, preferences)) == .file
            }
            return isProfile == true ? failures.folder(path) : nil
        }
    }

    /// Finds the logs of a folder or of a profile, of the profiles in it, and of their snapshots.
    static func places(
        in folder: SourceFile.Folder, isProfile: Bool, _ failures: inout ReadFailures
    ) -> [FoundSources] {
        guard isProfile else { return [place(in: folder, &failures)] }
        var places: [FoundSources] = []
        let isOwner = folder.has("Local State")
        let own = isOwner ? profiles(in: folder, &failures) : []
        for profile in (hasSessions(folder) ? [folder] : []) + own {
            var place = place(in: profile, &failures)
            if isInUse(profile.path) { place.openProfile = profile.path }
            places.append(place)
        }
        guard isOwner, folder.has(snapshots, .directory),
            let snapshots = failures.folder(joined(folder.path, snapshots))
        else { return places }
        for version in snapshots.names(.directory) {
            guard let copy = failures.folder(joined(snapshots.path, version)) else { continue }
            for profile in profiles(in: copy, &failures) {
                var place = place(in: profile, &failures)
                place.passAllOver(.older)
                places.append(place)
            }
        }
        return places
    }

    static func profile(of path: String) -> String? {
        let folder = parent(path)
        if lastComponent(folder) == sessions { return parent(folder) }
        return legacy.contains(lastComponent(path)) ? folder : nil
    }

    static func creation(ofProfile folder: String) -> String {
        SourceFile.member(
            ["profile", "creation_time"], ofFile: joined(folder, preferences))
    }

    /// Returns the logs of a profile, or of a folder with files from one.
    private static func place(in folder: SourceFile.Folder, _ failures: inout ReadFailures)
        -> FoundSources
    {
        func log(_ name: String, in folder: SourceFile.Folder) -> FoundSources.Source {
            .init(path: joined(folder.path, name), format: .chromiumSNSS)
        }
        var timed: [(time: Int64, source: FoundSources.Source)] = []
        var place = FoundSources(candidates: [])
        var unnamed: [FoundSources.Source] = []
        let ofSessions =
            folder.has(sessions, .directory)
            ? failures.folder(joined(folder.path, sessions)) : nil
        for folder in [folder, ofSessions].compactMap(\.self) {
            for name in folder.names(.file) {
                let source = log(name, in: folder)
                if let time = time(name) {
                    timed.append((time, source))
                } else if name.hasPrefix(appPrefix), isLog(source.path, &failures) {
                    place.passedOver.append((source, .appWindows))
                } else if lastComponent(folder.path) == sessions,
                    isLog(source.path, &failures)
                {
                    unnamed.append(source)
                }
            }
        }
        if folder.has(encrypted, .directory),
            let inner = failures.folder(joined(folder.path, encrypted))
        {
            place.passedOver += inner.names(.file).map { (log($0, in: inner), .encrypted) }
        }
        let old = legacy.filter { folder.has($0) }.map { log($0, in: folder) }
        place.candidates = timed.sorted { $0.time > $1.time }.map(\.source) + old + unnamed
        return place
    }

    /// Returns the microseconds since 1601 in the name of a log of open or closed tabs; `nil` if none.
    private static func time(_ name: String) -> Int64? {
        for prefix in ["Session_", "Tabs_"] where name.hasPrefix(prefix) {
            return Int64(name.dropFirst(prefix.count))
        }
        return nil
    }

    private static func isLog(_ path: String, _ failures: inout ReadFailures) -> Bool {
        failures.attempt(path) { () throws(StorageError) in
            try SourceFile.head(path, count: 4)
        } == SNSSFile.magic
    }

    /// Returns whether the browser has the profile open, or was terminated while it had it open.
    /// The lock is next to the profile or in it.
    private static func isInUse(_ path: String) -> Bool {
        [parent(path), path].contains { folder in
            let lock = joined(folder, "SingletonLock")
            return (try? SourceFile.kind(of: lock, followingLinks: false)) == .link
        }
    }
}
