package import BrowserSessions
import Foundation
import LocalFiles
import StorageEngines

/// A folder that gets its name when all of its files are whole and durable, and never in the place of
/// another.
///
/// Until ``finish()`` it lies beside it under another name; without that, nothing is left. Only its owner
/// may read it: sessions are private.
package final class NewFolder {
    package let path: String
    /// How much was written.
    package private(set) var bytes = 0
    private var draft: Draft?
    /// Those that have names of files, which are not durable yet.
    private var folders: Set<String>

    /// Throws `unsafeLocation` if something has the name, `notFound` if the folder above is not there.
    package init(_ path: String) throws(StorageError) {
        self.path = path
        let draft = try Draft(of: path)
        try draft.attempt { () throws(StorageError) in try FileSystem.makeDirectory(draft.place) }
        folders = [draft.place]
        self.draft = draft
    }

    /// Writes a file below the folder, with the folders above it. Throws if it was written before.
    package func write(_ bytes: [UInt8], to name: String) throws(StorageError) {
        guard let draft else { return }
        try draft.attempt { () throws(StorageError) in
            let file = "\(draft.place)/\(name)"
            let folder = FileSystem.parent(of: file)
            if folders.insert(folder).inserted { try FileSystem.makeDirectories(folder) }
            // Nobody sees it before the folder has its name, so it needs no draft of its own.
            let written = try PosixFile(opening: file, O_WRONLY | O_CREAT | O_EXCL)
            try written.write(bytes)
            try written.syncData()
        }
        self.bytes += bytes.count
    }

    /// Gives the folder its name. Throws `unsafeLocation` if something got that name meanwhile.
    package func finish() throws(StorageError) {
        guard let draft else { return }
        try draft.attempt { () throws(StorageError) in
            for folder in folders { try FileSystem.syncDirectory(folder) }
        }
        try draft.finish()
        self.draft = nil
    }
}
