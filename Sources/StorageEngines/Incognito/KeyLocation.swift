import BrowserSessions

/// The location of a store that may be copied together with everything that names its key.
struct KeyLocation: Sendable {
    /// An absolute path without links.
    let path: String
    let directory: any FileDirectory
    let fileSystem: any LocalFileSystem

    /// Returns whether a key belongs to another store, which is at a location and names the key.
    ///
    /// A location that cannot be examined counts as one with that store: keeping a key for a store
    /// that is gone costs nothing, destroying the key of a store that exists costs its sessions.
    func isOfOther(_ id: IncognitoKeyID, at location: String) -> Bool {
        guard location != path else { return false }
        do throws(StorageError) {
            guard let found = try fileSystem.realPath(of: location), found != path,
                try fileSystem.status(of: found)?.kind == .directory
            else { return false }
            let other = try fileSystem.directory(at: found)
            if try isSame(other) { return false }
            return try Self.names(id, in: other)
        } catch { return true }
    }

    /// Returns whether a directory is this store's under another path: each opening gives the lock
    /// a new token.
    private func isSame(_ other: any FileDirectory) throws(StorageError) -> Bool {
        guard try other.has(StoreHolder.name), try directory.has(StoreHolder.name) else {
            return false
        }
        let words = try directory.read(StoreHolder.name)
        let others = try other.read(StoreHolder.name)
        return !words.isEmpty && others == words
    }

    private static func names(_ id: IncognitoKeyID, in other: any FileDirectory)
        throws(StorageError) -> Bool
    {
        var isDamaged = false
        for name in IncognitoHeader.fileNames + ResealingFiles.headers {
            guard let status = try other.status(of: name) else { continue }
            guard status.kind == .file, status.size < 1 << 16,
                let header = try IncognitoHeader(other.read(name))
            else {
                isDamaged = true
                continue
            }
            if header.id == id { return true }
        }
        return isDamaged
    }
}
