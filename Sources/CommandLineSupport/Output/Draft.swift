import BrowserSessions
import Foundation
import LocalFiles

/// A place beside a path at which nothing is, for what gets that path when it is whole.
///
/// Without ``finish()`` nothing is left of it. Errors tell of the path, which the user knows.
final class Draft {
    let path: String
    /// Where to write.
    let place: String
    private var isFinished = false

    /// In bytes; file systems take no longer ones.
    private static let longestName = 255

    /// Throws `unsafeLocation` if something is at the path.
    init(of path: String) throws(StorageError) {
        self.path = path
        // The end is of its own: a killed process may have left one.
        let end = ".part-\(UUID().uuidString.prefix(8))"
        var name = PathText.names(of: path).last ?? ""
        while name.utf8.count + end.utf8.count > Self.longestName {
            name.unicodeScalars.removeLast()
        }
        place = "\(FileSystem.parent(of: path))/\(name)\(end)"
        try requireAbsent()
    }

    deinit { if !isFinished { try? FileSystem.remove(place) } }

    func attempt<Result>(_ work: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        do throws(StorageError) {
            return try work()
        } catch {
            var error = error
            if error.code != .unsafeLocation {
                error.message =
                    "'\(path)' cannot be written, and nothing is left of it: \(error.message)"
            }
            throw error
        }
    }

    /// Gives what is durable at the place the path. Throws `unsafeLocation` if something got that meanwhile.
    func finish() throws(StorageError) {
        try attempt { () throws(StorageError) in
            try requireAbsent()
            try FileSystem.move(place, toNew: path)
        }
        isFinished = true
        try FileSystem.syncDirectory(FileSystem.parent(of: path))
    }

    private func requireAbsent() throws(StorageError) {
        guard try FileSystem.exists(path) else { return }
        throw StorageError(
            .unsafeLocation,
            "'\(path)' is there already and stays as it is; name another file or remove it first")
    }
}
