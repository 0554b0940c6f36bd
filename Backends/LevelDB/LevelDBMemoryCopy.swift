internal import BrowserSessions
internal import StorageEngines

/// A copy of a database in memory, for reading when the disk is too full to open the original.
///
/// It is removed when it goes out of scope. The next opening of a store removes one that a killed
/// process left, which is unlocked.
final class LevelDBMemoryCopy {
    let files: any FileDirectory
    private let name: String
    private let parent: PosixDirectory

    /// The directory for files in memory, on Linux; elsewhere a full disk cannot be read.
    private static let place = "/dev/shm"
    private static let prefix = "browser-sessions-copy-"

    /// Throws `reason` if there is no such directory.
    ///
    /// - Parameter made: is called with each directory before it is locked; for tests.
    init(
        of database: any FileDirectory, because reason: StorageError,
        made: (_ name: String) -> Void = { _ in }
    ) throws(StorageError) {
        guard try PosixFileSystem().status(of: Self.place) != nil else { throw reason }
        parent = try PosixDirectory(opening: Self.place)
        (name, files) = try Self.makeDirectory(in: parent, made)
        for name in try database.names() { try database.copy(name, to: name, in: files) }
    }

    /// Makes and locks a directory. Before the lock, a cleanup may take it for a leftover; then
    /// another one is made.
    private static func makeDirectory(in parent: PosixDirectory, _ made: (String) -> Void)
        throws(StorageError) -> (name: String, files: any FileDirectory)
    {
        var random = SystemRandomNumberGenerator()
        // waits: for no more turns than others sweep at that very moment
        while true {
            let name = "\(prefix)\(random.next())-\(random.next())"
            try parent.makeDirectory(name)
            made(name)
            do throws(StorageError) {
                let files = try parent.directory(name)
                if try files.lock(), try files.whereabouts() != .removed { return (name, files) }
            } catch {
                guard error.code == .notFound else { throw error }
            }
        }
    }

    deinit {
        try? parent.remove(name)
        files.unlock()
    }

    /// Removes the copies of killed processes.
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
