import BrowserSessions
import Foundation

/// Where a profile of Firefox for desktop has its sessions, and which of them it would restore.
///
/// The browser takes the first file that is valid: the one of the last orderly end, which it moves
/// away when it has written anything after its start, then those that it writes while it runs, then
/// that of the last orderly end but one, then that of before the last update. If there is none it
/// looks for the same files as they were named until 2017.
enum FirefoxProfile {
    static let backups = "sessionstore-backups"

    /// Whether a folder is a profile, of which nothing else is looked at.
    static func isProfile(_ folder: SourceFile.Folder) -> Bool {
        let isNamed = folder.has("compatibility.ini") || folder.has("times.json")
        return folder.has(backups, .directory) || folder.has("prefs.js") && isNamed
    }

    /// The files of a profile, or of a folder with files from one; `nil` if there is none.
    static func place(in folder: SourceFile.Folder, _ failures: inout ReadFailures)
        -> SourcePlace?
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
        func sources(_ names: [String]) -> [SourcePlace.Source] {
            names.compactMap { paths[$0] }.map { .init(path: $0, format: .firefoxDesktop) }
        }
        return SourcePlace(candidates: sources(order), others: sources(others))
    }

    private static let fixed = [
        ["sessionstore.jsonlz4", "recovery.jsonlz4", "recovery.baklz4", "previous.jsonlz4"],
        ["sessionstore.js", "recovery.js", "recovery.bak", "previous.js", "sessionstore.bak"],
    ]
    private static let upgrades = ["upgrade.jsonlz4-", "upgrade.js-"]

    /// The names that the browser looks for, in its order; of those of updates the newest first.
    private static func order(of names: [String]) -> [String] {
        zip(fixed, upgrades).flatMap { fixed, prefix in
            fixed.filter { names.contains($0) }
                + names.filter { $0.hasPrefix(prefix) }.sorted { left, right in
                    (left.utf8.count, left) > (right.utf8.count, right)
                }
        }
    }

    /// Whether the browser names files with sessions so, or someone who copied one.
    static func isSessionName(_ name: String) -> Bool {
        let stem = name.lowercased()
        if upgrades.contains(where: { stem.hasPrefix($0) }) { return true }
        return ["sessionstore", "recovery.", "previous.", "upgrade."].contains {
            stem.hasPrefix($0)
        } && [".js", ".json", ".jsonlz4", ".baklz4", ".bak"].contains { stem.hasSuffix($0) }
    }

    /// Whether the browser has the profile open, or was ended while it had.
    static func isInUse(_ folder: SourceFile.Folder) -> Bool {
        if folder.has("lock", .link) { return true }
        return FileLock.isHeld(joined(folder.path, ".parentlock"))
    }
}

/// Locks of other processes.
enum FileLock {
    /// Whether another process has locked the file; `false` if it cannot be told.
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
