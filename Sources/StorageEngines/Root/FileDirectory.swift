public import BrowserSessions

/// An open directory: names are looked up in it, wherever it has been moved.
///
/// Everything that a store keeps goes through this protocol and ``OpenFile``. They have few
/// operations, so that another kind of directory is easy to write, such as one that records,
/// forgets or fails. ``PosixDirectory`` is the real one. A name is one component of a path: not
/// empty, `.` or `..`, and without `/`. Names and paths are texts that preserve all bytes: see
/// `PathText` of `BrowserSessions`. Nothing here follows a symbolic link.
public protocol FileDirectory: AnyObject, Sendable {
    /// The directory's path when it was opened, for messages.
    var path: String { get }

    /// A path for libraries that open files by path. It leads to this directory even after a move
    /// if the system has such a path; otherwise it is ``path``.
    var pathForLibraries: String { get }

    /// The user id that owns new files of this process.
    var user: UInt32 { get }

    /// Returns the names in the directory, ascending. Throws rather than leaving one out.
    func names() throws(StorageError) -> [String]

    /// Returns the status of what has the name; `nil` if nothing has it.
    func status(of name: String) throws(StorageError) -> FileStatus?

    /// Returns whether anything has the name.
    func has(_ name: String) throws(StorageError) -> Bool

    /// Returns what the medium itself says of a name now, also if another computer or program changed it; `nil` if
    /// nothing has it.
    ///
    /// - Parameters:
    ///   - name: the name; `.` is the directory's.
    ///   - timed: `false` not to read the time, which would make the file's next write cost more. Then the
    ///     file has the number 0 where numbers last only as long as it is open.
    func stamp(of name: String, timed: Bool) throws(StorageError) -> FileStamp?

    /// Opens a file in this directory. Throws `StorageError.Code.notFound` if it is missing.
    func open(_ name: String, mode: FileMode) throws(StorageError) -> any OpenFile

    /// Opens a directory in this one.
    func directory(_ name: String) throws(StorageError) -> any FileDirectory

    /// Makes a directory if there is none. It is durable after ``sync()``.
    func makeDirectory(_ name: String) throws(StorageError)

    /// Renames a file or directory, within this directory or into another one of the same kind.
    ///
    /// - Parameter name: the name in this directory.
    /// - Parameter other: the new name.
    /// - Parameter directory: the directory of the new name; `nil` for this one.
    /// - Parameter replacing: whether to replace a file that has the name. If `false`, throws if
    ///   the name is taken.
    func rename(
        _ name: String, to other: String, in directory: (any FileDirectory)?, replacing: Bool
    ) throws(StorageError)

    /// Gives a file a second name. Throws `StorageError.Code.unsupported` where it cannot have two.
    func link(_ name: String, as other: String) throws(StorageError)

    /// Removes the name of a file or link, or an empty directory. Does nothing if it is missing.
    func removeEntry(_ name: String) throws(StorageError)

    /// Makes the names in the directory survive a power cut; does nothing if it ``isTemporary``.
    func sync() throws(StorageError)

    /// Takes the exclusive lock of the directory without waiting; returns `false` if it is taken.
    /// The lock is released by ``unlock()``, or when the process ends.
    func lock() throws(StorageError) -> Bool

    /// Takes a lock of the directory that several can have at once, but not beside the exclusive one,
    /// without waiting; returns `false` if that is taken. Released like the other one.
    func lockShared() throws(StorageError) -> Bool

    /// Releases the lock that ``lock()`` or ``lockShared()`` took.
    func unlock()

    /// Returns where the directory is now.
    func whereabouts() throws(StorageError) -> DirectoryWhereabouts

    /// The bytes that this user may still write to the file system; 0 if unknown.
    var freeBytes: Int { get }

    /// The name of the file system, such as `NFS`, if its bytes are on another machine, where locks
    /// and syncs mean little.
    var remoteFileSystem: String? { get }

    /// Whether nothing in the directory has to survive a power cut, as in a private copy that goes with its
    /// reader: no sync of it, or of what is opened in it, waits for the disk.
    var isTemporary: Bool { get }

    /// Returns the same directory, with the same lock, as one that ``isTemporary``. A kind of directory that
    /// always syncs, as by default, returns itself.
    func asTemporary() -> any FileDirectory
}

extension FileDirectory {
    public var isTemporary: Bool { false }

    public func asTemporary() -> any FileDirectory { self }
}

