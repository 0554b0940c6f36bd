import CPlatform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The few file operations that stores need, each with a ``StorageError`` that names the path.
///
/// Files are made with mode 0600, directories with 0700. Nothing here follows a symbolic link in
/// the last part of a path.
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

    /// What stands at a path.
    public struct Status: Sendable {
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
    }

    /// `nil` if nothing is there.
    public static func status(_ path: String) throws(StorageError) -> Status? {
        var raw = stat()
        guard lstat(path, &raw) == 0 else {
            let number = platform_errno()
            if number == ENOENT { return nil }
            throw error("examine", path, number: number)
        }
        let kind: Status.Kind =
            switch raw.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .link
            default: .other
            }
        #if canImport(Darwin)
            let modified = raw.st_mtimespec.tv_sec
        #else
            let modified = raw.st_mtim.tv_sec
        #endif
        return Status(
            kind: kind, size: Int(raw.st_size), owner: raw.st_uid,
            permissions: UInt32(raw.st_mode & 0o7777),
            modified: Int64(modified))
    }

    /// Whether anything is at the path.
    public static func exists(_ path: String) throws(StorageError) -> Bool {
        try status(path) != nil
    }

    /// Makes a directory that is durable: its parent is synced, also if the directory is there, since
    /// whoever made it may have been killed before that.
    public static func makeDirectory(_ path: String) throws(StorageError) {
        if mkdir(path, 0o700) != 0 {
            let number = platform_errno()
            guard number == EEXIST else { throw error("make directory", path, number: number) }
        }
        try syncDirectory(parent(of: path))
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
        let descriptor = try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY)
        guard platform_sync_all(descriptor.raw) == 0 else { throw error("sync", path) }
    }

    /// The names in a directory, ascending, without `.` and `..`.
    public static func contents(of path: String) throws(StorageError) -> [String] {
        guard let directory = opendir(path) else { throw error("list", path) }
        defer { closedir(directory) }
        var names: [String] = []
        while true {
            // An error looks like the end, and does not touch the number if it is one.
            errno = 0
            guard let entry = readdir(directory) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        if platform_errno() != 0 { throw error("list", path) }
        return names.sorted()
    }

    /// Gives a file or directory another name, replacing a file that has it.
    public static func move(_ path: String, to other: String) throws(StorageError) {
        guard rename(path, other) == 0 else { throw error("rename", path) }
    }

    /// Writes a file under a temporary name, syncs it, gives it a name that nothing has and syncs the
    /// directory: the name is there with all of the contents or not at all.
    ///
    /// Nothing is replaced but what such a call left unfinished: if something has the name, this throws.
    public static func create(_ path: String, with bytes: [UInt8]) throws(StorageError) {
        let temporary = path + ".new"
        try remove(temporary)
        let descriptor = try FileDescriptor(opening: temporary, O_WRONLY | O_CREAT | O_EXCL)
        do throws(StorageError) {
            try descriptor.write(bytes)
            try descriptor.syncData()
            guard platform_rename_new(temporary, path) == 0 else {
                throw Self.error("name", path)
            }
        } catch {
            _ = unlink(temporary)
            throw error
        }
        try syncDirectory(parent(of: path))
    }

    /// Removes a file, link or whole directory; nothing happens if it is not there.
    public static func remove(_ path: String) throws(StorageError) {
        guard let status = try status(path) else { return }
        guard status.kind == .directory else {
            if unlink(path) != 0, platform_errno() != ENOENT { throw error("remove", path) }
            return
        }
        for name in try contents(of: path) { try remove("\(path)/\(name)") }
        if rmdir(path) != 0, platform_errno() != ENOENT { throw error("remove", path) }
    }

    /// Copies a file or a whole directory; the copy survives a power cut once its parent is synced.
    /// Links and special files are left out.
    public static func copy(_ path: String, to other: String) throws(StorageError) {
        guard let status = try status(path) else { throw error("copy", path, number: ENOENT) }
        switch status.kind {
        case .file:
            let bytes = try read(path)
            let descriptor = try FileDescriptor(opening: other, O_WRONLY | O_CREAT | O_TRUNC)
            try descriptor.write(bytes)
            try descriptor.syncData()
        case .directory:
            try makeDirectory(other)
            for name in try contents(of: path) {
                try copy("\(path)/\(name)", to: "\(other)/\(name)")
            }
            try syncDirectory(other)
        case .link, .other: return
        }
    }

    /// The whole file.
    public static func read(_ path: String) throws(StorageError) -> [UInt8] {
        let descriptor = try FileDescriptor(opening: path, O_RDONLY)
        return try descriptor.read(try descriptor.size(), at: 0)
    }

    /// Writes a file under a temporary name, syncs it, gives it its name and syncs the directory.
    public static func replace(_ path: String, with bytes: [UInt8]) throws(StorageError) {
        let temporary = path + ".new"
        do {
            let descriptor = try FileDescriptor(
                opening: temporary, O_WRONLY | O_CREAT | O_TRUNC)
            try descriptor.write(bytes)
            try descriptor.syncData()
            try move(temporary, to: path)
        } catch {
            _ = unlink(temporary)
            throw error
        }
        try syncDirectory(parent(of: path))
    }

    /// The path of the directory that holds a path.
    public static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
