import BrowserSessions
import CommandLineSupport
import Foundation
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

    /// Removes all complete backups of the store but the new one and the newest before it; returns the
    /// paths of the removed ones.
    ///
    /// Which ones are newer is said by their change sets. One with a later change set than the new one is of
    /// a time before the store went back, and stays. So does what is another account's, or another store's,
    /// was opened to write, is no backup, or holds files that no backup has. A backup with missing files
    /// counts for nothing, and stays, too. What killed processes left of backups goes.
    func keepNewest(_ count: Int, with new: StoreBackup) -> [String] {
        var backups: [StoreBackup] = []
        telling { () throws(StorageError) in
            try StoreBackup.removeUnfinished(in: folder)
            for name in try FileSystem.contents(of: folder) {
                telling { () throws(StorageError) in
                    if let found = try other(name, than: new) { backups.append(found) }
                }
            }
        }
        let later = backups.count { $0.sequence > new.sequence }
        if later > 0 {
            Console.message(
                "the store went back: \(counted(later, "backup has", "backups have")) later change sets, and \(later == 1 ? "stays" : "stay")"
            )
        }
        let old = backups.filter { $0.sequence <= new.sequence }
            .sorted { ($1.sequence, $1.asOf, $1.path) < ($0.sequence, $0.asOf, $0.path) }
            .dropFirst(count - 1)
        return old.map(\.path).filter { path in
            var isRemoved = false
            telling { () throws(StorageError) in isRemoved = try StoreBackup.remove(at: path) }
            return isRemoved
        }
    }

    /// Returns another whole backup of the same store, if one has the name.
    private func other(_ name: String, than new: StoreBackup) throws(StorageError) -> StoreBackup? {
        let path = "\(folder)/\(name)"
        guard path != new.path, !name.hasSuffix(".unfinished"), !name.hasSuffix(".replaced"),
            try FileSystem.status(path)?.owner == PosixFileSystem().user
        else { return nil }
        if let backup = try StoreBackup.found(at: path) {
            return backup.store == new.store && !new.store.isEmpty ? backup : nil
        }
        if let damage = try StoreBackup.damage(at: path) {
            Console.message("the backup at '\(path)' is damaged, and does not count: \(damage)")
        }
        return nil
    }

    /// Says why an older backup stays. The new one is made, whatever keeps old ones from being removed.
    private func telling(_ work: () throws(StorageError) -> Void) {
        do throws(StorageError) { try work() } catch {
            Console.message("an older backup may stay: \(error.message)")
        }
    }
}
