#if FaultyBackends
    import BrowserSessions
    import StorageEngines

    /// Saves something different from what it was given.
    struct EditsSets: StorageDecorator {
        let base: any SessionStorage
        let edit: @Sendable (SessionChanges.Change) throws(StorageError) -> SessionChanges.Change

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            var edited = SessionChanges()
            edited.commitID = changes.commitID
            edited.expectedSequence = changes.expectedSequence
            for change in changes.changes { edited.add(try edit(change)) }
            return try await base.save(edited, durability: durability)
        }
    }

    struct ListsFewSessions: StorageDecorator {
        let base: any SessionStorage
        func sessions() async throws(StorageError) -> [SessionID] {
            Array(try await base.sessions().prefix(128))
        }
    }

    /// Treats only sessions of the kind `incognito` as incognito.
    struct KeepsOwnIncognito: StorageDecorator {
        let base: any SessionStorage
        func deleteIncognito() async throws(StorageError) {
            var kept = SessionChanges()
            for id in try await base.sessions() where id.kind.rawValue.hasPrefix("incognito-") {
                guard let session = try await base.restore(id) else { continue }
                kept.put(session.attributes, for: id)
            }
            try await base.deleteIncognito()
            if !kept.isEmpty { _ = try await base.save(kept) }
        }
    }

    struct RefusesLargeSets: StorageDecorator {
        let base: any SessionStorage
        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            var bytes = 0
            for case .putState(let state, _) in changes.changes { bytes += state.count }
            guard bytes <= 32 << 20 else {
                throw StorageError(.tooLarge, "the set is too large", operation: "save")
            }
            return try await base.save(changes, durability: durability)
        }
    }
#endif
