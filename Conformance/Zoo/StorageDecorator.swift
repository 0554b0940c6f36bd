import BrowserSessions

/// A store that passes every call on to another: faulty ones replace a method or two.
protocol StorageDecorator: SessionStorage {
    var base: any SessionStorage { get }
}

extension StorageDecorator {
    var traits: StorageTraits { base.traits }

    func sessions() async throws(StorageError) -> [SessionID] { try await base.sessions() }

    func restore(_ id: SessionID, generation: SessionGeneration) async throws(StorageError)
        -> RestoredSession?
    {
        try await base.restore(id, generation: generation)
    }

    func state(of keys: [TabStateKey]) async throws(StorageError) -> [TabStateKey: [UInt8]] {
        try await base.state(of: keys)
    }

    func stateKeys(in session: SessionID) async throws(StorageError) -> [TabStateKey] {
        try await base.stateKeys(in: session)
    }

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        try await base.save(changes, durability: durability)
    }

    func deleteIncognito() async throws(StorageError) { try await base.deleteIncognito() }

    func recover(_ mode: RecoveryMode) async throws(StorageError) -> RecoveryReport {
        try await base.recover(mode)
    }

    func close() async throws(StorageError) { try await base.close() }
}
