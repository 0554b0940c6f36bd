import BackendSelection
import BrowserSessions
import DirectoryBackend
import LevelDBBackend
import SQLiteBackend

extension BackendRegistry {
    /// The backends that this tool knows.
    static func tool() throws(StorageError) -> BackendRegistry {
        try BackendRegistry([.directory, .sqlite, .leveldb])
    }
}
