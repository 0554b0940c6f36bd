#if FaultyBackends
    import BrowserSessions
    import StorageEngines
    import LocalFiles
    import Synchronization

    /// Faults in locking.
    enum LockFaults {
        /// Opens a store that another opener has.
        @Sendable static func breakLock(_ configuration: StorageConfiguration) throws(StorageError)
            -> any SessionStorage
        {
            do throws(StorageError) {
                return try ReferenceEngine.open(configuration)
            } catch {
                guard error.code == .locked else { throw error }
                return try OrderedSessionStorage(
                    opening: configuration, engine: ReferenceEngine(), on: Unlocked())
            }
        }

        /// Does something before it reports that the store is locked.
        static func whenLocked(
            _ configuration: StorageConfiguration, _ act: () throws(StorageError) -> Void
        ) throws(StorageError) -> any SessionStorage {
            do throws(StorageError) {
                return try ReferenceEngine.open(configuration)
            } catch {
                if error.code == .locked { try act() }
                throw error
            }
        }

        /// Reports once that the store is locked.
        @Sendable static func refuseOnce(_ configuration: StorageConfiguration)
            throws(StorageError) -> any SessionStorage
        {
            let mark = "\(configuration.location)/refused"
            if try FileSystem.exists(mark) { return try breakLock(configuration) }
            return try whenLocked(configuration) { () throws(StorageError) in
                try FileSystem.replace(mark, with: [])
            }
        }

        /// The machine's files, without locks on directories.
        private struct Unlocked: LocalFileSystem {
            let base = PosixFileSystem()
            var user: UInt32 { base.user }

            func status(of path: String) throws(StorageError) -> FileStatus? {
                try base.status(of: path)
            }

            func directory(at path: String) throws(StorageError) -> any FileDirectory {
                UnlockedDirectory(try base.directory(at: path))
            }

            func makeDirectories(_ path: String) throws(StorageError) {
                try base.makeDirectories(path)
            }

            func requireAccess(to path: String) throws(StorageError) {
                try base.requireAccess(to: path)
            }
        }

        private final class UnlockedDirectory: FileDirectoryDecorator {
            let base: any FileDirectory
            init(_ base: any FileDirectory) { self.base = base }
            func lock() -> Bool { true }
            func unlock() {}
        }

        /// Treats an existing file as a lock.
        static func openOnce(_ configuration: StorageConfiguration) throws(StorageError)
            -> any SessionStorage
        {
            let store = try ReferenceEngine.open(configuration)
            let mark = "\(configuration.location)/opened"
            if try FileSystem.exists(mark) {
                throw StorageError(.locked, "somebody has the store")
            }
            try FileSystem.replace(mark, with: [])
            return store
        }
    }

    /// Removes its lock file when it is closed, and only then.
    struct UnlocksAtClose: StorageDecorator {
        let base: any SessionStorage
        let location: String

        func close() async throws(StorageError) {
            try FileSystem.remove("\(location)/opened")
            try await base.close()
        }
    }

    /// Answers a save that comes during another without doing it.
    final class LosesOverlappingSaves: StorageDecorator {
        let base: any SessionStorage
        private let running = Mutex(0)

        init(base: any SessionStorage) { self.base = base }

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            let isAlone = running.withLock { running in
                defer { running += 1 }
                return running == 0
            }
            defer { running.withLock { $0 -= 1 } }
            return try await base.save(isAlone ? changes : SessionChanges(), durability: durability)
        }
    }
#endif
