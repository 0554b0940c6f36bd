import BrowserSessions

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder of mode 0700 among the system's temporary files, which goes with its last reference.
///
/// Nothing in it is synced, but for what a library syncs by itself, as LevelDB does: that would make the disk
/// wait that others save to. It is locked from the moment it is used. A folder of this name without a lock was left by a
/// killed process, and the next opening of any store of this user removes it.
final class PrivateFolder {
    let directory: any FileDirectory
    /// The folder of temporary files.
    let parent: any FileDirectory
    private let name: String

    private static let prefix = "browser-sessions-read-"
    /// A folder that another process sweeps before it is locked is made again, but not forever.
    private static let mostAttempts = 100

    /// Makes a folder in `TMPDIR`, or else in `/tmp`.
    init(on fileSystem: any LocalFileSystem, in environment: StoreEnvironment) throws(StorageError)
    {
        let parent = try Self.temporaryFiles(on: fileSystem)
        for _ in 0..<Self.mostAttempts {
            let name = Self.prefix + String(environment.random(), radix: 36)
            try parent.makeDirectory(name)
            guard let directory = try Self.lock(name, in: parent, user: fileSystem.user) else {
                continue
            }
            (self.directory, self.parent, self.name) = (directory.asTemporary(), parent, name)
            return
        }
        throw StorageError(
            .failed, "no folder in '\(parent.path)' stays there; TMPDIR names another place for it")
    }

    deinit {
        try? parent.remove(name)
        directory.unlock()
    }

    private static func temporaryFiles(on fileSystem: any LocalFileSystem) throws(StorageError)
        -> any FileDirectory
    {
        let named = getenv("TMPDIR").map { PathText.text(cString: $0) } ?? ""
        let path = named.isEmpty ? "/tmp" : named
        return try fileSystem.directory(at: fileSystem.realPath(of: path) ?? path)
    }

    /// Returns `nil` if a sweep was faster.
    private static func lock(_ name: String, in parent: any FileDirectory, user: UInt32)
        throws(StorageError) -> (any FileDirectory)?
    {
        do throws(StorageError) {
            try parent.status(of: name)?.requireOwnDirectory(parent.path(of: name), user: user)
            let directory = try parent.directory(name)
            guard try directory.lock(), try directory.whereabouts() != .removed else { return nil }
            return directory
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    /// Removes what killed processes left. What cannot be removed stays for another time.
    static func sweep(on fileSystem: any LocalFileSystem) {
        guard let parent = try? temporaryFiles(on: fileSystem), let names = try? parent.names()
        else { return }
        for name in names where name.hasPrefix(prefix) {
            guard let status = try? parent.status(of: name), status.kind == .directory,
                status.owner == fileSystem.user, let left = try? parent.directory(name),
                (try? left.lock()) == true
            else { continue }
            try? parent.remove(name)
            left.unlock()
        }
    }
}
