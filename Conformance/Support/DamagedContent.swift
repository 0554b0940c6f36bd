import BrowserSessions

/// Everything that a damaged store returns, and what it reports as lost.
struct DamagedContent: Sendable {
    /// The listed sessions; `nil` if listing them failed as corrupted.
    private(set) var ids: [SessionID]?
    private(set) var sessions: [SessionID: RestoredSession] = [:]
    private(set) var unreadable: Set<SessionID> = []
    private(set) var states: [TabStateKey: [UInt8]] = [:]
    private(set) var unreadableStates: Set<TabStateKey> = []
    private(set) var report = RecoveryReport()

    /// Reads what is listed and what was saved.
    ///
    /// Throws a ``Violation`` for every error but `corrupted`.
    init(_ trial: DamageTrial) async throws { try await self.init(trial, trial.store) }

    init(_ trial: DamageTrial, _ store: any SessionStorage) async throws {
        ids = try await Self.unlessCorrupted(trial) { try await store.sessions() }
        let asked = Set(ids ?? []).union(trial.used.current.map(\.id))
        var keys = Set(StoreContent(trial.used.current).states.keys)
        for id in asked.sorted() {
            let answer = try await Self.unlessCorrupted(trial) { [try await store.restore(id)] }
            guard let answer else {
                unreadable.insert(id)
                continue
            }
            sessions[id] = answer[0]
            let listed = try await Self.unlessCorrupted(trial) {
                try await store.stateKeys(in: id)
            }
            keys.formUnion(listed ?? [])
        }
        for key in keys {
            let answer = try await Self.unlessCorrupted(trial) { [try await store.state(of: key)] }
            if let answer { states[key] = answer[0] } else { unreadableStates.insert(key) }
        }
        let report = try await Self.unlessCorrupted(trial) { try await store.check() }
        self.report = report ?? RecoveryReport()
        if report == nil { unreadable = asked }
    }

    private static func unlessCorrupted<Success>(
        _ trial: DamageTrial, _ call: () async throws -> Success
    ) async throws -> Success? {
        do {
            return try await call()
        } catch let error as StorageError {
            guard error.code == .corrupted else {
                throw Violation(
                    "\(trial.what): reading threw .\(error.code.rawValue): \(error.full)")
            }
            return nil
        }
    }

    /// Whether the sessions of the partition and their state are as they were saved.
    func isWhole(_ trial: DamageTrial, _ partition: StoragePartition) -> Bool {
        let saved = trial.used.sessions(of: partition)
        let expected = StoreContent(saved)
        return Set((ids ?? []).filter { $0.partition == partition }) == Set(saved.map(\.id))
            && sessions.filter { $0.key.partition == partition } == expected.sessions
            && states.filter { $0.key.partition == partition } == expected.states
    }

    /// Whether everything saved in the partition is there, possibly with other things.
    func holdsEverything(_ trial: DamageTrial, _ partition: StoragePartition) -> Bool {
        let expected = StoreContent(trial.used.sessions(of: partition))
        return expected.sessions.allSatisfy { sessions[$0.key] == $0.value }
            && expected.states.allSatisfy { states[$0.key] == $0.value }
    }

    /// Whether anything reports that something of the partition is missing.
    func saysLoss(_ partition: StoragePartition) -> Bool {
        ids == nil || !unreadable.isEmpty || !unreadableStates.isEmpty
            || report.losses.contains { $0.kind != .restorePoint }
            || (partition == .incognito && report.discardedIncognitoPartitions > 0)
    }

    /// Returns how many tabs of the partition are not in their sessions.
    func lostTabs(_ trial: DamageTrial, _ partition: StoragePartition) -> Int {
        trial.used.sessions(of: partition).reduce(0) { sum, session in
            let there = Set((sessions[session.id]?.tabs ?? []).map(\.id))
            return sum + session.tabs.count { !there.contains($0.metadata.id) }
        }
    }
}
