import BrowserSessions
import Foundation

/// Access to files of unknown origin. It reads only regular files up to a limit, and never writes.
enum SourceFile {
    enum Kind { case file, directory, link, other }

    /// Returns what is at a path, by default following links; `nil` if nothing is there.
    static func kind(of path: String, followingLinks: Bool = true) throws(StorageError) -> Kind? {
        var status = stat()
        guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
            let error = systemError(path)
            if error.code == .notFound { return nil }
            throw error
        }
        return kind(ofMode: status.st_mode)
    }

    private static func kind(ofMode mode: mode_t) -> Kind {
        switch mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .directory
        case S_IFLNK: .link
        default: .other
        }
    }

    /// Returns the whole file. Throws `tooLarge` if it has more bytes than allowed.
    static func read(_ path: String, limit: Int) throws(StorageError) -> [UInt8] {
        let bytes = try head(path, count: limit == .max ? limit : limit + 1)
        guard bytes.count <= limit else {
            throw failure(.tooLarge, "\(shown(path)) has more than \(limit) bytes")
        }
        return bytes
    }

    /// Returns the first bytes of a file.
    static func head(_ path: String, count: Int) throws(StorageError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw systemError(path) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw systemError(path) }
        guard kind(ofMode: status.st_mode) == .file else {
            throw failure(.unsupported, "\(shown(path)) is not a file")
        }
        // A browser may be writing, so the size is only a guess. Reading continues to the end.
        var bytes: [UInt8] = []
        var wanted = min(count, max(Int(clamping: status.st_size), 0) + 1)
        while wanted > 0 {
            let part = try part(of: file, count: wanted, path)
            if part.isEmpty { break }
            bytes = bytes.isEmpty ? part : bytes + part
            wanted = min(count - bytes.count, 1 << 20)
        }
        return bytes
    }

    private static func part(of file: Int32, count: Int, _ path: String) throws(StorageError)
        -> [UInt8]
    {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, length in
            repeat {
                result = Foundation.read(file, target.baseAddress, count)
            } while result < 0 && errno == EINTR
            length = max(result, 0)
        }
        guard result >= 0 else { throw systemError(path) }
        return bytes
    }

    static func isDirectory(_ path: String) -> Bool { (try? kind(of: path)) == .directory }

    static func isFile(_ path: String) -> Bool { (try? kind(of: path)) == .file }

    /// Returns whether there is a file, or may be one. Reading it then reports any error.
    static func mayBeFile(_ path: String) -> Bool {
        do throws(StorageError) { return try kind(of: path) == .file } catch { return true }
    }
}

extension SourceFile {
    /// Returns whether another process has locked the file; `false` if this cannot be determined.
    static func isLocked(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        return fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }
}

// MARK: - Folders

extension SourceFile {
    /// The content of a folder.
    struct Folder {
        var path: String
        /// The names in ascending order, without hidden ones.
        var names: [String] = []
        /// The kinds by the bytes of names, because two file names may be equal texts in Swift.
        var kinds: [[UInt8]: Kind] = [:]
        /// The number of names that are not UTF-8. Paths here cannot have such names.
        var unreadableNames = 0
        var hiddenFolders = 0

        func kind(_ name: String) -> Kind? { kinds[Array(name.utf8)] }

        func has(_ name: String, _ kind: Kind = .file) -> Bool { self.kind(name) == kind }

        func names(_ kind: Kind) -> [String] { names.filter { self.kind($0) == kind } }
    }

    static func folder(_ path: String) throws(StorageError) -> Folder {
        guard let stream = opendir(path) else { throw systemError(path) }
        defer { closedir(stream) }
        func ownKind(_ name: String) throws(StorageError) -> Kind? {
            try kind(of: joined(path, name), followingLinks: false)
        }
        var folder = Folder(path: path)
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                    String(validatingCString: $0)
                }
            }
            guard let name else {
                folder.unreadableNames += 1
                continue
            }
            let kind = kind(ofType: Int32(entry.pointee.d_type))
            if name.hasPrefix(".") {
                let isFolder = (kind ?? (try? ownKind(name))) == .directory
                folder.hiddenFolders += isFolder && name != "." && name != ".." ? 1 : 0
            } else {
                folder.names.append(name)
                folder.kinds[Array(name.utf8)] = kind
            }
            errno = 0
        }
        guard errno == 0 else { throw systemError(path) }
        folder.names.sort()
        for name in folder.names where folder.kind(name) == nil {
            folder.kinds[Array(name.utf8)] = try ownKind(name)
        }
        return folder
    }

    /// Returns the kind; `nil` if the file system does not report it.
    private static func kind(ofType type: Int32) -> Kind? {
        switch type {
        case Int32(DT_REG): .file
        case Int32(DT_DIR): .directory
        case Int32(DT_LNK): .link
        case Int32(DT_UNKNOWN): nil
        default: .other
        }
    }
}

// MARK: - Errors

extension SourceFile {
    static func failure(_ code: StorageError.Code, _ message: String) -> StorageError {
        StorageError(code, message, operation: "import")
    }

    /// Returns the error of the last system call.
    private static func systemError(_ path: String) -> StorageError {
        let number = errno
        switch number {
        case ENOENT, ENOTDIR: return failure(.notFound, "there is nothing at \(shown(path))")
        case EACCES, EPERM:
            return failure(.permissionDenied, "\(shown(path)) may not be read")
        default:
            return StorageError(
                .failed, "\(shown(path)) could not be read: \(String(cString: strerror(number)))",
                operation: "import")
        }
    }
}

/// Returns a path on one line. Control characters become `\u{A}` and the like.
func shown(_ path: String) -> String {
    guard path.unicodeScalars.contains(where: \.isControl) else { return path }
    return path.unicodeScalars.map { scalar in
        let number = String(scalar.value, radix: 16, uppercase: true)
        return scalar.isControl ? "\\u{\(number)}" : "\(scalar)"
    }.joined()
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}

/// Joins a folder and a name.
func joined(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
}

/// Returns the last component of a path.
func lastComponent(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
}

/// Returns the path of the folder that holds a path; `.` for a single component.
func parent(_ path: String) -> String {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false)
    while parts.last?.isEmpty == true { parts.removeLast() }
    if !parts.isEmpty { parts.removeLast() }
    let folder = parts.joined(separator: "/")
    return folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
}
