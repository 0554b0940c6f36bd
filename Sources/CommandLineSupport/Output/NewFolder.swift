package import BrowserSessions
import Foundation
import LocalFiles

/// A folder that gets its name when all of its files are whole and durable, and never in the place of
/// another.
///
/// Until ``finish()`` it lies beside it under another name; without that, nothing is left. Only its owner
/// may read it: sessions are private.
package final class NewFolder {
    package let path: String
    /// How much was written.
    package private(set) var bytes = 0
    private var draft: String?
    private var folders: Set<String> = []

    /// Throws `unsafeLocation` if something has the name, `notFound` if the folder above is not there.
    package init(_ path: String) throws(StorageError) {
        self.path = path
        try NewFile.requireAbsent(path)
        let name = path.split(separator: "/").last.map { String($0.prefix(60)) } ?? ""
        let draft = "\(FileSystem.parent(of: path))/\(name).part-\(UUID().uuidString.prefix(8))"
        do throws(StorageError) {
            try FileSystem.makeDirectory(draft)
        } catch {
            throw NewFile.explained(error, path)
        }
        self.draft = draft
    }

    deinit { if let draft { try? FileSystem.remove(draft) } }

    /// Writes a file below the folder, with the folders above it.
    package func write(_ bytes: [UInt8], to name: String) throws(StorageError) {
        guard let draft else { return }
        do throws(StorageError) {
            let file = "\(draft)/\(name)"
            let folder = FileSystem.parent(of: file)
            try FileSystem.makeDirectories(folder)
            folders.insert(folder)
            try FileSystem.replace(file, with: bytes)
        } catch {
            throw NewFile.explained(error, path)
        }
        self.bytes += bytes.count
    }

    /// Gives the folder its name. Throws `unsafeLocation` if something got that name meanwhile.
    package func finish() throws(StorageError) {
        guard let draft else { return }
        do throws(StorageError) {
            for folder in folders { try FileSystem.syncDirectory(folder) }
            try FileSystem.syncDirectory(draft)
            try FileSystem.move(draft, toNew: path)
        } catch {
            throw NewFile.explained(error, path)
        }
        self.draft = nil
        try FileSystem.syncDirectory(FileSystem.parent(of: path))
    }
}
