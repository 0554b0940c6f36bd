internal import BrowserSessions
internal import StorageEngines

/// A copy of a database in memory, for reading when the disk is too full to open the original.
///
/// Removed when it goes out of scope. One that a killed process left is removed when the next store is
/// opened: its lock is free.
final class LevelDBMemoryCopy {
    let files: any FileDirectory
    private let name: String
    private let parent: PosixDirectory

    /// Where files are in memory, on Linux; elsewhere a full disk cannot be read.
    private static let place = "/dev/shm"
    private static let prefix = "browser-sessions-copy-"

    /// Throws `reason` if there is no such place.
    init(of database: any FileDirectory, because reason: StorageError) throws(StorageError) {
        guard try PosixFileSystem().status(of: Self.place) != nil else { throw reason }
        parent = try PosixDirectory(opening: Self.place)
        var random = SystemRandomNumberGenerator()
        name = "\(Self.prefix)\(random.next())-\(random.next())"
        try parent.makeDirectory(name)
        files = try parent.directory(name)
        guard try files.lock() else { throw reason }
        for name in try database.names() { try database.copy(name, to: name, in: files) }
    }

    deinit {
        try? parent.remove(name)
        files.unlock()
    }

    /// Removes the copies of processes that were killed.
    static func sweep() {
        guard let parent = try? PosixDirectory(opening: place), let names = try? parent.names()
        else { return }
        for name in names where name.hasPrefix(prefix) {
            guard let files = try? parent.directory(name), (try? files.lock()) == true else {
                continue
            }
            try? parent.remove(name)
            files.unlock()
        }
    }
}
