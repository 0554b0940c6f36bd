internal import BrowserSessions
internal import StorageEngines

/// Copies of a database in memory, for reading when the disk is too full to open the original.
///
/// A copy is removed with its last reference. The next opening of a store removes one that a killed
/// process left, which is unlocked.
enum LevelDBMemoryCopy {
    /// The directory for files in memory, on Linux; elsewhere a full disk cannot be read.
    private static let place = "/dev/shm"
    private static let prefix = "browser-sessions-copy-"

    /// Throws `reason` if there is no such directory.
    ///
    /// - Parameter made: is called with each directory before it is locked; for tests.
    static func make(
        of database: any FileDirectory, because reason: StorageError,
        made: (_ name: String) -> Void = { _ in }
    ) throws(StorageError) -> PrivateFolder {
        guard try PosixFileSystem().status(of: place) != nil else { throw reason }
        let copy = try PrivateFolder(prefix, in: PosixDirectory(opening: place), made: made)
        for name in try database.names() {
            try database.copy(name, to: name, in: copy.directory, durably: false)
        }
        return copy
    }

    /// Removes the copies of killed processes.
    static func sweep() {
        if let parent = try? PosixDirectory(opening: place) {
            PrivateFolder.sweep(prefix, in: parent)
        }
    }
}
