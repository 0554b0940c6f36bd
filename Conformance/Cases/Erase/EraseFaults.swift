#if FaultyBackends
    import BrowserSessions
    import LocalFiles
    import SessionSamples

    /// A store that erases in a different way.
    struct ErasesOtherwise: StorageDecorator {
        let base: any SessionStorage
        let erase: @Sendable (any SessionStorage) async throws(StorageError) -> Void

        func eraseRemoved() async throws(StorageError) { try await erase(base) }
    }

    enum EraseFaults {
        /// Erases, and removes one of the states with it.
        @Sendable static func losesState(_ store: any SessionStorage) async throws(StorageError) {
            try await store.eraseRemoved()
            for session in try await store.sessions() {
                guard let key = try await store.stateKeys(in: session).first else { continue }
                var changes = SessionChanges()
                changes.remove(key)
                _ = try await store.save(changes)
                return
            }
        }

        /// Takes everything out, and puts it back into the empty store.
        @Sendable static func emptiesAndFills(_ store: any SessionStorage)
            async throws(StorageError)
        {
            var filling = SessionChanges()
            var emptying = SessionChanges()
            for session in try await store.restore(store.sessions()) {
                emptying.remove(session.id)
                filling.put(session.attributes, for: session.id)
                for tab in session.tabs { filling.put(tab, in: session.id) }
                let keys = try await store.stateKeys(in: session.id)
                for (key, bytes) in try await store.states(of: keys) {
                    filling.put(bytes, for: key)
                }
            }
            _ = try await store.save(emptying, durability: .powerLoss)
            try await store.eraseRemoved()
            _ = try await store.save(filling, durability: .powerLoss)
        }
    }

    /// Restores a folder that was there before it erased.
    struct KeepsFolder: StorageDecorator {
        let base: any SessionStorage
        let path: String

        func eraseRemoved() async throws(StorageError) {
            let copy = "\(path) kept"
            try? FileSystem.copy(path, to: copy)
            try await base.eraseRemoved()
            try? FileSystem.remove(path)
            try? FileSystem.copy(copy, to: path)
            try? FileSystem.remove(copy)
        }
    }

    /// Erases nothing, but lists no restore points any more.
    final class HidesPoints: StorageDecorator {
        let base: any SessionStorage
        private let areHidden = Flag()

        init(base: any SessionStorage) { self.base = base }

        func eraseRemoved() async throws(StorageError) { areHidden.set(true) }

        func restorePoints() async throws(StorageError) -> [RestorePoint] {
            areHidden.isSet ? [] : try await base.restorePoints()
        }
    }
#endif
