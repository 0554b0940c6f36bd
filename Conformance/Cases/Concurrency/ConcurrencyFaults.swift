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
                return try open(configuration, on: Altered<Unlocked>())
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

        /// A store on a machine with directories that have a fault.
        static func open(_ configuration: StorageConfiguration, on system: any LocalFileSystem)
            throws(StorageError) -> any SessionStorage
        {
            try OrderedSessionStorage(
                opening: configuration, engine: ReferenceEngine(), on: system)
        }

        /// The machine's files, with other directories.
        struct Altered<Directory: AlteredDirectory>: LocalFileSystem {
            let base = PosixFileSystem()
            var user: UInt32 { base.user }

            func status(of path: String) throws(StorageError) -> FileStatus? {
                try base.status(of: path)
            }

            func directory(at path: String) throws(StorageError) -> any FileDirectory {
                Directory(try base.directory(at: path))
            }

            func makeDirectories(_ path: String) throws(StorageError) {
                try base.makeDirectories(path)
            }

            func requireAccess(to path: String) throws(StorageError) {
                try base.requireAccess(to: path)
            }
        }

        /// A directory without a lock, that does not say who has it.
        final class Unlocked: AlteredDirectory {
            let base: any FileDirectory
            init(_ base: any FileDirectory) { self.base = base }
            func lock() -> Bool { true }
            func unlock() {}
            func open(_ name: String, mode: FileMode) throws(StorageError) -> any OpenFile {
                try base.open(name == "lock" && mode == .read ? "nothing" : name, mode: mode)
            }
        }

        /// A directory that does not say when a name leads to another file.
        final class Unwatched: AlteredDirectory {
            let base: any FileDirectory
            init(_ base: any FileDirectory) { self.base = base }
            func stamp(of name: String, timed: Bool) -> FileStamp? {
                FileStamp(file: 1, size: 1, changed: 1)
            }
            func directory(_ name: String) throws(StorageError) -> any FileDirectory {
                Unwatched(try base.directory(name))
            }
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

    protocol AlteredDirectory: FileDirectoryDecorator { init(_ base: any FileDirectory) }

    extension FaultyBackend {
        /// Takes a name for the file that it led to before.
        static func unwatched(_ name: String, says message: String) -> FaultyBackend {
            FaultyBackend(name, says: message) { configuration throws(StorageError) in
                try LockFaults.open(configuration, on: LockFaults.Altered<LockFaults.Unwatched>())
            }
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

    /// Deletes incognito also where the store was when it was opened.
    struct DeletesByPath: StorageDecorator {
        let base: any SessionStorage
        let path: String

        func deleteIncognito() async throws(StorageError) {
            try await base.deleteIncognito()
            try FileSystem.remove(path)
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
