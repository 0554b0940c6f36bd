#if FaultyBackends
    import BrowserSessions
    import Synchronization

    /// Treats a second close as an error.
    final class ClosesOnce: StorageDecorator {
        let base: any SessionStorage
        private let isClosed = Mutex(false)

        init(base: any SessionStorage) { self.base = base }

        func close() async throws(StorageError) {
            let wasClosed = isClosed.withLock { isClosed in
                defer { isClosed = true }
                return isClosed
            }
            if wasClosed { throw StorageError(.closed, "closed already", operation: "close") }
            try await base.close()
        }
    }

    extension FaultyBackend {
        /// Finds nothing in a closed store.
        static func takingClosedForEmpty(_ base: any SessionStorage) -> AlteredStorage {
            AlteredStorage(
                base: base,
                onSessions: { base throws(StorageError) in
                    do throws(StorageError) {
                        return try await base.sessions()
                    } catch {
                        guard error.code == .closed else { throw error }
                        return []
                    }
                })
        }
    }

    /// Releases nothing until the last reference goes.
    struct KeepsTheLock: StorageDecorator {
        let base: any SessionStorage
        func close() async throws(StorageError) {}
    }

    /// Drops, when it closes, everything that no save required on the disk.
    final class DropsUnsynced: StorageDecorator {
        let base: any SessionStorage
        private let unsynced = Mutex(SessionChanges())

        init(base: any SessionStorage) { self.base = base }

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            for case .putSession(let id, _) in changes.changes where durability < .powerLoss {
                unsynced.withLock { $0.remove(id) }
            }
            return try await base.save(changes, durability: durability)
        }

        func close() async throws(StorageError) {
            let dropped = unsynced.withLock(\.self)
            if !dropped.isEmpty { _ = try await base.save(dropped) }
            try await base.close()
        }
    }

    /// Applies the saves that arrive while it closes, and denies them.
    final class AppliesWhileClosing: StorageDecorator {
        let base: any SessionStorage
        private let isClosing = Mutex(false)

        init(base: any SessionStorage) { self.base = base }

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            let receipt = try await base.save(changes, durability: durability)
            guard isClosing.withLock(\.self) else { return receipt }
            throw StorageError(.closed, "the store is closed", operation: "save")
        }

        func close() async throws(StorageError) {
            isClosing.withLock { $0 = true }
            // Each answer lets through the saves that wait in the store's queue.
            for _ in 0..<50 { _ = try await base.sessions() }
            try await base.close()
        }
    }

    /// Acknowledges saves while it closes, and keeps none of them.
    final class DropsWhileClosing: StorageDecorator {
        let base: any SessionStorage
        private let isClosing = Mutex(false)
        private let hasLied = Mutex(false)

        init(base: any SessionStorage) { self.base = base }

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            let isFirst = hasLied.withLock { hasLied in
                defer { hasLied = hasLied || isClosing.withLock(\.self) }
                return !hasLied && isClosing.withLock(\.self)
            }
            guard isFirst else {
                return try await base.save(changes, durability: durability)
            }
            return SaveReceipt(sequence: 1, durability: durability)
        }

        func close() async throws(StorageError) {
            isClosing.withLock { $0 = true }
            // Each answer lets through the saves that wait in the store's queue.
            for _ in 0..<50 { _ = try await base.sessions() }
            try await base.close()
        }
    }
#endif
