package import BackendSelection
package import BrowserSessions
import DirectoryBackend
import LevelDBBackend
import SQLiteBackend

extension StorageBackend {
    /// The backends that are part of this package.
    package static let builtIn: [StorageBackend] = [.directory, .sqlite, .leveldb]
}

extension BackendRegistry {
    /// The backends that the tools of this package know.
    package static func tool() throws(StorageError) -> BackendRegistry {
        try BackendRegistry(StorageBackend.builtIn)
    }
}
