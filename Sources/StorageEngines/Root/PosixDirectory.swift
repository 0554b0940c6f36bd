public import BrowserSessions
import CPlatform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A directory of the machine's file systems. Files are made with mode 0600, directories with 0700.
public final class PosixDirectory: FileDirectory {
    private let descriptor: PosixFile
    public let isTemporary: Bool

    public var path: String { descriptor.path }

    /// Opens the directory at a path.
    ///
    /// - Parameter path: the path of the directory.
    /// - Parameter followsLink: whether the last part of the path may be a link.
    public init(opening path: String, followingLink followsLink: Bool = false) throws(StorageError)
    {
        descriptor = try PosixFile(
            opening: path, flags: O_RDONLY | O_DIRECTORY, followingLink: followsLink)
        isTemporary = false
    }

    private init(_ name: String, in parent: PosixDirectory) throws(StorageError) {
        descriptor = try PosixFile(
            opening: name, in: parent.descriptor, O_RDONLY | O_DIRECTORY)
        isTemporary = parent.isTemporary
    }

    private init(temporary other: PosixDirectory) {
        descriptor = other.descriptor
        isTemporary = true
    }

    public func asTemporary() -> any FileDirectory { PosixDirectory(temporary: self) }

    public var user: UInt32 { geteuid() }

    public var pathForLibraries: String {
        #if os(Linux) || os(Android)
            let link = "/proc/self/fd/\(descriptor.raw)"
            return access(link, F_OK) == 0 ? link : path
        #else
            return path
        #endif
    }

