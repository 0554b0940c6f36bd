package import BrowserSessions
import Foundation
import LocalFiles
import StorageEngines

/// A file that gets its name when it is whole and durable, and never in the place of another.
///
/// What is written lies beside it under another name until ``finish()``; without that, and when writing
/// fails, nothing is left. Only its owner may read it: sessions are private. Terminals, pipes and the like
/// are written to as they are.
package final class NewFile {
    package let path: String
    /// How much was written.
    package private(set) var bytes = 0
    private let file: PosixFile
    /// `nil` for what is written to as it is.
    private var draft: Draft?

    /// Throws `unsafeLocation` if something has the name, `notFound` if its folder is not there.
    package init(_ path: String) throws(StorageError) {
        self.path = path
        if CommandFile.isSpecial(path) {
            file = try PosixFile(opening: path, O_WRONLY, followingLink: true)
            return
        }
        let draft = try Draft(of: path)
        file = try draft.attempt { () throws(StorageError) in
            try PosixFile(opening: draft.place, O_WRONLY | O_CREAT | O_EXCL)
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

    /// Makes the file durable and gives it its name. Throws `unsafeLocation` if something got that name
    /// meanwhile.
    package func finish() throws(StorageError) {
        guard let draft else { return }
        try draft.attempt { () throws(StorageError) in try file.syncData() }
        try draft.finish()
        self.draft = nil
    }
}
