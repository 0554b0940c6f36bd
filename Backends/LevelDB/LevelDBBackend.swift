public import BrowserSessions

extension StorageBackend {
    /// Sessions in one LevelDB database, whose saves cost hardly more than the disk's own sync.
    ///
    /// Opening takes milliseconds and needs some free space, even for reading.
    public static var leveldb: StorageBackend {
        StorageBackend(
            name: LevelDBEngine.name,
            summary: "one LevelDB database; fast saves at any size, opening takes longer",
            options: [compressionOption]
        ) { configuration throws(StorageError) in
            var engine = LevelDBEngine()
            if case .text(let text) = configuration.value(of: compressionOption) {
                engine.compression = LevelDBCompression(rawValue: text) ?? .none
            }
            return try OrderedSessionStorage(opening: configuration, engine: engine)
        }
    }

    private static var compressionOption: StorageOption {
        StorageOption(
            "compression", .choice(LevelDBCompression.allCases.map(\.rawValue)),
            default: .text(LevelDBCompression.none.rawValue),
            summary: "how tables keep their blocks; snappy is smaller, but slower to read")
    }
}