    public func names() throws(StorageError) -> [String] {
        // A descriptor of its own has its own position.
        let number = openat(descriptor.raw, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard number >= 0 else { throw StorageError.system("list", path: path) }
        guard let directory = fdopendir(number) else {
            let error = StorageError.system("list", path: path)
            _ = close(number)
            throw error
        }
        defer { closedir(directory) }
        var names: [String] = []
        while true {
            // An error looks like the end, and the end does not change `errno`.
            errno = 0
            guard let entry = readdir(directory) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
                    PathText.text(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        if platform_errno() != 0 { throw StorageError.system("list", path: path) }
        return names.sorted()
    }

    public func status(of name: String) throws(StorageError) -> FileStatus? {
        var raw = stat()
        let result = PathText.withCString(name) {
            fstatat(descriptor.raw, $0, &raw, AT_SYMLINK_NOFOLLOW)
        }
        guard result == 0 else {
            let number = platform_errno()
            if number == ENOENT { return nil }
            throw StorageError.system("examine", path: path(of: name), number: number)
        }
        return FileStatus(raw)
    }

    public func has(_ name: String) throws(StorageError) -> Bool {
        let result = PathText.withCString(name) { platform_has_name(descriptor.raw, $0) }
        guard result >= 0 else { throw StorageError.system("examine", path: path(of: name)) }
        return result == 1
    }

    public func stamp(of name: String, timed: Bool) throws(StorageError) -> FileStamp? {
        var raw = platform_stamp()
        let result = PathText.withCString(name) {
            platform_stamp(descriptor.raw, $0, timed ? 1 : 0, &raw)
        }
        guard result >= 0 else { throw StorageError.system("examine", path: path(of: name)) }
        guard result > 0 else { return nil }
        return FileStamp(
            device: raw.device, file: raw.file, size: Int(raw.size), changed: Int(raw.changed),
            isDirectory: raw.is_directory != 0)
    }

    public func open(_ name: String, mode: FileMode) throws(StorageError) -> any OpenFile {
        let flags =
            switch mode {
            case .read: O_RDONLY
            case .append: O_RDWR | O_APPEND
            case .overwrite: O_WRONLY
            case .new: O_WRONLY | O_CREAT | O_EXCL
            }
        return try PosixFile(opening: name, in: descriptor, flags, isTemporary: isTemporary)
    }

    public func directory(_ name: String) throws(StorageError) -> any FileDirectory {
        try PosixDirectory(name, in: self)
    }

    public func makeDirectory(_ name: String) throws(StorageError) {
        let result = PathText.withCString(name) { mkdirat(descriptor.raw, $0, 0o700) }
        guard result != 0 else { return }
        let number = platform_errno()
        guard number == EEXIST else {
            throw StorageError.system("make directory", path: path(of: name), number: number)
        }
    }

    public func rename(
        _ name: String, to other: String, in directory: (any FileDirectory)?, replacing: Bool
    ) throws(StorageError) {
        guard let target = (directory ?? self) as? PosixDirectory else {
            throw StorageError(
                .unsupported, "'\(path(of: name))' cannot be moved to another kind of directory",
                operation: "rename")
        }
        let (from, to) = (descriptor.raw, target.descriptor.raw)
        let result = PathText.withCString(name) { name in
            PathText.withCString(other) { other in
                replacing
                    ? renameat(from, name, to, other) : platform_rename_new(from, name, to, other)
            }
        }
        guard result != 0 else { return }
        let number = platform_errno()
        if number == EEXIST, !replacing {
            throw StorageError(
                .failed,
                """
                '\(target.path(of: other))' is there already, and no file of a store takes the place of \
                another: something else puts files into this directory, a backup that is copied over a \
                store in use, perhaps; close the store, and copy again
                """, operation: "rename")
        }
        throw StorageError.system("rename", path: path(of: name), number: number)
    }

    public func link(_ name: String, as other: String) throws(StorageError) {
        let result = PathText.withCString(name) { name in
            PathText.withCString(other) { linkat(descriptor.raw, name, descriptor.raw, $0, 0) }
        }
        guard result != 0 else { return }
        let number = platform_errno()
        if [EPERM, EOPNOTSUPP, ENOSYS].contains(number) {
            throw StorageError(
                .unsupported, "'\(path(of: name))' cannot have a second name", operation: "link")
        }
        throw StorageError.system("link", path: path(of: name), number: number)
    }

    public func removeEntry(_ name: String) throws(StorageError) {
        func unlink(_ flags: Int32) -> Int32 {
            PathText.withCString(name) { unlinkat(descriptor.raw, $0, flags) }
        }
        if unlink(0) == 0 { return }
        var number = platform_errno()
        // Systems report directories differently.
        if [EISDIR, EPERM].contains(number) {
            if unlink(AT_REMOVEDIR) == 0 { return }
            if platform_errno() != ENOTDIR { number = platform_errno() }
        }
        guard number == ENOENT else {
            throw StorageError.system("remove", path: path(of: name), number: number)
        }
    }

    public func sync() throws(StorageError) {
        if isTemporary { return }
        guard platform_sync_all(descriptor.raw) == 0 else {
            throw StorageError.system("sync", path: path)
        }
    }

    public func lock() throws(StorageError) -> Bool { try descriptor.lock() }

    public func lockShared() throws(StorageError) -> Bool { try descriptor.lockShared() }

    public func unlock() { descriptor.unlock() }

    public func whereabouts() throws(StorageError) -> DirectoryWhereabouts {
        let own = try descriptor.status()
        if own.st_nlink == 0 { return .removed }
        var found = stat()
        guard PathText.withCString(path, { lstat($0, &found) }) == 0 else { return .moved }
        return own.st_ino == found.st_ino && own.st_dev == found.st_dev ? .inPlace : .moved
    }

    public var freeBytes: Int {
        var status = statvfs()
        guard fstatvfs(descriptor.raw, &status) == 0 else { return 0 }
        let (bytes, isTooMuch) = Int(clamping: status.f_bavail)
            .multipliedReportingOverflow(by: Int(clamping: status.f_frsize))
        return isTooMuch ? .max : bytes
    }

    public var remoteFileSystem: String? {
        platform_remote_file_system(descriptor.raw).map { String(cString: $0) }
    }
}

/// The file systems of the machine.
public struct PosixFileSystem: LocalFileSystem {
    /// Creates a value that stands for all file systems of the machine; it holds nothing open.
    public init() {}

    public func status(of path: String) throws(StorageError) -> FileStatus? {
        var raw = stat()
        guard PathText.withCString(path, { lstat($0, &raw) }) == 0 else {
            let number = platform_errno()
            if number == ENOENT { return nil }
            throw StorageError.system("examine", path: path, number: number)
        }
        return FileStatus(raw)
    }

    public func directory(at path: String) throws(StorageError) -> any FileDirectory {
        try PosixDirectory(opening: path)
    }

    public func realPath(of path: String) throws(StorageError) -> String? {
        guard let found = PathText.withCString(path, { realpath($0, nil) }) else {
            let number = platform_errno()
            if number == ENOENT || number == ENOTDIR { return nil }
            throw StorageError.system("examine", path: path, number: number)
        }
        defer { free(found) }
        return PathText.text(cString: found)
    }

    public func makeDirectories(_ path: String) throws(StorageError) {
        if try status(of: path) != nil { return }
        var parts = PathText.names(of: path)
        guard let name = parts.popLast() else { return }
        let parent = (PathText.isAbsolute(path) ? "/" : "") + parts.joined(separator: "/")
        if !parts.isEmpty { try makeDirectories(parent) }
        let directory = try PosixDirectory(
            opening: parent.isEmpty ? "." : parent, followingLink: true)
        try directory.makeDirectory(name)
        try directory.sync()
    }

    public func removeDirectory(_ path: String) throws(StorageError) {
        guard PathText.withCString(path, { rmdir($0) }) == 0 else {
            throw StorageError.system("remove", path: path)
        }
        try PosixDirectory(opening: Self.parts(of: path).parent, followingLink: true).sync()
    }

    public func requireAccess(to path: String) throws(StorageError) {
        guard PathText.withCString(path, { access($0, R_OK | W_OK | X_OK) }) == 0 else {
            throw StorageError.system("use", path: path)
        }
    }

    public var user: UInt32 { geteuid() }

    /// The path of the folder of temporary files.
    static var temporaryFiles: String {
        let named = getenv("TMPDIR").map { PathText.text(cString: $0) } ?? ""
        return named.isEmpty ? "/tmp" : named
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
        links = Int(raw.st_nlink)
        #if canImport(Darwin)
            modified = Int64(raw.st_mtimespec.tv_sec)
        #else
            modified = Int64(raw.st_mtim.tv_sec)
        #endif
    }
}
