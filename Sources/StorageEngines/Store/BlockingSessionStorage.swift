public import BrowserSessions

/// A storage with calls that can also be made on the caller's thread, for programs without tasks
/// and for hosts that have a thread to spare.
///
/// Each call does what its counterpart in `SessionStorage` does, with the same results and
/// errors, and blocks until it is done. None checks whether a task was cancelled. Calls may come
/// from several threads at once, and concurrently with the asynchronous ones. Never make them from
/// Swift's cooperative pool.
public protocol BlockingSessionStorage: SessionStorage {
    /// See `SessionStorage.sessions()`.
    func sessionsBlocking() throws(StorageError) -> [SessionID]

    /// See `SessionStorage.sessions(at:)`.
    func sessionsBlocking(at version: SessionVersion) throws(StorageError) -> [SessionID]

    /// See `SessionStorage.restorePointBytes()`.
    func restorePointBytesBlocking() throws(StorageError) -> RestorePointBytes

    /// See `SessionStorage.earlierTabs()`.
    func earlierTabsBlocking() throws(StorageError) -> [EarlierTab]

    /// See `SessionStorage.summaries()`.
    func summariesBlocking() throws(StorageError) -> [SessionSummary]

    /// See `SessionStorage.restorePoints()`.
    func restorePointsBlocking() throws(StorageError) -> [RestorePoint]

    /// See `SessionStorage.takeRestorePoint(name:pinned:)`.
    func takeRestorePointBlocking(name: String, pinned: Bool) throws(StorageError) -> RestorePoint

    /// See `SessionStorage.releaseRestorePoint(_:)`.
    func releaseRestorePointBlocking(_ id: RestorePointID) throws(StorageError)

    /// See `SessionStorage.restore(_:at:)`.
    func restoreBlocking(_ ids: [SessionID], at version: SessionVersion) throws(StorageError)
        -> [RestoredSession]

    /// See `SessionStorage.states(of:at:)`.
    func statesBlocking(of keys: [TabStateKey], at version: SessionVersion) throws(StorageError)
        -> [TabStateKey: [UInt8]]

    /// See `SessionStorage.stateKeys(in:at:)`.
    func stateKeysBlocking(in session: SessionID, at version: SessionVersion)
        throws(StorageError) -> [TabStateKey]

    /// See `SessionStorage.save(_:durability:)`.
    @discardableResult
    func saveBlocking(_ changes: SessionChanges, durability: Durability) throws(StorageError)
        -> SaveReceipt

    /// See `SessionStorage.deleteIncognito()`.
    func deleteIncognitoBlocking() throws(StorageError)

    /// See `SessionStorage.check()`; once it has begun, it always finishes.
    func checkBlocking() throws(StorageError) -> RecoveryReport

    /// See `SessionStorage.repair()`.
    @discardableResult
    func repairBlocking() throws(StorageError) -> RecoveryReport

    /// See `SessionStorage.purgeQuarantine()`.
    func purgeQuarantineBlocking() throws(StorageError)

    /// See `SessionStorage.eraseRemoved()`.
    func eraseRemovedBlocking() throws(StorageError)

    /// See `SessionStorage.forget(_:isDryRun:)`.
    func forgetBlocking(_ sites: ForgottenSites, isDryRun: Bool) throws(StorageError)
        -> ForgettingReceipt

    /// See `SessionStorage.close()`.
    func closeBlocking() throws(StorageError)
}

extension BlockingSessionStorage {
    /// Restores sessions as they were last saved.
    public func restoreBlocking(_ ids: [SessionID]) throws(StorageError) -> [RestoredSession] {
        try restoreBlocking(ids, at: .current)
    }

    /// Returns the blobs of tabs as they were last saved.
    public func statesBlocking(of keys: [TabStateKey]) throws(StorageError)
        -> [TabStateKey: [UInt8]]
    {
        try statesBlocking(of: keys, at: .current)
    }

    /// Returns the keys of the blobs of a session's tabs as they were last saved.
    public func stateKeysBlocking(in session: SessionID) throws(StorageError) -> [TabStateKey] {
        try stateKeysBlocking(in: session, at: .current)
    }

    /// Saves with the durability from the store's configuration.
    @discardableResult
    public func saveBlocking(_ changes: SessionChanges) throws(StorageError) -> SaveReceipt {
        try saveBlocking(changes, durability: traits.defaultDurability)
    }
}
