public import BrowserSessions

extension StoreBackup {
    /// The name of the file in the folder of a backup that says what it is.
    package static let markName = BackupMark.fileName

    /// The most bytes that it has.
    package static let largestMark = BackupMark.largest

    /// Returns the sizes of the other files of a backup, by their paths below its folder; `nil` unless the
    /// bytes are such a file.
    package static func files(ofMark bytes: [UInt8]) -> [String: Int]? {
        BackupMark(json: bytes, path: "").map { mark in
            Dictionary(mark.files.map { ($0.path, $0.size) }) { $1 }
        }
    }

    /// Returns the complete backup in a folder, as `StorageBackend.backUp(_:to:)` made it; `nil` if
    /// there is none, if a file is missing or has another size, or if it was opened to write since.
    /// Nothing is opened or changed.
    ///
    /// - Parameter path: the folder.
    /// - Parameter fileSystem: the file system of the folder; tests may supply their own.
    public static func found(
        at path: String, on fileSystem: any LocalFileSystem = PosixFileSystem()
    ) throws(StorageError) -> StoreBackup? {
        guard let folder = try folder(at: path, on: fileSystem), try folder.isWhole() else {
            return nil
        }
        return folder.mark?.backup
    }

    /// Returns what is wrong with the files of the backup in a folder: which one is missing or has
    /// another size. Returns `nil` if there is nothing wrong, no backup, or one that was opened to write.
    public static func damage(
        at path: String, on fileSystem: any LocalFileSystem = PosixFileSystem()
    ) throws(StorageError) -> String? {
        guard let folder = try folder(at: path, on: fileSystem), folder.kind == .complete,
            !folder.isUsed
        else { return nil }
        return try folder.damage()
    }

    private static func folder(at path: String, on fileSystem: any LocalFileSystem)
        throws(StorageError) -> BackupFolder?
    {
        guard try fileSystem.status(of: path)?.kind == .directory else { return nil }
        return try BackupFolder(try fileSystem.directory(at: path))
    }

    /// Ends what killed processes began with backups in a folder, where no process is at it.
    ///
    /// Removes backups that were not finished or not removed to the end, and those that were set aside
    /// for a newer one that is whole. One that was set aside for a newer one that never got its name has
    /// its own name again afterwards. Everything else stays: what is no backup, or was opened to write, or
    /// holds files that no backup has.
    public static func removeUnfinished(
        in path: String, on fileSystem: any LocalFileSystem = PosixFileSystem()
    ) throws(StorageError) {
        let parent = try fileSystem.directory(at: fileSystem.realPath(of: path) ?? path)
        var bases: Set<String> = []
        for name in try parent.names() {
            let suffix = [BackupPlace.draftSuffix, BackupPlace.replacedSuffix].first {
                name.hasSuffix($0) && name != $0
            }
            if let suffix {
                bases.insert(String(name.dropLast(suffix.count)))
            } else if try BackupFolder(name, in: parent)?.isHalfRemoved == true {
                try leavingOthers { () throws(StorageError) in
                    try BackupFolder.remove(name, in: parent)
                }
            }
        }
        for base in bases.sorted() {
            try leavingOthers { () throws(StorageError) in
                try BackupPlace(base, in: parent).tidy()
            }
        }
    }

    private static func leavingOthers(_ work: () throws(StorageError) -> Void) throws(StorageError)
    {
        do throws(StorageError) { try work() } catch {
            guard error.code == .unsafeLocation else { throw error }
        }
    }

    /// Removes the complete backup in a folder, as ``found(at:on:)`` finds it. Returns `false`, and
    /// removes nothing, if there is none.
    ///
    /// Throws `unsafeLocation`, names the file, and removes nothing if the folder also holds a file that
    /// is not of the backup.
    @discardableResult
    public static func remove(
        at path: String, on fileSystem: any LocalFileSystem = PosixFileSystem()
    ) throws(StorageError) -> Bool {
        guard try found(at: path, on: fileSystem) != nil else { return false }
        let (parent, name) = PosixFileSystem.parts(of: path)
        try BackupFolder.remove(
            name, in: fileSystem.directory(at: fileSystem.realPath(of: parent) ?? parent))
        return true
    }
}
