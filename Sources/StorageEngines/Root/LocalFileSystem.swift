public import BrowserSessions

/// Finds the directories of stores: the root of ``FileDirectory`` and ``OpenFile``.
///
/// ``PosixFileSystem`` is the machine's.
public protocol LocalFileSystem: Sendable {
    /// Returns the status of what is at a path, without following a link; `nil` if it is missing.
    func status(of path: String) throws(StorageError) -> FileStatus?

    /// Opens a directory; the last part of the path must not be a link.
    func directory(at path: String) throws(StorageError) -> any FileDirectory

    /// Returns the absolute path without links; `nil` if nothing is there.
    func realPath(of path: String) throws(StorageError) -> String?

    /// Makes a directory of mode 0700, and missing parents. All of them are durable.
    func makeDirectories(_ path: String) throws(StorageError)

    /// Removes the directory at a path, durably. Throws if it is not empty.
    func removeDirectory(_ path: String) throws(StorageError)

    /// Throws `StorageError.Code.permissionDenied` unless this process may read, change and enter
    /// the directory.
    func requireAccess(to path: String) throws(StorageError)

    /// The user id that owns new files of this process.
    var user: UInt32 { get }
}

extension LocalFileSystem {
    /// Returns the path itself, for file systems without links.
    public func realPath(of path: String) throws(StorageError) -> String? {
        try status(of: path) == nil ? nil : path
    }

    /// Removes the directory through its parent, which is not followed through a link.
    public func removeDirectory(_ path: String) throws(StorageError) {
        let (parent, name) = Self.parts(of: path)
        let directory = try directory(at: parent)
        try directory.removeEntry(name)
        try directory.sync()
    }

    /// Makes the name of a directory survive a power cut, with the names of the directories around
    /// it that this user owns: the processes that made them may not have synced them. A directory
    /// that cannot be opened was made by another user.
    func syncNames(of path: String) throws(StorageError) {
        guard var place = try realPath(of: path) else { return }
        while place != "/", place != ".", try status(of: place)?.owner == user {
            place = Self.parts(of: place).parent
            do throws(StorageError) {
                try directory(at: place).sync()
            } catch {
                guard error.code == .permissionDenied else { throw error }
            }
        }
    }

    /// Returns the path of the parent directory, and the name in it.
    static func parts(of path: String) -> (parent: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let parent = slash == path.startIndex ? "/" : String(path[..<slash])
        return (parent, String(path[path.utf8.index(after: slash)...]))
    }
}
