import BrowserSessions

/// The files with sessions in profiles of Chromium, and those that the browser would restore.
///
/// The browser takes the newest file of each kind by the time in its name, if the file has its
/// complete initial state. Files without a time are from before 2021. The browser writes open tabs,
/// closed tabs, and windows of installed apps to three kinds of files. It restores the windows of
/// apps only after a crash.
enum ChromiumProfile {
    static let sessions = "Sessions"
    static let encrypted = "Sessions_Encrypted"
    /// The copies of profiles from before updates.
    static let snapshots = "Snapshots"
    private static let legacy = ["Current Session", "Current Tabs", "Last Session", "Last Tabs"]
    private static let appPrefix = "Apps_"

    /// Returns whether a folder is a profile. If so, nothing else in it is examined.
    static func isProfile(_ folder: SourceFile.Folder) -> Bool {
        let places = [sessions, encrypted].contains { folder.has($0, .directory) }
        return folder.has("Preferences")
            && (places || folder.has("History") || legacy.contains { folder.has($0) })
    }

    /// Returns whether a folder holds profiles. The folder may also be a profile itself.
    static func isUserData(_ folder: SourceFile.Folder) -> Bool {
        folder.has("Local State") && !profiles(in: folder).isEmpty
    }

    /// Returns the names of the profiles in a folder.
    private static func profiles(in folder: SourceFile.Folder) -> [String] {
        folder.names(.directory).filter { (try? isProfile(joined(folder.path, $0))) == true }
    }

    /// Returns whether a folder is one of the profiles in its parent.
    static func isProfile(_ path: String) throws(StorageError) -> Bool {
        try SourceFile.kind(of: joined(path, "Preferences")) == .file
    }

    /// Returns the logs of a profile, or of a folder with files from one; `nil` if there is none.
    static func place(in folder: SourceFile.Folder, _ failures: inout ReadFailures)
        -> FoundSources?
    {
        var timed: [(time: Int64, source: FoundSources.Source)] = []
        var place = FoundSources(candidates: [])
        var folders = [folder]
        if folder.has(sessions, .directory),
            let inner = failures.folder(joined(folder.path, sessions))
        {
            folders.append(inner)
        }
        for folder in folders {
            for name in folder.names(.file) {
                let source = FoundSources.Source(
                    path: joined(folder.path, name), format: .chromiumSNSS)
                if let time = time(name) {
                    timed.append((time, source))
                } else if name.hasPrefix(appPrefix), isLog(source.path, &failures) {
                    place.passedOver.append((source, .appWindows))
                } else if lastComponent(folder.path) == sessions, isLog(source.path, &failures) {
                    place.others.append(source)
                }
            }
        }
        if folder.has(encrypted, .directory),
            let inner = failures.folder(joined(folder.path, encrypted))
        {
            place.passedOver += inner.names(.file).map { name in
                (.init(path: joined(inner.path, name), format: .chromiumSNSS), .encrypted)
            }
        }
        let old = legacy.filter { folder.has($0) }.map {
            FoundSources.Source(path: joined(folder.path, $0), format: .chromiumSNSS)
        }
        place.candidates = timed.sorted { $0.time > $1.time }.map(\.source) + old
        return place.isEmpty ? nil : place
    }

    /// Returns the microseconds since 1601 in the name of a log of open or closed tabs; `nil` if none.
    private static func time(_ name: String) -> Int64? {
        for prefix in ["Session_", "Tabs_"] where name.hasPrefix(prefix) {
            return Int64(name.dropFirst(prefix.count))
        }
        return nil
    }

    private static func isLog(_ path: String, _ failures: inout ReadFailures) -> Bool {
        let head = failures.attempt(path) { () throws(StorageError) in
            try SourceFile.head(path, count: 4)
        }
        return head == SNSSFile.magic
    }

    /// Returns whether the browser has the profile open, or was terminated while it had it open.
    /// The lock is next to the profile or in it.
    static func isInUse(_ path: String) -> Bool {
        [parent(path), path].contains { folder in
            (try? SourceFile.ownKind(of: joined(folder, "SingletonLock"))) == .link
        }
    }
}
