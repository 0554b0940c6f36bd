import BrowserSessions
import Foundation

/// The files with sessions in a profile of Firefox for desktop, and those that it would restore.
///
/// The browser takes the first valid file in this order: the file of the last clean exit, which it
/// moves away once it has written anything after its start; the files that it writes while it runs;
/// the file of the previous clean exit; and the file from before the last update. If there is none,
/// it searches for the same files under the names that they had until 2017.
enum FirefoxProfile {
    static let backups = "sessionstore-backups"

    /// Returns whether a folder is a profile. If so, nothing else in it is examined.
    static func isProfile(_ folder: SourceFile.Folder) -> Bool {
        let isNamed = folder.has("compatibility.ini") || folder.has("times.json")
        return folder.has(backups, .directory) || folder.has("prefs.js") && isNamed
    }

    /// Returns the files of a profile, or of a folder with files from one; `nil` if there is none.
    static func place(in folder: SourceFile.Folder, _ failures: inout ReadFailures)
        -> FoundSources?
    {
        let isProfile = isProfile(folder)
        var paths: [String: String] = [:]
        for name in folder.names(.file) where isSessionName(name) {
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
        let others = isProfile ? paths.keys.filter { !order.contains($0) }.sorted() : []
        guard !order.isEmpty || !others.isEmpty else { return nil }
        func sources(_ names: [String]) -> [FoundSources.Source] {
            names.compactMap { paths[$0] }.map { .init(path: $0, format: .firefoxDesktop) }
        }
        return FoundSources(candidates: sources(order), others: sources(others))
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
    static func isSessionName(_ name: String) -> Bool {
        let stem = name.lowercased()
        if upgrades.contains(where: { stem.hasPrefix($0) }) { return true }
        return ["sessionstore", "recovery.", "previous.", "upgrade."].contains {
            stem.hasPrefix($0)
        } && [".js", ".json", ".jsonlz4", ".baklz4", ".bak"].contains { stem.hasSuffix($0) }
    }

    /// Returns whether the browser has the profile open, or was terminated while it had it open.
    static func isInUse(_ folder: SourceFile.Folder) -> Bool {
        if folder.has("lock", .link) { return true }
        return FileLock.isHeld(joined(folder.path, ".parentlock"))
    }
}

/// Locks of other processes.
enum FileLock {
    /// Returns whether another process has locked the file; `false` if this cannot be determined.
    static func isHeld(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        return fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }
}
