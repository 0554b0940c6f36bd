import BrowserSessions
import Foundation
import StorageEngines

/// An unused location next to a path, for content that moves to the path when it is complete.
///
/// Without ``finish()``, nothing remains of it. Errors name the path, which the user knows.
final class Draft {
    let path: String
    /// The location to write to.
    let place: String
    private var isFinished = false

    /// The maximum length of a name in file systems, in bytes.
    private static let longestName = 255

    /// Creates a draft. Throws `unsafeLocation` if something is at the path.
    init(of path: String) throws(StorageError) {
        self.path = path
        // Each draft has its own suffix, because a killed process may leave one.
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

    /// Moves the durable content to the path. Throws `unsafeLocation` if the path is now taken.
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
