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

// MARK: - What every storage has by default

extension SessionStorage {
    /// Builds the summaries from the other calls, which reads everything, for lack of a faster way.
    public func summaries() async throws(StorageError) -> [SessionSummary] {
        var found: [SessionSummary] = []
        for session in try await restore(sessions()) {
            let keys = try await stateKeys(in: session.id)
            let states = try await states(of: keys).values.reduce(0) { $0 + $1.count }
            let tabs = session.tabs.reduce(0) { $0 + $1.encoded().count }
            let attributes = session.attributes.encodedPayload().count
            let times = session.tabs.map(\.lastActiveAt) + [session.attributes.lastActiveAt]
            found.append(
                SessionSummary(
                    id: session.id, title: session.attributes.title, tabCount: session.tabs.count,
                    lastActiveAt: times.max() ?? .unknown,
                    byteCount: attributes + tabs + states))
        }
        return found
    }

    /// Returns an empty list, for storages that keep no restore points.
    public func restorePoints() async throws(StorageError) -> [RestorePoint] {
        // A closed store throws here.
        _ = try await sessions()
        return []
    }

    /// Reads all points with all states, for lack of a faster way.
    public func restorePointBytes() async throws(StorageError) -> RestorePointBytes {
        let points = try await restorePoints()
        guard !points.isEmpty else { return .none }
        var counter = RestorePointBytes.Counter()
        counter.add(try await content(at: .current), of: nil)
        for point in points {
            counter.add(try await content(at: .point(point.id)), of: point.id)
        }
        return counter.bytes
    }

    /// Returns the records and states of all regular sessions.
    private func content(at version: SessionVersion) async throws(StorageError)
        -> [StorageError.Subject: [UInt8]]
    {
        var content: [StorageError.Subject: [UInt8]] = [:]
        let ids = try await sessions(at: version).filter { $0.partition == .regular }
        for session in try await restore(ids, at: version) {
            for record in session.records {
                content[.record(record.item, in: session.id)] = record.encodedPayload()
            }
            let keys = try await stateKeys(in: session.id, at: version)
            for (key, state) in try await states(of: keys, at: version) {
                content[.state(key)] = state
            }
        }
        return content
    }

    /// Reads all points, newest first, for lack of a faster way.
    public func earlierTabs() async throws(StorageError) -> [EarlierTab] {
        let points = try await restorePoints()
        guard !points.isEmpty else { return [] }
        let present = try await restore(sessions().filter { $0.partition == .regular })
        var known = Set(present.lazy.flatMap(\.tabs).map(\.id))
        var found: [EarlierTab] = []
        var problem: StorageError?
        for point in points {
            do throws(StorageError) {
                let version = SessionVersion.point(point.id)
                for session in try await restore(sessions(at: version).sorted(), at: version) {
                    let title = session.attributes.title
                    for tab in session.tabs.sorted(by: { $0.id < $1.id })
                    where known.insert(tab.id).inserted {
                        found.append(
                            EarlierTab(tab, in: session.id, titled: title, at: point.id))
                    }
                }
            } catch {
                guard error.code == .corrupted else { throw error }
                problem = error
            }
        }
        if found.isEmpty, let problem { throw problem }
        return found
    }

    /// Throws ``StorageError/Code/unsupported``, for storages that take no restore points when asked.
    public func takeRestorePoint(name: String, pinned: Bool) async throws(StorageError)
        -> RestorePoint
    {
        throw try await unsupported("takes no restore points when asked", "take restore point")
    }

    /// Throws ``StorageError/Code/unsupported``, for storages that take no restore points when asked.
    public func releaseRestorePoint(_ id: RestorePointID) async throws(StorageError) {
        throw try await unsupported("releases no restore points", "release restore point")
    }

    /// A closed store throws that it is closed.
    private func unsupported(_ what: String, _ operation: String) async throws(StorageError)
        -> StorageError
    {
        _ = try await sessions()
        return StorageError(
            .unsupported, "backend '\(traits.backend)' \(what); nothing was changed",
            operation: operation)
    }

    /// Erases nothing set aside, for storages that set nothing aside, and throws
    /// ``StorageError/Code/unsupported`` for all else.
    @discardableResult
    public func erase(_ scope: ErasureScope) async throws(StorageError) -> ForgettingReceipt {
        guard scope == .quarantine else {
            throw try await unsupported("cannot erase what was removed", scope.operation)
        }
        // A closed store throws here.
        _ = try await sessions()
        return ForgettingReceipt()
    }

    /// Returns the sessions of both partitions; see ``sessions(at:)``.
    public func sessions() async throws(StorageError) -> [SessionID] {
        try await sessions(at: .current)
    }

    /// Reads everything and reports what cannot be read; see ``CheckMode/reportOnly``.
    public func check() async throws(StorageError) -> RecoveryReport {
        try await check(.reportOnly)
    }

    /// Repairs the store; see ``CheckMode/repair``.
    @discardableResult
    public func repair() async throws(StorageError) -> RecoveryReport { try await check(.repair) }

    /// Returns one session; `nil` if it was never saved, or was removed.
    public func restore(_ id: SessionID, at version: SessionVersion = .current)
        async throws(StorageError) -> RestoredSession?
    {
        try await restore([id], at: version).first
    }

    /// Returns sessions as they were last saved; see ``restore(_:at:)``.
    public func restore(_ ids: [SessionID]) async throws(StorageError) -> [RestoredSession] {
        try await restore(ids, at: .current)
    }

    /// Returns the session as it was at the newest restore point at which it had tabs, or else at the
    /// newest one that has it; `nil` if none has.
    package func restoreEarlier(_ id: SessionID) async throws(StorageError) -> RestoredSession? {
        var found: RestoredSession?
        for point in try await restorePoints() {
            guard let session = try await restore(id, at: .point(point.id)) else { continue }
            if !session.tabs.isEmpty { return session }
            found = found ?? session
        }
        return found
    }

    /// Returns the blobs of tabs as they were last saved; see ``states(of:at:)``.
    public func states(of keys: [TabStateKey]) async throws(StorageError)
        -> [TabStateKey: [UInt8]]
    {
        try await states(of: keys, at: .current)
    }

    /// Returns the keys of the blobs of a session's tabs; see ``stateKeys(in:at:)``.
    public func stateKeys(in session: SessionID) async throws(StorageError) -> [TabStateKey] {
        try await stateKeys(in: session, at: .current)
    }

    /// Saves with the durability that the store is configured with.
    @discardableResult
    public func save(_ changes: SessionChanges) async throws(StorageError) -> SaveReceipt {
        try await save(changes, durability: traits.defaultDurability)
    }

    /// Returns one blob; `nil` if the tab has no blob of that name.
    public func state(of key: TabStateKey, at version: SessionVersion = .current)
        async throws(StorageError) -> [UInt8]?
    {
        try await states(of: [key], at: version)[key]
    }

    /// Returns the history to open a tab with.
    ///
    /// If the tab's `navigation` state is absent, damaged or in another format, the history has one
    /// entry with the tab's address and title. Other errors are thrown.
    public func history(of tab: TabMetadata, in session: SessionID) async throws(StorageError)
        -> NavigationHistory
    {
        let fallback = NavigationHistory(url: tab.url, title: tab.title, time: tab.lastActiveAt)
        do throws(StorageError) {
            let key = TabStateKey(tab: tab.id, name: .navigation, in: session)
            guard let bytes = try await state(of: key) else { return fallback }
            return try NavigationHistory(encoded: bytes)
        } catch {
            guard error.code == .corrupted else { throw error }
            return fallback
        }
    }
}
