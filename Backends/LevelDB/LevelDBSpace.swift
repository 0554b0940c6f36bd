internal import BrowserSessions
internal import StorageEngines

/// Whether there is room to open a database, which LevelDB needs even for reading.
enum LevelDBSpace {
    /// What opening writes beside the content of the logs.
    private static let reserve = 1 << 20

    /// Throws ``StorageError/Code/outOfSpace`` if there is none, by trying.
    static func check(in files: any FileDirectory) throws(StorageError) {
        var needed = reserve
        for name in try files.names() where name.hasSuffix(".log") {
            needed += try files.writtenBytes(of: name)
        }
        // A name that LevelDB passes over.
        let name = "probe"
        try files.removeEntry(name)
        let file = try files.open(name, .new)
        defer { try? files.removeEntry(name) }
        let zeros = [UInt8](repeating: 0, count: reserve)
        for _ in 0..<(needed + reserve - 1) / reserve { try file.write(zeros) }
    }
}
