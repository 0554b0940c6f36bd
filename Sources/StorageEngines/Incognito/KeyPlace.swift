import BrowserSessions

/// Where a store is that may be copied together with everything that names its key.
struct KeyPlace: Sendable {
    /// An absolute path without links.
    let path: String
    let directory: any FileDirectory
    let fileSystem: any LocalFileSystem

    /// Whether a key belongs to another store, which lies at a place and names the key.
    ///
    /// A place that cannot be looked at counts as one with that store: to leave a key to somebody who is
    /// gone costs nothing, to destroy the key of somebody who is there costs his sessions.
    func isOfOther(_ id: IncognitoKeyID, at place: String) -> Bool {
        guard place != path else { return false }
        do throws(StorageError) {
            guard let found = try fileSystem.realPath(of: place), found != path,
                try fileSystem.status(of: found)?.kind == .directory
            else { return false }
            let other = try fileSystem.directory(at: found)
            if try isSame(other) { return false }
            return try Self.names(id, in: other)
        } catch { return true }
    }

    /// Whether a directory is this store's under another path: each opening gives the lock other words.
    private func isSame(_ other: any FileDirectory) throws(StorageError) -> Bool {
        guard try other.has(LockFile.name), try directory.has(LockFile.name) else {
            return false
        }
        let words = try directory.read(LockFile.name)
        let others = try other.read(LockFile.name)
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
