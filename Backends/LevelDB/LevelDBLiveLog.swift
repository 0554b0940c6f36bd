internal import BrowserSessions
internal import CLevelDB

/// A log that LevelDB writes to, held open beside it to see which writes end there.
final class LevelDBLiveLog {
    let name: String
    private let file: FileDescriptor

    init(_ name: String, in directory: String) throws(StorageError) {
        self.name = name
        file = try FileDescriptor(opening: "\(directory)/\(name)", CLEVELDB_READ)
    }

    /// The bytes that reached the file; LevelDB keeps none back when a write returns.
    func size() throws(StorageError) -> Int { try file.size() }
}
