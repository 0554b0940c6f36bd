public import BrowserSessions

extension StorageBackend {
    /// Sessions in plain files: numbered, append-only, checksummed logs and snapshots.
    ///
    /// The fastest saves and restores; all metadata is held in memory while the store is open.
    public static var directory: StorageBackend {
        StorageBackend(
            name: DirectoryEngine.name,
            summary: "numbered logs and snapshots in a directory; fastest, needs no library",
            options: [segmentOption]
        ) { configuration throws(StorageError) in
            var engine = DirectoryEngine()
            if case .integer(let bytes) = configuration.value(of: segmentOption) {
                engine.segmentBytes = bytes
            }
            return try OrderedSessionStorage(opening: configuration, engine: engine)
        }
    }

    private static var segmentOption: StorageOption {
        StorageOption(
            "segmentBytes", .integer(64 << 10...1 << 30),
            default: .integer(DirectoryEngine.defaultSegmentBytes),
            summary: "the size at which a new log file is begun")
    }
}
