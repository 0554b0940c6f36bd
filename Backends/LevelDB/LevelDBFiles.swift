internal import BrowserSessions
internal import CLevelDB
internal import StorageEngines

extension FileDirectory {
    /// A file of LevelDB's, without what was never written to at its end.
    ///
    /// Throws `StorageError.Code.corrupted` if almost nothing else was written to either: reading it takes
    /// as long as its size says.
    func readDatabaseFile(_ name: String) throws(StorageError) -> [UInt8] {
        let file = try open(name, .read)
        let size = try file.writtenSize()
        guard size <= greatestSize(of: name) else {
            throw LevelDBErrors.corrupted("\(name) has \(size) bytes, and almost none was written")
        }
        return try file.read(size, at: 0)
    }

    /// How large a file may say it is: no one that was written is much larger than what it takes of the
    /// disk, even where that compresses.
    func greatestSize(of name: String) -> Int {
        guard let stamp = LevelDBFileStamp(name, in: self) else { return .max }
        return (64 << 20) + 64 * min(stamp.allocated, 1 << 48)
    }
}

/// What distinguishes a file from any other state of it: a write changes it, and so does a copy.
struct LevelDBFileStamp {
    /// What it takes of the disk.
    let allocated: Int
    private let raw: cleveldb_stamp

    /// `nil` if the file cannot be asked.
    init?(_ name: String, in directory: any FileDirectory) {
        var raw = cleveldb_stamp()
        guard cleveldb_stamp("\(directory.pathForLibraries)/\(name)", &raw) == 0 else { return nil }
        self.raw = raw
        allocated = Int(raw.allocated)
    }

    var text: String { "\(raw.inode) \(raw.changed_seconds).\(raw.changed_nanoseconds)" }
}
