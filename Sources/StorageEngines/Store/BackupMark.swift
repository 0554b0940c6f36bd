public import BrowserSessions

/// The file of a backup that says what it is, and that it is complete.
struct BackupMark: Equatable {
    static let fileName = "backup.json"
    /// What a backup has instead until it is complete.
    static let unfinishedName = "backup.unfinished"
    /// A backup has one of these names, finished or not.
    static let names: Set<String> = [fileName, unfinishedName]
    private static let largest = 4096

    var backup: StoreBackup

    private var text: String {
        """
        {
          "backend": "\(backup.backend)",
          "changeSet": \(backup.sequence),
          "bytes": \(backup.bytes),
          "digest": "\(backup.digest)",
          "microseconds": \(backup.asOf.microseconds),
        """
    }

    /// A JSON object of strings and numbers, one on each line.
    var json: [UInt8] {
        let checksum = CRC32C.checksum([UInt8](text.utf8))
        return [UInt8]("\(text)\n  \"checksum\": \(checksum)\n}\n".utf8)
    }

    /// Returns `nil` unless the folder holds a whole mark.
    static func read(in directory: any FileDirectory) throws(StorageError) -> BackupMark? {
        guard let status = try directory.status(of: fileName), status.kind == .file,
            status.size <= largest
        else { return nil }
        return BackupMark(json: try directory.read(fileName), path: directory.path)
    }

    /// Removes a backup, its mark last: what a killed process leaves of it can still be recognized.
    static func remove(_ name: String, in parent: any FileDirectory) throws(StorageError) {
        guard try parent.has(name) else { return }
        let directory = try parent.directory(name)
        for name in try directory.names() where !names.contains(name) {
            try directory.remove(name)
        }
        try parent.remove(name)
    }

    init(_ backup: StoreBackup) { self.backup = backup }

    private init?(json: [UInt8], path: String) {
        var values: [Substring: String] = [:]
        for line in String(decoding: json, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let bare = parts.map { $0.filter { !" ,\"".contains($0) } }
            values[Substring(bare[0])] = bare[1]
        }
        guard let backend = values["backend"], let digest = values["digest"],
            let sequence = values["changeSet"].flatMap({ UInt64($0) }),
            let bytes = values["bytes"].flatMap({ Int($0) }),
            let time = values["microseconds"].flatMap({ Int64($0) })
        else { return nil }
        backup = StoreBackup(
            path: path, backend: backend, sequence: sequence, bytes: bytes, digest: digest,
            asOf: Timestamp(microseconds: time))
        guard json == self.json else { return nil }
    }
}

extension StoreBackup {
    /// Returns the complete backup in a folder, as `StorageBackend.backUp(_:to:)` made it; `nil` if
    /// there is none, or if it was opened to write since. Nothing is opened or changed.
    public static func found(at path: String) throws(StorageError) -> StoreBackup? {
        let fileSystem = PosixFileSystem()
        guard try fileSystem.status(of: path)?.kind == .directory else { return nil }
        let directory = try fileSystem.directory(at: path)
        guard try !directory.has(LockFile.name) else { return nil }
        return try BackupMark.read(in: directory)?.backup
    }

    /// Removes what killed processes left of backups in a folder: whatever has a name that only an
    /// unfinished or a replaced backup has, a mark of ours, and no process that writes it.
    public static func removeUnfinished(in path: String) throws(StorageError) {
        let parent = try PosixDirectory(opening: path, followingLink: true)
        for name in try parent.names()
        where name.hasSuffix(".unfinished") || name.hasSuffix(".replaced") {
            guard try parent.status(of: name)?.kind == .directory else { continue }
            let directory = try parent.directory(name)
            guard try !BackupMark.names.isDisjoint(with: directory.names()),
                try directory.lock()
            else { continue }
            defer { directory.unlock() }
            try BackupMark.remove(name, in: parent)
        }
    }

    /// Removes the complete backup in a folder, as ``found(at:)`` finds it. Returns `false`, and removes
    /// nothing, if there is none.
    @discardableResult
    public static func remove(at path: String) throws(StorageError) -> Bool {
        guard try found(at: path) != nil else { return false }
        let (parent, name) = PosixFileSystem.parts(of: path)
        try BackupMark.remove(name, in: PosixDirectory(opening: parent, followingLink: true))
        return true
    }
}
