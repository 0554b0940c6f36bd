import BrowserSessions

/// The folder that is to hold a backup, and the one beside it in which the backup is written.
///
/// ```text
/// NAME               the backup, once it is complete
/// NAME.unfinished    the one that is being written: locked, and with a mark of ours
/// NAME.replaced      the one before, while the new one takes its place
/// ```
struct BackupTarget {
    let path: String
    private let unfinished: BackupDraft
    private let place: BackupPlace
    private let fileSystem: any LocalFileSystem

    /// Begins a draft. Throws, and changes nothing, if the path cannot hold a backup of the store.
    init(
        _ location: String, of store: String, on fileSystem: any LocalFileSystem
    ) throws(StorageError) {
        let path = try StoreDirectory.plainPath(location)
        let (parentPath, name) = PosixFileSystem.parts(of: path)
        try fileSystem.requireApart(path, from: store)
        try Self.requireReplaceable(path, on: fileSystem)
        try fileSystem.makeDirectories(parentPath)
        // With a dot at its end, a link is followed: to a folder that a descriptor has open, as well.
        let isLink = try fileSystem.status(of: parentPath)?.kind == .link
        let parent = try fileSystem.directory(at: parentPath + (isLink ? "/." : ""))
        let place = BackupPlace(name, in: parent)
        try Self.requireOwn(place.replacedName, in: parent, user: fileSystem.user)
        let draft = try BackupDraft(place.draftName, in: parent, user: fileSystem.user)
        do throws(StorageError) { try place.bringBack() } catch {
            draft.unlock()
            throw error
        }
        (self.path, unfinished, self.place, self.fileSystem) = (path, draft, place, fileSystem)
    }

    /// The folder in which the backup is written, which is empty but for its mark.
    var draft: any FileDirectory { unfinished.directory }

    /// Throws unless nothing, an empty folder, or an unused backup is there.
    private static func requireReplaceable(_ path: String, on fileSystem: any LocalFileSystem)
        throws(StorageError)
    {
        guard let status = try fileSystem.status(of: path) else { return }
        try status.requireOwnDirectory(path, user: fileSystem.user)
        let folder = try BackupFolder(try fileSystem.directory(at: path))
        // A draft has its own name until it is complete.
        guard folder.kind != .unfinished || folder.isHalfRemoved else {
            throw StorageError(
                .unsafeLocation,
                "'\(path)' is an unfinished backup under another name; name another folder")
        }
        try folder.requireOwn()
    }

    /// Throws unless nothing, an empty folder, or a backup has the name, finished or not.
    static func requireOwn(_ name: String, in parent: any FileDirectory, user: UInt32)
        throws(StorageError)
    {
        guard let status = try parent.status(of: name) else { return }
        try status.requireOwnDirectory(parent.path(of: name), user: user)
        let folder = try BackupFolder(try parent.directory(name))
        guard folder.kind != .other else {
            throw StorageError(
                .unsafeLocation,
                """
                '\(parent.path(of: name))' is no backup, and a new one needs that name for a while; move it \
                away, or name another folder
                """)
        }
        try folder.requireOwn()
    }

    /// Removes what is in the draft, for another attempt.
    func clear() throws(StorageError) { try unfinished.clear() }

    /// Removes the draft.
    func discard() { unfinished.discard() }

    /// Makes the draft durable, and then gives it its name.
    func finish(_ backup: StoreBackup) throws(StorageError) {
        var files: [BackupMark.File] = []
        try PartitionChecksums.visit(draft, syncing: true) { file, path throws(StorageError) in
            try file.syncData()
            guard path != BackupMark.unfinishedName else { return }
            files.append(BackupMark.File(path: path, size: try file.size()))
        }
        files.sort { $0.path < $1.path }
        try draft.create(BackupMark.fileName, with: BackupMark(backup, files: files).json)
        try draft.removeEntry(BackupMark.unfinishedName)
        try draft.sync()
        try place.exchange()
        try fileSystem.syncNames(of: path)
        try? place.removeReplaced()
        draft.unlock()
    }
}
