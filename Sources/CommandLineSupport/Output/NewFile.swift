package import BrowserSessions
import Foundation
import StorageEngines

/// A file that gets its name when it is complete and durable, and never replaces another file.
///
/// Content goes to another name in the same folder until ``finish()``. Without that call, or if
/// writing fails, nothing remains. Only the owner may read the file, because sessions are private.
/// Terminals, pipes, and the like are written to directly.
package final class NewFile {
    package let path: String
    /// The number of bytes written.
    package private(set) var bytes = 0
    private let file: PosixFile
    /// The draft; `nil` for a target that is written to directly.
    private var draft: Draft?

    /// Creates the file. Throws `unsafeLocation` if its name is taken, or `notFound` without its folder.
    package init(_ path: String) throws(StorageError) {
        self.path = path
        if CommandFile.isSpecial(path) {
            file = try PosixFile(opening: path, flags: O_WRONLY, followingLink: true)
            return
        }
        let draft = try Draft(of: path)
        file = try draft.attempt { () throws(StorageError) in
            try PosixFile(opening: draft.place, flags: O_WRONLY | O_CREAT | O_EXCL)
        }
        self.draft = draft
    }

    package func write(_ bytes: [UInt8]) throws(StorageError) {
        if let draft {
            try draft.attempt { () throws(StorageError) in try file.write(bytes) }
        } else {
            try file.write(bytes)
        }
        self.bytes += bytes.count
    }

    /// Makes the file durable and gives it its name. Throws `unsafeLocation` if the name is now
    /// taken.
    package func finish() throws(StorageError) {
        guard let draft else { return }
        try draft.attempt { () throws(StorageError) in try file.syncData() }
        try draft.finish()
        self.draft = nil
    }
}
