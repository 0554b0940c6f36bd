internal import BrowserSessions
internal import StorageEngines

extension FileDirectory {
    /// A file of LevelDB's, without what was never written to at its end.
    func readDatabaseFile(_ name: String) throws(StorageError) -> [UInt8] {
        let file = try open(name, .read)
        return try file.read(try file.writtenSize(), at: 0)
    }
}
