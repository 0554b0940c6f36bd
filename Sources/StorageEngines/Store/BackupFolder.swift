import BrowserSessions

/// A folder that holds a backup, what is left of one, or something else.
struct BackupFolder {
    enum Kind {
        case empty
        /// A backup that is being written or removed, or was until its process ended.
        case unfinished
        /// A backup that was complete when it got its mark.
        case complete
        case other
    }

    let directory: any FileDirectory
    let kind: Kind
    /// The mark with the list of files. A backup that is being written has none yet.
    let mark: BackupMark?
    /// Whether it was opened to write, so that it may hold what is nowhere else.
    let isUsed: Bool
    private let names: [String]

    init(_ directory: any FileDirectory) throws(StorageError) {
        self.directory = directory
        names = try directory.names()
        isUsed = names.contains(StoreHolder.name)
        if let found = try BackupMark.read(in: directory) {
            (kind, mark) = (.complete, found)
        } else if try directory.status(of: BackupMark.unfinishedName)?.kind == .file {
            // A folder of the name is the draft of a backup with the name `backup`.
            kind = .unfinished
            mark = try BackupMark.read(BackupMark.unfinishedName, in: directory)
        } else {
            (kind, mark) = (names.isEmpty ? .empty : .other, nil)
        }
    }

    /// Returns `nil` if no directory of this user has the name.
    init?(_ name: String, in parent: any FileDirectory) throws(StorageError) {
        guard let status = try parent.status(of: name), status.kind == .directory,
            status.owner == parent.user
        else { return nil }
        try self.init(try parent.directory(name))
    }

    /// Whether a removal of the backup was interrupted.
    var isHalfRemoved: Bool { kind == .unfinished && mark != nil }

    /// Whether it is a backup in which all files are there, with their sizes, and that was not used.
    func isWhole() throws(StorageError) -> Bool {
        guard kind == .complete, !isUsed else { return false }
        return try damage() == nil
    }

    /// Returns what is wrong with the files of the mark; `nil` if they are all there with their sizes.
    func damage() throws(StorageError) -> String? {
        guard let mark else { return nil }
        let found = try sizes(in: directory)
        for file in mark.files {
            guard let size = found[file.path] else { return "'\(file.path)' is missing" }
            if size != file.size {
                return "'\(file.path)' has \(max(size, 0)) bytes and had \(file.size)"
            }
        }
        return nil
    }

    /// Throws unless all that is there belongs to a backup that was not used, so that it may go.
    func requireOwn() throws(StorageError) {
        let path = directory.path
        guard kind != .other else {
            throw StorageError(
                .unsafeLocation,
                "'\(path)' holds files and is no backup; name an empty or new folder, or a backup")
        }
        guard let mark else { return }
        guard kind != .complete || !isUsed else {
            throw StorageError(
                .unsafeLocation,
                """
                the backup at '\(path)' was opened to write since it was made, and may hold what is nowhere \
                else; name another folder
                """)
        }
        let own = Set(mark.files.map(\.path))
        let others = try sizes(in: directory).keys.filter { !own.contains($0) }
        if let other = others.min() {
            throw StorageError(
                .unsafeLocation,
                """
                '\(path)/\(other)' is no file of the backup in that folder, so the backup is not replaced or \
                removed; move the file away
                """)
        }
    }

    /// Returns the sizes of all files but the marks, by path; -1 for what is neither file nor directory.
    private func sizes(in directory: any FileDirectory, below path: String = "")
        throws(StorageError) -> [String: Int]
    {
        var found: [String: Int] = [:]
        for name in try directory.names() {
            if path.isEmpty, BackupMark.names.contains(where: { [$0, $0 + ".new"].contains(name) })
            {
                continue
            }
            guard let status = try directory.status(of: name) else { continue }
            switch status.kind {
            case .file: found[path + name] = status.size
            case .directory:
                let inner = try directory.directory(name)
                found.merge(try sizes(in: inner, below: "\(path)\(name)/")) { $1 }
            case .link, .other: found[path + name] = -1
            }
        }
        return found
    }

    /// Removes the folder. Throws, and removes nothing, unless all in it may go.
    ///
    /// From before the first file goes until after the last, durably, it has the mark of an unfinished
    /// backup: whatever a killed process or a power cut leaves of it is no backup, and is recognized.
    static func remove(_ name: String, in parent: any FileDirectory) throws(StorageError) {
        guard let folder = try BackupFolder(name, in: parent) else { return }
        try folder.requireOwn()
        let directory = folder.directory
        if folder.kind == .complete {
            try directory.rename(BackupMark.fileName, to: BackupMark.unfinishedName)
        }
        try directory.sync()
        try folder.clear()
        try directory.removeEntry(BackupMark.unfinishedName)
        try parent.removeEntry(name)
        try parent.sync()
    }

    /// Removes all but the mark of an unfinished backup, durably: the list of a backup that was here must not
    /// come back beside the files of another.
    func clear() throws(StorageError) {
        let names = try directory.names().filter { $0 != BackupMark.unfinishedName }
        if names.isEmpty { return }
        for name in names { try directory.remove(name) }
        try directory.sync()
    }
}
