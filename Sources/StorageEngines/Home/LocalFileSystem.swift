public import BrowserSessions

/// Where the directories of stores are found: the root of ``FileDirectory`` and ``OpenFile``.
///
/// ``PosixFileSystem`` is the machine's.
public protocol LocalFileSystem: Sendable {
    /// What is at a path, a link being what it is; `nil` if nothing is there.
    func status(of path: String) throws(StorageError) -> FileStatus?

    /// Opens a directory, whose last part is not a link.
    func directory(at path: String) throws(StorageError) -> any FileDirectory

    /// Makes a directory of mode 0700, and the parents that are missing. All of them are durable.
    func makeDirectories(_ path: String) throws(StorageError)

    /// Throws `StorageError.Code.permissionDenied` unless this process may read, change and enter the
    /// directory.
    func requireAccess(to path: String) throws(StorageError)

    /// The user id that files of this process belong to.
    var user: UInt32 { get }
}
