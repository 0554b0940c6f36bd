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
    /// Where it is written; `nil` if that is its place.
    private var draft: String?

    /// Throws `unsafeLocation` if something has the name, `notFound` if its folder is not there.
    package init(_ path: String) throws(StorageError) {
        self.path = path
        if CommandFile.isSpecial(path) {
            file = try PosixFile(opening: path, O_WRONLY, followingLink: true)
            return
        }
        try Self.requireAbsent(path)
        // Names have an end, and a killed process may have left one.
        let name = path.split(separator: "/").last.map { String($0.prefix(60)) } ?? ""
        let folder = FileSystem.parent(of: path)
        let draft = "\(folder)/\(name).part-\(UUID().uuidString.prefix(8))"
        do throws(StorageError) {
            file = try PosixFile(opening: draft, O_WRONLY | O_CREAT | O_EXCL)
        } catch {
            throw Self.explained(error, path)
        }
        self.draft = draft
    }

    deinit { if let draft { try? FileSystem.remove(draft) } }

    package func write(_ bytes: [UInt8]) throws(StorageError) {
        do throws(StorageError) {
            try file.write(bytes)
        } catch {
            throw draft == nil ? error : Self.explained(error, path)
        }
        self.bytes += bytes.count
    }

    /// Makes the file durable and gives it its name. Throws `unsafeLocation` if something got that name
    /// meanwhile.
    package func finish() throws(StorageError) {
        guard let draft else { return }
        do throws(StorageError) {
            try file.syncData()
            try Self.requireAbsent(path)
            try FileSystem.move(draft, toNew: path)
        } catch {
            throw Self.explained(error, path)
        }
        self.draft = nil
        try FileSystem.syncDirectory(FileSystem.parent(of: path))
    }

    static func requireAbsent(_ path: String) throws(StorageError) {
        guard try FileSystem.exists(path) else { return }
        throw StorageError(
            .unsafeLocation,
            "'\(path)' is there already and stays as it is; name another file or remove it first")
    }

    /// The same error with the name that the user knows.
    static func explained(_ error: StorageError, _ path: String) -> StorageError {
        var error = error
        if error.code != .unsafeLocation {
            error.message =
                "'\(path)' cannot be written, and nothing is left of it: \(error.message)"
        }
        return error
    }
}
