public import BrowserSessions

/// Where the directories of stores are found: the root of ``FileDirectory`` and ``OpenFile``.
///
/// ``PosixFileSystem`` is the machine's.
public protocol LocalFileSystem: Sendable {
    /// What is at a path, a link being what it is; `nil` if nothing is there.
    func status(of path: String) throws(StorageError) -> FileStatus?

    /// Opens a directory, whose last part is not a link.
    func directory(at path: String) throws(StorageError) -> any FileDirectory

    /// The same place without links, as an absolute path; `nil` if nothing is there.
    func realPath(of path: String) throws(StorageError) -> String?

    /// Makes a directory of mode 0700, and the parents that are missing. All of them are durable.
    func makeDirectories(_ path: String) throws(StorageError)

    /// Removes the directory at a path, durably. Throws if anything is in it.
    func removeDirectory(_ path: String) throws(StorageError)

    /// Throws `StorageError.Code.permissionDenied` unless this process may read, change and enter the
    /// directory.
    func requireAccess(to path: String) throws(StorageError)

    /// The user id that files of this process belong to.
    var user: UInt32 { get }
}

extension LocalFileSystem {
    /// The path itself, as of a file system without links.
    public func realPath(of path: String) throws(StorageError) -> String? {
        try status(of: path) == nil ? nil : path
    }

    /// By its parent, which is not found behind a link.
    public func removeDirectory(_ path: String) throws(StorageError) {
        let (parent, name) = Self.parts(of: path)
        let directory = try directory(at: parent)
        try directory.removeEntry(name)
        try directory.sync()
    }

    /// Makes the name of a directory survive a power cut, and those of the directories around it that this user
    /// owns: the process that made them need not have synced them. A directory that may not be opened was
    /// made by another user.
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

    /// The path of the directory in which something is, and its name there.
    static func parts(of path: String) -> (parent: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let parent = slash == path.startIndex ? "/" : String(path[..<slash])
        return (parent, String(path[path.utf8.index(after: slash)...]))
    }
}
