internal import BrowserSessions
internal import StorageEngines

/// Checks for the space that LevelDB needs to open a database, even for reading.
enum LevelDBSpace {
    /// What opening writes beside the content of the logs, in bytes.
    private static let reserve = 1 << 20

    /// Throws ``StorageError/Code/outOfSpace`` if there is too little space, by trying.
    static func check(in files: any FileDirectory) throws(StorageError) {
        var needed = reserve
        for name in try files.names() where name.hasSuffix(".log") {
            needed += try files.writtenBytes(of: name)
        }
        // A name that LevelDB ignores.
        let name = "probe"
        try files.removeEntry(name)
        let file = try files.open(name, mode: .new)
        defer { try? files.removeEntry(name) }
        let zeros = [UInt8](repeating: 0, count: reserve)
        for _ in 0..<(needed + reserve - 1) / reserve { try file.write(zeros) }
    }
}
