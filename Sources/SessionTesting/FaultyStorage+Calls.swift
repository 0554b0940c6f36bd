public import BrowserSessions

// MARK: - The contract

extension FaultyStorage {
    public func sessions() async throws(StorageError) -> [SessionID] {
        try await run(.sessions) { base throws(StorageError) in try await base.sessions() }
    }

    public func sessions(at version: SessionVersion) async throws(StorageError) -> [SessionID] {
        guard case .point(let point) = version else { return try await sessions() }
        return try await run(.sessionsAtPoint(point)) { base throws(StorageError) in
            try await base.sessions(at: version)
        }
    }

    public func restorePointBytes() async throws(StorageError) -> RestorePointBytes {
        try await run(.restorePointBytes) { base throws(StorageError) in
            try await base.restorePointBytes()
        }
    }

    public func earlierTabs() async throws(StorageError) -> [EarlierTab] {
        try await run(.earlierTabs) { base throws(StorageError) in try await base.earlierTabs() }
    }

    public func summaries() async throws(StorageError) -> [SessionSummary] {
        try await run(.summaries) { base throws(StorageError) in try await base.summaries() }
    }

    public func restorePoints() async throws(StorageError) -> [RestorePoint] {
        try await run(.restorePoints) { base throws(StorageError) in
            try await base.restorePoints()
        }
    }

    public func takeRestorePoint(name: String, pinned: Bool) async throws(StorageError)
        -> RestorePoint
    {
        try await run(.takeRestorePoint(name: name, pinned: pinned)) {
            base throws(StorageError) in
            try await base.takeRestorePoint(name: name, pinned: pinned)
        }
    }

    public func releaseRestorePoint(_ id: RestorePointID) async throws(StorageError) {
        try await run(.releaseRestorePoint(id)) { base throws(StorageError) in
            try await base.releaseRestorePoint(id)
        }
    }

    public func restore(_ ids: [SessionID], at version: SessionVersion)
        async throws(StorageError) -> [RestoredSession]
    {
        try await run(.restore(ids, version)) { [plan] base throws(StorageError) in
            let found = try await base.restore(ids, at: version)
            plan.withLock { $0.homes.note(found, version) }
            return found
        }
    }

    public func states(of keys: [TabStateKey], at version: SessionVersion)
        async throws(StorageError)
        -> [TabStateKey: [UInt8]]
    {
        try await run(.states(keys, version)) { [plan] base throws(StorageError) in
            let found = try await base.states(of: keys, at: version)
            plan.withLock { $0.statesRead += found.count }
            return found
        }
    }

    public func stateKeys(in session: SessionID, at version: SessionVersion)
        async throws(StorageError) -> [TabStateKey]
    {
        try await run(.stateKeys(session, version)) { [plan] base throws(StorageError) in
            let keys = try await base.stateKeys(in: session, at: version)
            if version == .current { plan.withLock { $0.homes.note(keys, in: session) } }
            return keys
        }
    }

    @discardableResult
    public func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        try await run(.save(changes, durability)) { [plan] base throws(StorageError) in
            let receipt = try await base.save(changes, durability: durability)
            if !receipt.wasAlreadyApplied {
                var bytes = 0
                for case .putState(let state, _) in changes.changes { bytes += state.count }
                plan.withLock { [bytes] in
                    $0.stateBytesSaved += bytes
                    $0.homes.note(changes)
                }
            }
            return receipt
        }
    }

    public func deleteIncognito() async throws(StorageError) {
        try await run(.deleteIncognito) { base throws(StorageError) in
            try await base.deleteIncognito()
        }
    }

    public func check() async throws(StorageError) -> RecoveryReport {
        try await run(.check) { base throws(StorageError) in try await base.check() }
    }

    @discardableResult
    public func repair() async throws(StorageError) -> RecoveryReport {
        try await run(.repair) { base throws(StorageError) in try await base.repair() }
    }

    public func purgeQuarantine() async throws(StorageError) {
        try await run(.purgeQuarantine) { base throws(StorageError) in
            try await base.purgeQuarantine()
        }
    }

    public func eraseRemoved() async throws(StorageError) {
        try await run(.eraseRemoved) { base throws(StorageError) in try await base.eraseRemoved() }
    }

    public func forget(_ sites: ForgottenSites, isDryRun: Bool) async throws(StorageError)
        -> ForgettingReceipt
    {
        try await run(.forget(sites, isDryRun: isDryRun)) { base throws(StorageError) in
            try await base.forget(sites, isDryRun: isDryRun)
        }
    }

    public func close() async throws(StorageError) {
        try await run(.close) { base throws(StorageError) in try await base.close() }
    }

    private func run<Success: Sendable>(
        _ call: StorageCall,
        _ work: @escaping @Sendable (any SessionStorage) async throws(StorageError) -> Success
    ) async throws(StorageError) -> Success {
        let operation = call.operation.rawValue
        // Code that abandons a task still needs the store closed and the private tabs deleted.
        let runsInAnyCase = call.operation == .close || call.operation == .deleteIncognito
        guard runsInAnyCase || !Task.isCancelled else {
            throw StorageError(
                .cancelled, "the task was cancelled before the call began", operation: operation)
        }
        let effect = plan.withLock { $0.begin(call) }
        if effect.hangs { await plan.waitUncancelled { !$0.isHanging(effect.number) } }
        defer { plan.withLock { $0.end(call) } }
        do throws(StorageError) {
            if let error = effect.errorBefore { throw error }
            let success = try await finish(work)
            if let error = effect.errorAfter { throw error }
            return success
        } catch {
            var error = error
            if error.operation.isEmpty { error.operation = operation }
            throw error
        }
    }

    /// Runs the work in a separate task, so that the base does not observe a cancellation of the
    /// caller's task. For the base, the call begins only now.
    private func finish<Success: Sendable>(
        _ work: @escaping @Sendable (any SessionStorage) async throws(StorageError) -> Success
    ) async throws(StorageError) -> Success {
        let task = Task { [base] () -> Result<Success, StorageError> in
            do throws(StorageError) {
                return .success(try await work(base))
            } catch {
                return .failure(error)
            }
        }
        return try await task.value.get()
    }
}
