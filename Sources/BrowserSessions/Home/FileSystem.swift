import CPlatform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// File operations by path, each with a ``StorageError`` that names it: for tools and tests. Stores use
/// ``FileDirectory``.
///
/// Files are made with mode 0600, directories with 0700. No symbolic link in the last part of a path is
/// followed, but to a directory that is listed.
public enum FileSystem {
    /// The error for a failed system call, by `number` or else by `errno`.
    public static func error(
        _ operation: String, _ path: String, number given: Int32? = nil
    ) -> StorageError {
        let number = given ?? platform_errno()
        let code: StorageError.Code =
            switch number {
            case ENOSPC, EDQUOT, EFBIG: .outOfSpace
            case EACCES, EPERM, EROFS: .permissionDenied
            case ENOENT: .notFound
            case ELOOP, ENOTDIR, EISDIR: .unsafeLocation
            default: .failed
            }
        let reason = String(cString: strerror(number))
        return StorageError(code, "cannot \(operation) '\(path)': \(reason)", operation: operation)
    }

    /// `nil` if nothing is there.
    public static func status(_ path: String) throws(StorageError) -> FileStatus? {
        var raw = stat()
        guard lstat(path, &raw) == 0 else {
            let number = platform_errno()
            if number == ENOENT { return nil }
            throw error("examine", path, number: number)
        }
        return FileStatus(raw)
    }

    /// Whether anything is at the path.
    public static func exists(_ path: String) throws(StorageError) -> Bool {
        try status(path) != nil
    }

    /// Makes a directory that is durable: its parent is synced, also if the directory is there, since
    /// whoever made it may have been killed before that.
    public static func makeDirectory(_ path: String) throws(StorageError) {
        let parent = try directory(of: path)
        try parent.makeDirectory(name(of: path))
        try parent.sync()
    }

    /// Makes a directory and the parents that are missing.
    public static func makeDirectories(_ path: String) throws(StorageError) {
        if try exists(path) { return }
        let parent = parent(of: path)
        if parent != path { try makeDirectories(parent) }
        try makeDirectory(path)
    }

    /// Makes the entries of a directory survive a power cut.
    public static func syncDirectory(_ path: String) throws(StorageError) {
        try PosixDirectory(opening: path, followingLink: true).sync()
    }

    /// The names in a directory, ascending, without `.` and `..`.
    public static func contents(of path: String) throws(StorageError) -> [String] {
        try PosixDirectory(opening: path, followingLink: true).names()
    }

    /// Gives a file or directory another name, replacing a file that has it.
    public static func move(_ path: String, to other: String) throws(StorageError) {
        guard rename(path, other) == 0 else { throw error("rename", path) }
    }

    /// Removes a file, link or whole directory; nothing happens if it is not there.
    public static func remove(_ path: String) throws(StorageError) {
        guard try exists(path) else { return }
        try directory(of: path).remove(name(of: path))
    }

    /// Copies a file or a whole directory to a place where nothing is; the copy survives a power cut
    /// once its parent is synced. Links and special files are left out.
    public static func copy(_ path: String, to other: String) throws(StorageError) {
        guard try exists(path) else { throw error("copy", path, number: ENOENT) }
        try directory(of: path).copy(name(of: path), to: name(of: other), in: directory(of: other))
    }

    /// The whole file.
    public static func read(_ path: String) throws(StorageError) -> [UInt8] {
        let descriptor = try FileDescriptor(opening: path, O_RDONLY)
        return try descriptor.read(try descriptor.size(), at: 0)
    }

    /// Writes a file under a temporary name, syncs it, gives it its name and syncs the directory.
    public static func replace(_ path: String, with bytes: [UInt8]) throws(StorageError) {
        try directory(of: path).replace(name(of: path), with: bytes)
    }

    /// The directory that holds a path.
    private static func directory(of path: String) throws(StorageError) -> PosixDirectory {
        try PosixDirectory(opening: parent(of: path), followingLink: true)
    }

    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// The path of the directory that holds a path.
    public static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

extension FileStatus {
    init(_ raw: stat) {
        kind =
            switch raw.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .link
            default: .other
            }
        size = Int(raw.st_size)
        owner = raw.st_uid
        permissions = UInt32(raw.st_mode & 0o7777)
        #if canImport(Darwin)
            modified = Int64(raw.st_mtimespec.tv_sec)
        #else
            modified = Int64(raw.st_mtim.tv_sec)
        #endif
    }
}
