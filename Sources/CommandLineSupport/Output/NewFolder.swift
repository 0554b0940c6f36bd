package import BrowserSessions
import Foundation
import StorageEngines

/// A folder that gets its name when all its files are complete and durable, and never replaces
/// another folder.
///
/// The folder has another name in the same place until ``finish()``. Without that call, nothing
/// remains. Only the owner may read the folder, because sessions are private.
package final class NewFolder {
    package let path: String
    /// The number of bytes written.
    package private(set) var bytes = 0
    private var draft: Draft?
    /// The folders with file names that are not yet durable.
    private var folders: Set<String>

    /// Creates the folder. Throws `unsafeLocation` if its name is taken, or `notFound` without its parent.
    package init(_ path: String) throws(StorageError) {
        self.path = path
        let draft = try Draft(of: path)
        try draft.attempt { () throws(StorageError) in try FileSystem.makeDirectory(draft.place) }
        folders = [draft.place]
        self.draft = draft
    }

    /// Writes a file in the folder, with its parent folders. Throws if the file was already written.
    package func write(_ bytes: [UInt8], to name: String) throws(StorageError) {
        guard let draft else { return }
        try draft.attempt { () throws(StorageError) in
            let file = "\(draft.place)/\(name)"
            let folder = FileSystem.parent(of: file)
            if folders.insert(folder).inserted { try FileSystem.makeDirectories(folder) }
            // A file needs no draft while its folder is hidden.
            let written = try PosixFile(opening: file, flags: O_WRONLY | O_CREAT | O_EXCL)
            try written.write(bytes)
            try written.syncData()
        }
        self.bytes += bytes.count
    }

    /// Gives the folder its name. Throws `unsafeLocation` if the name is now taken.
    package func finish() throws(StorageError) {
        guard let draft else { return }
        try draft.attempt { () throws(StorageError) in
            for folder in folders { try FileSystem.syncDirectory(folder) }
        }
        try draft.finish()
        self.draft = nil
    }
}
