@testable import BrowserSessions
@testable import StorageEngines

extension StoreFixture {
    /// Keeps the present as a restore point that later openings do not replace.
    @discardableResult
    func keepPoint(named name: String = "") throws -> RestorePoint {
        try store.takeRestorePointBlocking(name: name, pinned: true)
    }
}

/// A storage that answers through another one, and has only what every storage must have.
struct PlainStorage: SessionStorage {
    let base: any SessionStorage

    var traits: StorageTraits { base.traits }
    func sessions(at version: SessionVersion) async throws(StorageError) -> [SessionID] {
        try await base.sessions(at: version)
    }
    func restorePoints() async throws(StorageError) -> [RestorePoint] {
        try await base.restorePoints()
    }
    func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
        -> [RestoredSession]
    {
        try await base.restore(ids, at: version)
    }
    func states(of keys: [TabStateKey], at version: SessionVersion) async throws(StorageError)
        -> [TabStateKey: [UInt8]]
    {
        try await base.states(of: keys, at: version)
    }
    func stateKeys(in session: SessionID, at version: SessionVersion) async throws(StorageError)
        -> [TabStateKey]
    {
        try await base.stateKeys(in: session, at: version)
    }
    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        try await base.save(changes, durability: durability)
    }
    func deleteIncognito() async throws(StorageError) { try await base.deleteIncognito() }
    func check(_ mode: CheckMode) async throws(StorageError) -> RecoveryReport {
        try await base.check(mode)
    }
    func close() async throws(StorageError) { try await base.close() }
}
