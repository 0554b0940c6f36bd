internal import BrowserSessions
internal import StorageEngines

/// A log that LevelDB writes to, held open beside it to see which writes end there.
final class LevelDBLiveLog {
    let name: String
    private let file: any OpenFile

    init(_ name: String, in directory: any FileDirectory) throws(StorageError) {
        self.name = name
        file = try directory.open(name, .read)
    }

    /// The bytes that reached the file; LevelDB keeps none back when a write returns.
    func size() throws(StorageError) -> Int { try file.size() }

    func isRemoved() throws(StorageError) -> Bool { try file.isRemoved() }
}
