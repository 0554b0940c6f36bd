public import BrowserSessions

extension OrderedSessionStorage {
    /// Copies the regular partition of a store to a folder beside its owner; see
    /// `StorageBackend.backUp(_:to:)`.
    ///
    /// - Parameter configuration: says where the store is.
    /// - Parameter engine: the engine that made it.
    /// - Parameter path: the folder of the backup.
    /// - Parameter fileSystem: the file system of both; tests may supply their own.
    /// - Parameter environment: the clock and the randomness; tests may supply their own.
    public static func backUp(
        _ configuration: StorageConfiguration,
        engine: any FileEngine,
        to path: String,
        on fileSystem: any LocalFileSystem = PosixFileSystem(),
        in environment: StoreEnvironment = .system
    ) throws(StorageError) -> StoreBackup {
        do throws(StorageError) {
            // Before anything is made: a store that is not there has no backup.
            try requireReaders(of: engine)
            let location = try StoreDirectory.plainPath(configuration.location)
            guard try fileSystem.status(of: location) != nil else {
                throw StoreDirectory.absent(location)
            }
            let target = try BackupTarget(path, of: location, on: fileSystem)
            do throws(StorageError) {
                let reader = try reader(configuration, engine, environment) {
                    configuration throws(StorageError) in
                    try openCopy(configuration, engine, fileSystem, environment, in: target)
                }
                return try finish(target, reader, engine)
            } catch {
                target.discard()
                throw error
            }
        } catch { throw error.during("back up").about(configuration.location) }
    }

    /// Closes the copy, so that it is a store that was closed, and completes the backup.
    private static func finish(
        _ target: BackupTarget, _ reader: StoreReader, _ engine: any FileEngine
    ) throws(StorageError) -> StoreBackup {
        guard let store = reader.base as? OrderedSessionStorage else {
            throw StorageError(.failed, "the copy is no store")
        }
        let fingerprint = try store.withState("back up") {
            try $0.open().regular.index.sessionFingerprint
        }
        try store.closeBlocking()
        do {
            let records = try target.draft.directory(StoragePartition.regular.rawValue)
            try engine.removeDispensable(in: records)
        } catch { throw StorageError(ofEngine: error) }
        // It names this process, and shows that a backup is in use.
        try target.draft.removeEntry(StoreHolder.name)
        let digits = String(fingerprint, radix: 16)
        var bytes = 0
        for name in try target.draft.names() { bytes += try target.draft.bytes(of: name) }
        let backup = StoreBackup(
            path: target.path, store: try StoreIdentity.found(in: target.draft)?.id ?? "",
            backend: engine.name, sequence: reader.sequence,
            bytes: bytes, digest: String(repeating: "0", count: 16 - digits.count) + digits,
            asOf: reader.asOf)
        try target.finish(backup)
        return backup
    }
}
