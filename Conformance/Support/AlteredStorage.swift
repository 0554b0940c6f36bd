#if FaultyBackends
    import BrowserSessions

    /// A store with some calls replaced, which is the shortest way to write a faulty one. Each
    /// replacement gets the sound store.
    struct AlteredStorage: StorageDecorator {
        typealias Store = any SessionStorage

        let base: any SessionStorage
        var onSave:
            (
                @Sendable (Store, SessionChanges, Durability) async throws(StorageError)
                    -> SaveReceipt
            )?
        var onRestore:
            (
                @Sendable (Store, SessionID, SessionVersion) async throws(StorageError)
                    -> RestoredSession?
            )?
        var onState:
            (
                @Sendable (Store, [TabStateKey]) async throws(StorageError)
                    -> [TabStateKey: [UInt8]]
            )?
        var onStateKeys: (@Sendable (Store, SessionID) async throws(StorageError) -> [TabStateKey])?
        var onSessions: (@Sendable (Store) async throws(StorageError) -> [SessionID])?
        var onTraits: (@Sendable (StorageTraits) -> StorageTraits)?

        /// Does something else with a set that is refused for one of these reasons.
        static func refused(
            _ base: Store, for codes: [StorageError.Code] = [.invalidChanges],
            _ instead:
                @escaping @Sendable (Store, SessionChanges, Durability, StorageError)
                async throws(StorageError) -> SaveReceipt
        ) -> AlteredStorage {
            AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    do throws(StorageError) {
                        return try await base.save(changes, durability: durability)
                    } catch {
                        guard codes.contains(error.code) else { throw error }
                        return try await instead(base, changes, durability, error)
                    }
                })
        }

        /// Changes what is saved, set by set.
        static func changing(
            _ base: any SessionStorage,
            _ change: @escaping @Sendable (SessionChanges) -> SessionChanges
        ) -> AlteredStorage {
            AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    try await base.save(change(changes), durability: durability)
                })
        }

        /// Changes the tabs that are put.
        static func changingTabs(
            _ base: any SessionStorage, _ change: @escaping @Sendable (inout TabMetadata) -> Void
        ) -> AlteredStorage {
            changingEach(base) {
                guard case .putTab(var tab, let session) = $0 else { return $0 }
                change(&tab)
                return .putTab(tab, in: session)
            }
        }

        /// Changes the nodes that are put.
        static func changingNodes(
            _ base: any SessionStorage, _ change: @escaping @Sendable (inout StructureNode) -> Void
        ) -> AlteredStorage {
            changingEach(base) {
                guard case .putNode(var node, let session) = $0 else { return $0 }
                change(&node)
                return .putNode(node, in: session)
            }
        }

        private static func changingEach(
            _ base: any SessionStorage,
            _ change: @escaping @Sendable (SessionChanges.Change) -> SessionChanges.Change
        ) -> AlteredStorage {
            changing(base) { $0.replacing($0.changes.map(change)) }
        }

        /// Changes what is restored.
        static func restoring(
            _ base: any SessionStorage,
            _ change: @escaping @Sendable (inout RestoredSession) -> Void
        ) -> AlteredStorage {
            AlteredStorage(
                base: base,
                onRestore: { base, id, version throws(StorageError) in
                    guard var session = try await base.restore(id, at: version) else {
                        return nil
                    }
                    change(&session)
                    return session
                })
        }

        var traits: StorageTraits { onTraits?(base.traits) ?? base.traits }

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            guard let onSave else { return try await base.save(changes, durability: durability) }
            return try await onSave(base, changes, durability)
        }

        func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
            -> [RestoredSession]
        {
            guard let onRestore else { return try await base.restore(ids, at: version) }
            var found: [RestoredSession] = []
            for id in ids {
                if let session = try await onRestore(base, id, version) { found.append(session) }
            }
            return found
        }

        func states(of keys: [TabStateKey], at version: SessionVersion) async throws(StorageError)
            -> [TabStateKey: [UInt8]]
        {
            guard let onState, version == .current else {
                return try await base.states(of: keys, at: version)
            }
            return try await onState(base, keys)
        }

        func stateKeys(in session: SessionID, at version: SessionVersion) async throws(StorageError)
            -> [TabStateKey]
        {
            guard let onStateKeys, version == .current else {
                return try await base.stateKeys(in: session, at: version)
            }
            return try await onStateKeys(base, session)
        }

        func sessions() async throws(StorageError) -> [SessionID] {
            guard let onSessions else { return try await base.sessions() }
            return try await onSessions(base)
        }
    }
#endif
