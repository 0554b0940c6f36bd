public import BrowserSessions

extension StorageBackend {
    /// Sessions in memory, in order: gone when the process ends.
    public static let memory = memory(MemoryEngine())

    private static func memory(_ engine: MemoryEngine) -> StorageBackend {
        StorageBackend(name: engine.name, summary: "sessions in memory, gone with the process") {
            configuration throws(StorageError) in
            try OrderedSessionStorage(opening: configuration, engine: engine)
        }
    }
}
