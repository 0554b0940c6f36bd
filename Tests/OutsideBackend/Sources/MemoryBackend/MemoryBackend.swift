public import BrowserSessions
import StorageEngines

extension StorageBackend {
    /// Sessions in memory: they outlive a closed store, and end with the process.
    public static let memory: StorageBackend = {
        let engine = MemoryEngine()
        return StorageBackend(
            name: engine.name, summary: "sessions in memory, gone with the process",
            remove: { configuration throws(StorageError) in
                try OrderedSessionStorage.remove(configuration, engine: engine)
            }
        ) { configuration throws(StorageError) in
            try OrderedSessionStorage(opening: configuration, engine: engine)
        }
    }()
}
