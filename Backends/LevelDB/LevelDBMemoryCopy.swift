internal import BrowserSessions

/// A copy of a database in memory, for reading when the disk is too full to open the original.
/// Removed when it goes out of scope.
final class LevelDBMemoryCopy {
    let path: String

    /// Where files are in memory, on Linux; elsewhere a full disk cannot be read.
    private static let parent = "/dev/shm"

    /// Throws `reason` if there is no such place.
    init(of database: String, because reason: StorageError) throws(StorageError) {
        guard try FileSystem.exists(Self.parent) else { throw reason }
        var random = SystemRandomNumberGenerator()
        let name = "browser-sessions-\(random.next())-\(random.next())"
        path = "\(Self.parent)/\(name)"
        try FileSystem.makeDirectory(path)
        for name in try FileSystem.contents(of: database) {
            try FileSystem.copy("\(database)/\(name)", to: "\(path)/\(name)")
        }
    }

    deinit { try? FileSystem.remove(path) }
}
