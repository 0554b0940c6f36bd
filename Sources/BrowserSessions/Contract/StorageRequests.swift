// MARK: - A value for each method of `SessionStorage`

package struct SessionsRequest: StorageRequest {
    package var version: SessionVersion
    package var operation: String { "sessions" }

    package func perform(on store: any SessionStorage) async throws(StorageError) -> [SessionID] {
        try await store.sessions(at: version)
    }
}

package struct SummariesRequest: StorageRequest {
    package var operation: String { "summaries" }

    package func perform(on store: any SessionStorage) async throws(StorageError)
        -> [SessionSummary]
    {
        try await store.summaries()
    }
}

package struct RestorePointsRequest: StorageRequest {
    package var operation: String { "restore points" }

    package func perform(on store: any SessionStorage) async throws(StorageError) -> [RestorePoint]
    {
        try await store.restorePoints()
    }
}

package struct RestorePointBytesRequest: StorageRequest {
    package var operation: String { "restore point bytes" }

    package func perform(on store: any SessionStorage) async throws(StorageError)
        -> RestorePointBytes
    {
        try await store.restorePointBytes()
    }
}

package struct EarlierTabsRequest: StorageRequest {
    package var operation: String { "earlier tabs" }

    package func perform(on store: any SessionStorage) async throws(StorageError) -> [EarlierTab] {
        try await store.earlierTabs()
    }
}

package struct TakeRestorePointRequest: StorageRequest {
    package var name: String
    package var pinned: Bool
    package var operation: String { "take restore point" }
    package var changesStore: Bool { true }

    package func perform(on store: any SessionStorage) async throws(StorageError) -> RestorePoint {
        try await store.takeRestorePoint(name: name, pinned: pinned)
    }
}

package struct ReleaseRestorePointRequest: StorageRequest {
    package var id: RestorePointID
    package var operation: String { "release restore point" }
    package var changesStore: Bool { true }

    package func perform(on store: any SessionStorage) async throws(StorageError) {
        try await store.releaseRestorePoint(id)
    }
}

package struct RestoreRequest: StorageRequest {
    package var ids: [SessionID]
    package var version: SessionVersion
    package var operation: String { "restore" }

    package func perform(on store: any SessionStorage) async throws(StorageError)
        -> [RestoredSession]
    {
        try await store.restore(ids, at: version)
    }
}

package struct StatesRequest: StorageRequest {
    package var keys: [TabStateKey]
    package var version: SessionVersion
    package var operation: String { "states" }

    package func perform(on store: any SessionStorage) async throws(StorageError) -> [TabStateKey:
        [UInt8]]
    {
        try await store.states(of: keys, at: version)
    }
}

package struct StateKeysRequest: StorageRequest {
    package var session: SessionID
    package var version: SessionVersion
    package var operation: String { "state keys" }

    package func perform(on store: any SessionStorage) async throws(StorageError) -> [TabStateKey] {
        try await store.stateKeys(in: session, at: version)
    }
}

package struct SaveRequest: StorageRequest {
    package var changes: SessionChanges
    package var durability: Durability
    package var operation: String { "save" }
    package var changesStore: Bool { true }

    package func perform(on store: any SessionStorage) async throws(StorageError) -> SaveReceipt {
        try await store.save(changes, durability: durability)
    }
}

package struct DeleteIncognitoRequest: StorageRequest {
    package var operation: String { "delete incognito" }
    package var changesStore: Bool { true }

    package func perform(on store: any SessionStorage) async throws(StorageError) {
        try await store.deleteIncognito()
    }
}

package struct CheckRequest: StorageRequest {
    package var mode: CheckMode
    package var operation: String { mode.operation }
    package var changesStore: Bool { mode != .reportOnly }

    package func perform(on store: any SessionStorage) async throws(StorageError) -> RecoveryReport
    {
        try await store.check(mode)
    }
}

package struct EraseRequest: StorageRequest {
    package var scope: ErasureScope
    package var operation: String { scope.operation }
    package var changesStore: Bool { !scope.isDryRun }

    package func perform(on store: any SessionStorage) async throws(StorageError)
        -> ForgettingReceipt
    {
        try await store.erase(scope)
    }
}

package struct CloseRequest: StorageRequest {
    package var operation: String { "close" }

    package func perform(on store: any SessionStorage) async throws(StorageError) {
        try await store.close()
    }
}

// MARK: - The methods of decorators, which make the values

extension StorageDecorator {
    public func sessions(at version: SessionVersion) async throws(StorageError) -> [SessionID] {
        try await perform(SessionsRequest(version: version))
    }

    public func summaries() async throws(StorageError) -> [SessionSummary] {
        try await perform(SummariesRequest())
    }

    public func restorePoints() async throws(StorageError) -> [RestorePoint] {
        try await perform(RestorePointsRequest())
    }

    public func restorePointBytes() async throws(StorageError) -> RestorePointBytes {
        try await perform(RestorePointBytesRequest())
    }

    public func earlierTabs() async throws(StorageError) -> [EarlierTab] {
        try await perform(EarlierTabsRequest())
    }

    public func takeRestorePoint(name: String, pinned: Bool) async throws(StorageError)
        -> RestorePoint
    {
        try await perform(TakeRestorePointRequest(name: name, pinned: pinned))
    }

    public func releaseRestorePoint(_ id: RestorePointID) async throws(StorageError) {
        try await perform(ReleaseRestorePointRequest(id: id))
    }

    public func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
        -> [RestoredSession]
    {
        try await perform(RestoreRequest(ids: ids, version: version))
    }

    public func states(of keys: [TabStateKey], at version: SessionVersion)
        async throws(StorageError) -> [TabStateKey: [UInt8]]
    {
        try await perform(StatesRequest(keys: keys, version: version))
    }

    public func stateKeys(in session: SessionID, at version: SessionVersion)
        async throws(StorageError) -> [TabStateKey]
    {
        try await perform(StateKeysRequest(session: session, version: version))
    }

    @discardableResult
    public func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        try await perform(SaveRequest(changes: changes, durability: durability))
    }

    public func deleteIncognito() async throws(StorageError) {
        try await perform(DeleteIncognitoRequest())
    }

    @discardableResult
    public func check(_ mode: CheckMode) async throws(StorageError) -> RecoveryReport {
        try await perform(CheckRequest(mode: mode))
    }

    @discardableResult
    public func erase(_ scope: ErasureScope) async throws(StorageError) -> ForgettingReceipt {
        try await perform(EraseRequest(scope: scope))
    }

    public func close() async throws(StorageError) {
        try await perform(CloseRequest())
    }
}
