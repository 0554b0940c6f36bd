internal import BrowserSessions
internal import StorageEngines

/// A log that LevelDB writes to, also held open here to see which writes end in it.
final class LevelDBLiveLog {
    let name: String
    private let file: any OpenFile

    init(_ name: String, in directory: any FileDirectory) throws(StorageError) {
        self.name = name
        file = try directory.open(name, mode: .read)
    }

    /// Returns the bytes that reached the file; LevelDB holds none back when a write returns.
    func size() throws(StorageError) -> Int { try file.size() }
}
