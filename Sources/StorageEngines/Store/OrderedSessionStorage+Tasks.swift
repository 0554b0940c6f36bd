public import BrowserSessions

// The same calls from tasks, on the queue of the store.

extension OrderedSessionStorage {
    public func sessions() async throws(StorageError) -> [SessionID] {
        try await hop("sessions") { store throws(StorageError) in try store.sessionsBlocking() }
    }

    public func sessions(at version: SessionVersion) async throws(StorageError) -> [SessionID] {
        try await hop("sessions") { store throws(StorageError) in
            try store.sessionsBlocking(at: version)
        }
    }

    public func restorePointBytes() async throws(StorageError) -> RestorePointBytes {
        try await hop("restore point bytes") { store throws(StorageError) in
            try store.restorePointBytesBlocking()
        }
    }

    public func earlierTabs() async throws(StorageError) -> [EarlierTab] {
        try await hop("earlier tabs") { store throws(StorageError) in
            try store.earlierTabsBlocking()
        }
    }

    public func summaries() async throws(StorageError) -> [SessionSummary] {
        try await hop("summaries") { store throws(StorageError) in try store.summariesBlocking() }
    }

    public func restorePoints() async throws(StorageError) -> [RestorePoint] {
        try await hop("restore points") { store throws(StorageError) in
            try store.restorePointsBlocking()
        }
    }

    public func restore(_ ids: [SessionID], at version: SessionVersion)
        async throws(StorageError) -> [RestoredSession]
    {
        try await hop("restore", incognito: ids.contains(where: \.isIncognito)) {
            store throws(StorageError) in
            try store.restoreBlocking(ids, at: version)
        }
    }

    public func states(of keys: [TabStateKey], at version: SessionVersion)
        async throws(StorageError) -> [TabStateKey: [UInt8]]
    {
        let incognito = keys.contains { $0.partition == .incognito }
        return try await hop("states", incognito: incognito) { store throws(StorageError) in
            try store.statesBlocking(of: keys, at: version)
        }
    }

    public func stateKeys(in session: SessionID, at version: SessionVersion)
        async throws(StorageError) -> [TabStateKey]
    {
        try await hop("state keys", incognito: session.isIncognito) { store throws(StorageError) in
            try store.stateKeysBlocking(in: session, at: version)
        }
    }

    @discardableResult
    public func save(_ changes: SessionChanges, durability: Durability)
        async throws(StorageError) -> SaveReceipt
    {
        try await hop("save", incognito: changes.isIncognito) { store throws(StorageError) in
            try store.saveBlocking(changes, durability: durability)
        }
    }

    public func deleteIncognito() async throws(StorageError) {
        try await hop("delete incognito", incognito: true, ifCancelled: true) {
            store throws(StorageError) in
            try store.deleteIncognitoBlocking()
        }
    }

    public func check() async throws(StorageError) -> RecoveryReport {
        let interruption = CallCancellation()
        return try await interruption.whenCancelled { () async throws(StorageError) in
            try await hop("check") { store throws(StorageError) in
                try store.check(unless: interruption)
            }
        }
    }

    @discardableResult
    public func repair() async throws(StorageError) -> RecoveryReport {
        try await hop("repair", incognito: true) { store throws(StorageError) in
            try store.repairBlocking()
        }
    }

    public func purgeQuarantine() async throws(StorageError) {
        try await hop("purge quarantine") { store throws(StorageError) in
            try store.purgeQuarantineBlocking()
        }
    }

    public func eraseRemoved() async throws(StorageError) {
        try await hop("erase removed", incognito: true) { store throws(StorageError) in
            try store.eraseRemovedBlocking()
        }
    }

    public func close() async throws(StorageError) {
        try await hop("close", ifCancelled: true) { store throws(StorageError) in
            try store.closeBlocking()
        }
    }
}