/// Where an open directory is now.
public enum DirectoryWhereabouts: Sendable {
    /// At its path.
    case inPlace
    /// It was renamed, or something else has its path now.
    case moved
    /// It was removed, so that no path leads to it.
    case removed
}

/// How a file is opened.
public enum FileMode: Sendable {
    /// For reading only.
    case read
    /// For reading, and for writing at the end.
    case append
    /// For overwriting.
    case overwrite
    /// Makes the file with mode 0600; throws if the name is taken.
    case new
}

/// An open file, closed with its last reference.
public protocol OpenFile: AnyObject, Sendable {
    /// Reads up to `count` bytes from `offset`; fewer at the end of the file.
    func read(_ count: Int, at offset: Int) throws(StorageError) -> [UInt8]

    /// Writes all bytes after those written before, or at the end if opened with `append`.
    func write(_ bytes: [UInt8]) throws(StorageError)

    /// Reads into existing memory, for bytes that must not be copied. Returns the number of bytes.
    func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int) throws(StorageError)
        -> Int

    /// Writes from existing memory.
    func write(_ memory: UnsafeRawBufferPointer) throws(StorageError)

    /// Returns the size of the file in bytes.
    func size() throws(StorageError) -> Int

    /// Returns the size without an unwritten end, where the system can tell: a damaged file can be
    /// large and empty.
    func writtenSize() throws(StorageError) -> Int

    /// Returns the next range from `offset` on that may have been written, so that holes need not
    /// be read; `nil` if there is none.
    func written(from offset: Int) throws(StorageError) -> Range<Int>?

    /// Returns how many bytes may have been written: the size without holes.
    func writtenBytes() throws(StorageError) -> Int

    /// Cuts the file, or extends it with zeros.
    func truncate(to size: Int) throws(StorageError)

    /// Makes the file's bytes survive a power cut; does nothing in a directory that is temporary.
    func syncData() throws(StorageError)

    /// Asks the system to begin writing the file's bytes to the disk, without waiting: a later
    /// ``syncData()`` waits less. Nothing follows from it.
    func beginSync()

    /// Returns whether the file has no name any more, so that it cannot be opened again.
    func isRemoved() throws(StorageError) -> Bool
}

extension OpenFile {
    public func written(from offset: Int) throws(StorageError) -> Range<Int>? {
        let size = try size()
        return offset < size ? offset..<size : nil
    }

    /// Where the next byte from a place on is that may have been written.
    public func nextWritten(from offset: Int) throws(StorageError) -> Int? {
        try written(from: offset)?.lowerBound
    }

    public func writtenBytes() throws(StorageError) -> Int { try size() }

    public func beginSync() {}
}

/// What distinguishes a file from another one that has its name later, and from itself before a change.
public struct FileStamp: Hashable, Sendable {
    /// The number of the file system, and that of the file in it.
    public var device, file: UInt64
    /// The size in bytes.
    public var size: Int
    /// When the content, the rights or the names last changed, in nanoseconds since 1970, by the clock of the
    /// file system, which may stand still between two ticks.
    public var changed: Int
    /// Whether it is a directory.
    public var isDirectory: Bool

    /// Creates a stamp.
    public init(
        device: UInt64 = 0, file: UInt64, size: Int, changed: Int, isDirectory: Bool = false
    ) {
        (self.device, self.file, self.size, self.changed) = (device, file, size, changed)
        self.isDirectory = isDirectory
    }

    /// Whether the same file has the other stamp.
    func isOfFile(_ other: FileStamp) -> Bool { (device, file) == (other.device, other.file) }
}

/// What has a name.
public struct FileStatus: Sendable {
    /// What has a name in a directory.
    public enum Kind: Sendable {
        /// A regular file, a directory, a symbolic link, or something else, such as a pipe.
        case file, directory, link, other
    }
    /// What has the name. A link is not followed.
    public var kind: Kind
    /// The size of a file in bytes, including holes; without meaning for anything else.
    public var size: Int
    /// The user id of the owner.
    public var owner: UInt32
    /// The permission bits.
    public var permissions: UInt32
    /// When the content of the file or directory last changed, in seconds since 1970. A file may
    /// report any time, before 1970 or far in the future.
    public var modified: Int64
    /// How many names the file has.
    public var links: Int

    /// Creates a status, by default that of a file with one name.
    public init(
        kind: Kind, size: Int, owner: UInt32, permissions: UInt32, modified: Int64, links: Int = 1
    ) {
        self.kind = kind
        self.size = size
        self.owner = owner
        self.permissions = permissions
        self.modified = modified
        self.links = links
    }
}
