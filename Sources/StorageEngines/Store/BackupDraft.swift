package import BrowserSessions

/// A folder in which a backup is made, with the mark of an unfinished one and a lock.
///
/// What a killed process leaves of it goes with the next draft of the same name, and with
/// ``BrowserSessions/StoreBackup/removeUnfinished(in:on:)``.
package struct BackupDraft: Sendable {
    /// The folder, which is empty at first but for the mark.
    package let directory: any FileDirectory
    /// The folder around it, which is opened once.
    package let parent: any FileDirectory
    private let name: String

    /// Begins a draft for a backup in a form of its own, such as an archive.
    ///
    /// Throws `unsafeLocation` if the path is the store's or inside it, or if something else has the name
    /// of the draft, and `locked` if another process is at it.
    ///
    /// - Parameters:
    ///   - path: the path of the backup. The draft is beside it, with `.unfinished` at its end.
    ///   - store: the folder of the store.
    ///   - examine: throws if something in the folder around it may not be replaced.
    package init(
        of path: String, from store: String,
        _ examine: (any FileDirectory) throws(StorageError) -> Void
    ) throws(StorageError) {
        let fileSystem = PosixFileSystem()
        let (parentPath, name) = PosixFileSystem.parts(of: try StoreDirectory.plainPath(path))
        try fileSystem.requireApart(path, from: store)
        try fileSystem.makeDirectories(parentPath)
        let parent = try PosixDirectory(opening: parentPath, followingLink: true)
        try examine(parent)
        try self.init(
            BackupPlace(name, in: parent).draftName, in: parent, user: fileSystem.user)
    }

    /// Makes and locks the draft, after removing one that was not finished.
    init(_ name: String, in parent: any FileDirectory, user: UInt32) throws(StorageError) {
        try parent.makeDirectory(name)
        try parent.status(of: name)?.requireOwnDirectory(parent.path(of: name), user: user)
        let draft = try parent.directory(name)
        guard try draft.lock(), try draft.whereabouts() != .removed else {
            throw StorageError(
                .locked, "another process is writing a backup to '\(draft.path)'; try again later")
        }
        (directory, self.name, self.parent) = (draft, name, parent)
        do throws(StorageError) {
            try BackupTarget.requireOwn(name, in: parent, user: user)
            try mark()
            try clear()
        } catch {
            draft.unlock()
            throw error
        }
    }

    /// Makes the mark durable: no file may outlast it, nor be there before it.
    private func mark() throws(StorageError) {
        let mark = BackupMark.unfinishedName
        switch try directory.status(of: mark)?.size {
        case nil: _ = try directory.open(mark, mode: .new)
        case 0: break
        // A removal left its list.
        default: try directory.replace(mark, with: [])
        }
        try directory.sync()
    }

    /// Removes what is in the draft.
    func clear() throws(StorageError) { try BackupFolder(directory).clear() }

    func unlock() { directory.unlock() }

    /// Removes the draft, as far as that is possible.
    package func discard() {
        // Something else may have its name by now.
        if case .inPlace? = try? directory.whereabouts() {
            try? BackupFolder.remove(name, in: parent)
        }
        unlock()
    }
}
