internal import BrowserSessions
internal import CLevelDB

/// Whether there is room to open a database, which LevelDB needs even for reading.
enum LevelDBSpace {
    /// What opening writes beside the content of the logs.
    private static let reserve = 1 << 20

    /// Throws ``StorageError/Code/outOfSpace`` if there is none, by trying.
    static func check(for database: String) throws(StorageError) {
        var needed = reserve
        for name in try FileSystem.contents(of: database) where name.hasSuffix(".log") {
            needed += try FileSystem.status("\(database)/\(name)")?.size ?? 0
        }
        let path = database + ".probe"
        try FileSystem.remove(path)
        let file = try FileDescriptor(opening: path, CLEVELDB_NEW)
        defer { try? FileSystem.remove(path) }
        let zeros = [UInt8](repeating: 0, count: reserve)
        for _ in 0..<(needed + reserve - 1) / reserve { try file.write(zeros) }
    }
}
