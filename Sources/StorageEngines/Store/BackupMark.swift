import BrowserSessions

/// The file of a backup that says what it is, which files it has, and that it is complete.
struct BackupMark: Equatable {
    static let fileName = "backup.json"
    /// What a backup has instead until it is complete, and while it is removed.
    static let unfinishedName = "backup.unfinished"
    /// A backup has one of these names, finished or not.
    static let names: Set<String> = [fileName, unfinishedName]
    static let largest = 1 << 24

    /// A file of the backup, by its path below the folder.
    struct File: Equatable {
        var path: String
        var size: Int
    }

    var backup: StoreBackup
    /// All files but the mark, ascending by path.
    var files: [File]

    private var text: String {
        let files = files.map { file in
            let path = PercentEncoding.text(PathText.bytes(file.path), uppercase: false)
            return "    \"\(path)\": \(file.size)"
        }
        let store = backup.store.isEmpty ? "" : "  \"store\": \"\(backup.store)\",\n"
        return """
            {
            \(store)  "backend": "\(backup.backend)",
              "changeSet": \(backup.sequence),
              "bytes": \(backup.bytes),
              "digest": "\(backup.digest)",
              "microseconds": \(backup.asOf.microseconds),
              "files": {
            \(files.joined(separator: ",\n"))
              },
            """
    }

    /// A JSON object with a string or number on each line.
    var json: [UInt8] {
        let checksum = CRC32C.checksum([UInt8](text.utf8))
        return [UInt8]("\(text)\n  \"checksum\": \(checksum)\n}\n".utf8)
    }

    /// Returns `nil` unless the directory holds a whole mark with the name.
    static func read(_ name: String = fileName, in directory: any FileDirectory)
        throws(StorageError) -> BackupMark?
    {
        try directory.read(name, ifAtMost: largest).flatMap {
            BackupMark(json: $0, path: directory.path)
        }
    }

    init(_ backup: StoreBackup, files: [File]) {
        (self.backup, self.files) = (backup, files)
    }

    init?(json: [UInt8], path: String) {
        var values: [Substring: String] = [:]
        files = []
        for line in String(decoding: json, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let bare = parts.map { $0.filter { !" ,\"".contains($0) } }
            if line.hasPrefix("    ") {
                guard let path = PercentEncoding.bytes(bare[0]), let size = Int(bare[1])
                else { return nil }
                files.append(File(path: PathText.text(path), size: size))
            } else {
                values[Substring(bare[0])] = bare[1]
            }
        }
        guard let backend = values["backend"], let digest = values["digest"],
            let sequence = values["changeSet"].flatMap({ UInt64($0) }),
            let bytes = values["bytes"].flatMap({ Int($0) }),
            let time = values["microseconds"].flatMap({ Int64($0) })
        else { return nil }
        backup = StoreBackup(
            path: path, store: values["store"] ?? "", backend: backend, sequence: sequence,
            bytes: bytes, digest: digest,
            asOf: Timestamp(microseconds: time))
        guard json == self.json else { return nil }
    }
}
