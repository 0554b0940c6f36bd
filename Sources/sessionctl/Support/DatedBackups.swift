import BrowserSessions
import CommandLineSupport
import Foundation
import LocalFiles
import StorageEngines
import ToolSupport

/// A folder of backups with the times at which they were made as their names.
struct DatedBackups {
    private let folder: String

    init(in folder: String) { self.folder = folder }

    /// Returns the path of a new backup, such as `2026-11-27T21-06-32Z`, with a number at its end if
    /// the second has one.
    func newPath(at time: Timestamp) throws -> String {
        let words = time.inUTC.replacing(" UTC", with: "Z").replacing(" ", with: "T")
        let name = words.replacing(":", with: "-")
        var number = 1
        var path = "\(folder)/\(name)"
        while try FileSystem.exists(path) {
            number += 1
            path = "\(folder)/\(name)-\(number)"
        }
        return path
    }

    /// Removes all complete backups but the newest ones; returns the paths of the removed ones.
    ///
    /// What was opened to write, is no backup, or holds files that no backup has, stays. A backup with
    /// missing files counts for nothing, and stays, too. What killed processes left of backups goes.
    func keepNewest(_ count: Int) throws -> [String] {
        try StoreBackup.removeUnfinished(in: folder)
        var backups: [(backup: StoreBackup, path: String)] = []
        for name in try FileSystem.contents(of: folder).sorted() {
            let path = "\(folder)/\(name)"
            if name.hasSuffix(".unfinished") || name.hasSuffix(".replaced") { continue }
            if let backup = try StoreBackup.found(at: path) {
                backups.append((backup, path))
            } else if let damage = try StoreBackup.damage(at: path) {
                Console.message("the backup at '\(path)' is damaged, and does not count: \(damage)")
            }
        }
        let old = backups.sorted { ($1.backup.asOf, $1.path) < ($0.backup.asOf, $0.path) }
            .dropFirst(count)
        return try old.map(\.path).filter { path in
            do throws(StorageError) { return try StoreBackup.remove(at: path) } catch {
                guard error.code == .unsafeLocation else { throw error }
                Console.message(error.message)
                return false
            }
        }
    }
}
