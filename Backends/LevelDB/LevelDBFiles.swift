internal import BrowserSessions
internal import CLevelDB
internal import StorageEngines

extension FileDirectory {
    /// Reads a file of LevelDB's, without an unwritten end.
    ///
    /// Throws `StorageError.Code.corrupted` if almost nothing else was written either: reading it
    /// takes as long as its size says.
    func readDatabaseFile(_ name: String) throws(StorageError) -> [UInt8] {
        let file = try open(name, mode: .read)
        let size = try file.writtenSize()
        guard size <= greatestSize(of: name) else {
            throw LevelDBErrors.corrupted("\(name) has \(size) bytes, and almost none was written")
        }
        return try file.read(size, at: 0)
    }

    /// Returns the largest credible size of a file: a written file is not much larger than its
    /// space on the disk, even where the disk compresses it.
    func greatestSize(of name: String) -> Int {
        guard let stamp = LevelDBFileStamp(name, in: self) else { return .max }
        return (64 << 20) + 64 * min(stamp.allocated, 1 << 48)
    }
}

/// Distinguishes a file from any other state of it: a write changes the stamp, and so does a copy.
struct LevelDBFileStamp {
    /// Its space on the disk.
    let allocated: Int
    private let raw: cleveldb_stamp

    /// Returns `nil` if the file's status cannot be read.
    init?(_ name: String, in directory: any FileDirectory) {
        var raw = cleveldb_stamp()
        guard cleveldb_stamp("\(directory.pathForLibraries)/\(name)", &raw) == 0 else { return nil }
        self.raw = raw
        allocated = Int(raw.allocated)
    }

    var text: String { "\(raw.inode) \(raw.changed_seconds).\(raw.changed_nanoseconds)" }
}
