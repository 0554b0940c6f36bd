#if FaultyBackends
    import BrowserSessions
    import Synchronization

    /// Ways to get a lock wrong.
    enum LockFaults {
        /// Takes away the lock that is in the way.
        @Sendable static func breakLock(_ configuration: StorageConfiguration) throws(StorageError)
            -> any SessionStorage
        {
            do throws(StorageError) {
                return try ReferenceEngine.open(configuration)
            } catch {
                guard error.code == .locked else { throw error }
                try FileSystem.remove("\(configuration.location)/lock")
                return try ReferenceEngine.open(configuration)
            }
        }

        /// Does something before it says that the store is locked.
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

        /// Takes a file that is there for a lock.
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

    /// Saves the sessions of a set one after the other.
    struct SavesInTwoSteps: StorageDecorator {
        let base: any SessionStorage

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            let middle = changes.changes.count / 2
            for part in [changes.changes[..<middle], changes.changes[middle...]] {
                var half = SessionChanges()
                for change in part { half.add(change) }
                _ = try await base.save(half, durability: durability)
                for _ in 0..<4 { _ = try await base.sessions() }
            }
            return try await base.save(SessionChanges(), durability: durability)
        }
    }

    /// Takes every save for one without condition.
    struct IgnoresExpectedSequence: StorageDecorator {
        let base: any SessionStorage

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            var changes = changes
            changes.expectedSequence = nil
            return try await base.save(changes, durability: durability)
        }
    }
#endif
