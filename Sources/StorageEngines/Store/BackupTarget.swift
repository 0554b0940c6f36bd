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
    /// The folder in which the backup is written, which is empty but for its mark.
    let draft: any FileDirectory
    private let parent: any FileDirectory
    private let name: String
    private let fileSystem: any LocalFileSystem

    private var draftName: String { name + ".unfinished" }
    private var replacedName: String { name + ".replaced" }

    /// Begins a draft. Throws, and changes nothing, if the path cannot hold a backup of the store.
    init(
        _ location: String, of store: String, on fileSystem: any LocalFileSystem
    ) throws(StorageError) {
        let path = try StoreDirectory.plainPath(location)
        let (parentPath, name) = PosixFileSystem.parts(of: path)
        try Self.requireApart(path, from: store, on: fileSystem)
        try Self.requireReplaceable(path, on: fileSystem)
        try fileSystem.makeDirectories(parentPath)
        let parent = try fileSystem.directory(
            at: fileSystem.realPath(of: parentPath) ?? parentPath)
        try Self.requireOwn(name + ".replaced", in: parent, user: fileSystem.user)
        (self.path, self.parent, self.name, self.fileSystem) = (path, parent, name, fileSystem)
        draft = try Self.begin(name + ".unfinished", in: parent, user: fileSystem.user)
    }

    /// Throws if the path is the store's, or leads into it.
    private static func requireApart(
        _ path: String, from store: String, on fileSystem: any LocalFileSystem
    ) throws(StorageError) {
        guard let own = try fileSystem.realPath(of: store) else { return }
        var place = path
        // The nearest folder that is there says where the rest will be.
        while try fileSystem.status(of: place) == nil {
            let parent = PosixFileSystem.parts(of: place).parent
            if parent == place { return }
            place = parent
        }
        guard let real = try fileSystem.realPath(of: place) else { return }
        if real == own || real.hasPrefix(own + "/") {
            throw StorageError(
                .unsafeLocation,
                "'\(path)' is the store itself or inside it; name a folder elsewhere for its backup"
            )
        }
    }

    /// Throws unless nothing, an empty folder, or an unused backup is there.
    private static func requireReplaceable(_ path: String, on fileSystem: any LocalFileSystem)
        throws(StorageError)
    {
        guard let status = try fileSystem.status(of: path) else { return }
        try status.requireOwnDirectory(path, user: fileSystem.user)
        let directory = try fileSystem.directory(at: path)
        let names = try directory.names()
        if names.isEmpty { return }
        guard try BackupMark.read(in: directory) != nil else {
            throw StorageError(
                .unsafeLocation,
                "'\(path)' holds files and is no backup; name an empty or new folder, or a backup")
        }
        guard !names.contains(LockFile.name) else {
            throw StorageError(
                .unsafeLocation,
                """
                the backup at '\(path)' was opened to write since it was made, and may hold what is nowhere \
                else; name another folder
                """)
        }
    }

    /// Makes and locks the draft, after removing one that was not finished.
    private static func begin(_ name: String, in parent: any FileDirectory, user: UInt32)
        throws(StorageError) -> any FileDirectory
    {
        try parent.makeDirectory(name)
        try parent.status(of: name)?.requireOwnDirectory(parent.path(of: name), user: user)
        let draft = try parent.directory(name)
        guard try draft.lock(), try !draft.isRemoved() else {
            throw StorageError(
                .locked, "another process is writing a backup to '\(draft.path)'; try again later")
        }
        do throws(StorageError) {
            try requireOwn(name, in: parent, user: user)
            if try !draft.has(BackupMark.unfinishedName) {
                _ = try draft.open(BackupMark.unfinishedName, mode: .new)
            }
            for name in try draft.names() where name != BackupMark.unfinishedName {
                try draft.remove(name)
            }
        } catch {
            draft.unlock()
            throw error
        }
        return draft
    }

    /// Throws unless nothing, an empty folder, or a backup has the name, finished or not.
    private static func requireOwn(_ name: String, in parent: any FileDirectory, user: UInt32)
        throws(StorageError)
    {
        guard let status = try parent.status(of: name) else { return }
        try status.requireOwnDirectory(parent.path(of: name), user: user)
        let names = try parent.directory(name).names()
        guard names.isEmpty || !BackupMark.names.isDisjoint(with: names) else {
            throw StorageError(
                .unsafeLocation,
                """
                '\(parent.path(of: name))' is no backup, and a new one needs that name for a while; move it \
                away, or name another folder
                """)
        }
    }

    /// Removes what is in the draft, for another attempt.
    func clear() throws(StorageError) {
        for name in try draft.names() where name != BackupMark.unfinishedName {
            try draft.remove(name)
        }
    }

    /// Removes the draft.
    func discard() {
        try? BackupMark.remove(draftName, in: parent)
        draft.unlock()
    }

    /// Makes the draft durable, and then gives it its name.
    func finish(_ backup: StoreBackup) throws(StorageError) {
        try PartitionChecksums.visit(draft, syncing: true) { file, _ throws(StorageError) in
            try file.syncData()
        }
        try draft.create(BackupMark.fileName, with: BackupMark(backup).json)
        try draft.removeEntry(BackupMark.unfinishedName)
        try draft.sync()
        try BackupMark.remove(replacedName, in: parent)
        let isThere = try parent.has(name)
        if isThere { try parent.rename(name, to: replacedName) }
        do throws(StorageError) {
            try parent.rename(draftName, to: name, in: nil, replacing: false)
        } catch {
            if isThere { try? parent.rename(replacedName, to: name) }
            throw error
        }
        try fileSystem.syncNames(of: path)
        try? BackupMark.remove(replacedName, in: parent)
        draft.unlock()
    }
}
