/// A store that forwards every call to another store. Supply a `base` and implement only the
/// methods that differ, to log, delay or refuse calls.
public protocol StorageDecorator: SessionStorage {
    /// The store that answers every call that the decorator does not implement.
    var base: any SessionStorage { get }
}

extension StorageDecorator {
    public var traits: StorageTraits { base.traits }

    public func sessions() async throws(StorageError) -> [SessionID] { try await base.sessions() }

    public func sessions(at version: SessionVersion) async throws(StorageError) -> [SessionID] {
        guard version != .current else { return try await sessions() }
        return try await base.sessions(at: version)
    }

    public func summaries() async throws(StorageError) -> [SessionSummary] {
        try await base.summaries()
    }

    public func restorePoints() async throws(StorageError) -> [RestorePoint] {
        try await base.restorePoints()
    }

    public func restorePointBytes() async throws(StorageError) -> RestorePointBytes {
        try await base.restorePointBytes()
    }

    public func earlierTabs() async throws(StorageError) -> [EarlierTab] {
        try await base.earlierTabs()
    }

    public func takeRestorePoint(name: String, pinned: Bool) async throws(StorageError)
        -> RestorePoint
    {
        try await base.takeRestorePoint(name: name, pinned: pinned)
    }

    public func releaseRestorePoint(_ id: RestorePointID) async throws(StorageError) {
        try await base.releaseRestorePoint(id)
    }

    public func restore(_ ids: [SessionID], at version: SessionVersion)
        async throws(StorageError) -> [RestoredSession]
    {
        try await base.restore(ids, at: version)
    }

    public func states(of keys: [TabStateKey], at version: SessionVersion)
        async throws(StorageError) -> [TabStateKey: [UInt8]]
    {
        try await base.states(of: keys, at: version)
    }

    public func stateKeys(in session: SessionID, at version: SessionVersion)
        async throws(StorageError) -> [TabStateKey]
    {
        try await base.stateKeys(in: session, at: version)
    }

    @discardableResult
    public func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        try await base.save(changes, durability: durability)
    }

    public func deleteIncognito() async throws(StorageError) { try await base.deleteIncognito() }

    public func check() async throws(StorageError) -> RecoveryReport { try await base.check() }

    @discardableResult
    public func repair() async throws(StorageError) -> RecoveryReport { try await base.repair() }

    public func purgeQuarantine() async throws(StorageError) { try await base.purgeQuarantine() }

    public func eraseRemoved() async throws(StorageError) { try await base.eraseRemoved() }

    public func forget(_ sites: ForgottenSites, isDryRun: Bool) async throws(StorageError)
        -> ForgettingReceipt
    {
        try await base.forget(sites, isDryRun: isDryRun)
    }

    public func close() async throws(StorageError) { try await base.close() }
}
