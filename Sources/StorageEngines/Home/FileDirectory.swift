public import BrowserSessions

/// A directory that is held open: names are looked up in it, wherever it was moved meanwhile.
///
/// Everything that a store keeps goes through this and ``OpenFile``: a few operations, so that a
/// directory of another kind is soon written, one that records, forgets or fails for example.
/// ``PosixDirectory`` is the real one. A name is one part of a path: neither empty nor `.` nor `..`,
/// and without `/`. Names and paths are texts from which their bytes come back, whatever these are: see
/// `PathText` of `BrowserSessions`. Nothing here follows a symbolic link.
public protocol FileDirectory: AnyObject, Sendable {
    /// Where the directory was when it was opened: for messages.
    var path: String { get }

    /// A path for libraries that open files by path. It leads to this directory even if that was
    /// moved, where the system can tell such a path, and else is ``path``.
    var pathForLibraries: String { get }

    /// The user id that files of this process belong to.
    var user: UInt32 { get }

    /// The names in the directory, ascending. Throws rather than leaving one out.
    func names() throws(StorageError) -> [String]

    /// What has the name; `nil` if nothing has.
    func status(of name: String) throws(StorageError) -> FileStatus?

    /// Whether something has the name.
    func has(_ name: String) throws(StorageError) -> Bool

    /// Opens a file.
    func open(_ name: String, _ mode: FileMode) throws(StorageError) -> any OpenFile

    /// Opens a directory that is in this one.
    func directory(_ name: String) throws(StorageError) -> any FileDirectory

    /// Makes a directory, if none is there. It is durable after ``sync()``.
    func makeDirectory(_ name: String) throws(StorageError)

    /// Gives a file or directory another name, which may be in another directory of the same kind.
    ///
    /// - Parameter replacing: whether a file that has the name goes. Otherwise this throws if something
    ///   has it.
    func rename(
        _ name: String, to other: String, in directory: (any FileDirectory)?, replacing: Bool
    ) throws(StorageError)

    /// Gives a file another name beside the one that it has. Throws `StorageError.Code.unsupported`
    /// where files cannot have two.
    func link(_ name: String, as other: String) throws(StorageError)

    /// Removes the name of a file or link, or an empty directory; nothing happens if it is not there.
    func removeEntry(_ name: String) throws(StorageError)

    /// Makes the names in the directory survive a power cut.
    func sync() throws(StorageError)

    /// Takes the exclusive lock of the directory without waiting; `false` if somebody else has it. It
    /// is released by ``unlock()``, and at the latest when the process ends.
    func lock() throws(StorageError) -> Bool

    /// Releases the lock.
    func unlock()

    /// Whether the directory was removed: what is written to it vanishes when it is closed.
    func isRemoved() throws(StorageError) -> Bool

    /// Where the directory is now.
    func whereabouts() throws(StorageError) -> DirectoryWhereabouts

    /// What this user may still write to the file system, in bytes; 0 if nobody can tell.
    var freeBytes: Int { get }

    /// The name of the file system, if locks and syncs on it mean little because the bytes are
    /// elsewhere: `NFS`.
    var remoteFileSystem: String? { get }
}

/// Where a directory is that is held open.
public enum DirectoryWhereabouts: Sendable {
    /// At its path.
    case inPlace
    /// It was renamed, or something else has its path now.
    case moved
    case removed
}

/// How a file is opened.
public enum FileMode: Sendable {
    case read
    /// For writing behind its end, and reading.
    case append
    /// For writing over what is there.
    case overwrite
    /// Makes it; throws if something has the name. Mode 0600.
    case new
}

/// An open file, closed with its last reference.
public protocol OpenFile: AnyObject, Sendable {
    /// Reads up to `count` bytes from `offset`; fewer at the end of the file.
    func read(_ count: Int, at offset: Int) throws(StorageError) -> [UInt8]

    /// Writes all bytes behind what this wrote before, or behind the end if it was opened for that.
    func write(_ bytes: [UInt8]) throws(StorageError)

    /// Reads into memory that is there already, for what must not be copied; returns how many bytes it read.
    func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int) throws(StorageError)
        -> Int

    /// Writes from memory that is there already.
    func write(_ memory: UnsafeRawBufferPointer) throws(StorageError)

    /// The size of the file in bytes.
    func size() throws(StorageError) -> Int

    /// The size without what was never written to at the end, where the system can tell: a damaged file
    /// can be large and empty.
    func writtenSize() throws(StorageError) -> Int

    /// Where the next bytes from a place on are that may have been written, so that holes need not be read;
    /// `nil` if there are none.
    func written(from offset: Int) throws(StorageError) -> Range<Int>?

    /// How many bytes may have been written: the size without holes.
    func writtenBytes() throws(StorageError) -> Int

    /// Cuts the file, or lets it grow with zeros.
    func truncate(to size: Int) throws(StorageError)

    /// Makes the file's bytes survive a power cut.
    func syncData() throws(StorageError)

    /// Whether the file has no name any more: nobody finds it again.
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
}

/// What has a name.
public struct FileStatus: Sendable {
    public enum Kind: Sendable { case file, directory, link, other }
    public var kind: Kind
    public var size: Int
    /// The user id of the owner.
    public var owner: UInt32
    /// The permission bits.
    public var permissions: UInt32
    /// When the content of the file or directory last changed, in seconds since 1970. A file may say
    /// any time, before 1970 and long from now too.
    public var modified: Int64
    /// How many names the file has.
    public var links: Int

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
