public import BrowserSessions

/// A folder of mode 0700 with a name of its own, which goes with its last reference.
///
/// Nothing in it is synced, but for what a library syncs by itself, as LevelDB does: that would make the disk
/// wait that others save to. It is locked from the moment it is used. A folder of this name without a lock was left by a
/// killed process, and ``sweep(_:in:)`` removes it.
public final class PrivateFolder {
    /// The folder.
    public let directory: any FileDirectory
    let parent: any FileDirectory
    private let name: String

    /// A folder that another process sweeps before it is locked is made again, but not forever.
    private static let mostAttempts = 100

    /// Makes and locks a folder with a name that begins with `prefix`.
    ///
    /// - Parameters:
    ///   - prefix: the beginning of the name.
    ///   - parent: the folder that gets it.
    ///   - random: makes the rest of the name.
    ///   - made: is called with each folder before it is locked; for tests.
    public init(
        _ prefix: String, in parent: any FileDirectory,
        random: () -> UInt64 = StoreEnvironment.system.random,
        made: (_ name: String) -> Void = { _ in }
    ) throws(StorageError) {
        for _ in 0..<Self.mostAttempts {
            let name = prefix + String(random(), radix: 36)
            try parent.makeDirectory(name)
            made(name)
            guard let directory = try Self.lock(name, in: parent) else { continue }
            (self.directory, self.parent, self.name) = (directory.asTemporary(), parent, name)
            return
        }
        throw StorageError(.failed, "no folder in '\(parent.path)' stays there")
    }

    deinit {
        try? parent.remove(name)
        directory.unlock()
    }

    /// Returns `nil` if a sweep was faster.
    private static func lock(_ name: String, in parent: any FileDirectory) throws(StorageError)
        -> (any FileDirectory)?
    {
        do throws(StorageError) {
            try parent.status(of: name)?
                .requireOwnDirectory(parent.path(of: name), user: parent.user)
            let directory = try parent.directory(name)
            guard try directory.lock(), try directory.whereabouts() != .removed else { return nil }
            return directory
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    /// Removes what killed processes of this user left. What cannot be removed stays for another time.
    public static func sweep(_ prefix: String, in parent: any FileDirectory) {
        for name in (try? parent.names()) ?? [] where name.hasPrefix(prefix) {
            guard let status = try? parent.status(of: name), status.kind == .directory,
                status.owner == parent.user, let left = try? parent.directory(name),
                (try? left.lock()) == true
            else { continue }
            try? parent.remove(name)
            left.unlock()
        }
    }
}

// A folder among the system's temporary files, for a store that is only read.

extension PrivateFolder {
    private static let prefix = "browser-sessions-read-"

    /// Makes a folder in `TMPDIR`, or else in `/tmp`.
    convenience init(on fileSystem: any LocalFileSystem, in environment: StoreEnvironment)
        throws(StorageError)
    {
        try self.init(
            Self.prefix, in: Self.temporaryFiles(on: fileSystem), random: environment.random)
    }

    static func sweep(on fileSystem: any LocalFileSystem) {
        if let parent = try? temporaryFiles(on: fileSystem) { sweep(prefix, in: parent) }
    }

    private static func temporaryFiles(on fileSystem: any LocalFileSystem) throws(StorageError)
        -> any FileDirectory
    {
        let path = PosixFileSystem.temporaryFiles
        return try fileSystem.directory(at: fileSystem.realPath(of: path) ?? path)
    }
}
