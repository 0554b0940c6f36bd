public import BrowserSessions

// Under the lock.

extension OrderedSessionStorage.State {
    mutating func erase(_ scope: ErasureScope) throws -> ForgettingReceipt {
        var receipt = ForgettingReceipt()
        switch scope {
        case .quarantine: break
        case .removedData: try rebuildCurrent()
        case .sites(let sites, let isDryRun): receipt = try forget(sites, isDryRun: isDryRun)
        }
        let root = try open().root
        receipt.quarantined = try root.quarantined().count
        if scope.isDryRun { return receipt }
        if scope != .quarantine { try root.finishInterruptedWork() }
        try root.purgeQuarantine()
        try root.syncRemovals()
        return receipt
    }

    /// Rebuilds both partitions from their current records.
    private mutating func rebuildCurrent() throws {
        let opened = try ready()
        let partitions = try [opened.regular, opened.partition(.incognito)].compactMap(\.self)
        for partition in partitions { try partition.requireNoDamage() }
        for partition in partitions {
            try exchange(partition) { try partition.copyCurrent(to: $0) }
        }
    }

    /// Forgets sites in the present sessions, one set for each, and then in everything else, in one
    /// step. Nothing is changed by a dry run.
    private mutating func forget(_ sites: ForgottenSites, isDryRun: Bool) throws
        -> ForgettingReceipt
    {
        let partition = try ready().regular
        try partition.requireNoDamage()
        try partition.requireWholePoints()
        let present = try PresentForgetting(sites, in: partition)
        var receipt = present.receipt
        if !isDryRun {
            // Not as calls of a host: these plan nothing, and the partition is opened again below.
            for set in present.changes {
                let set = try ValidatedChanges(set, maximumStateBytes: 1 << 30)
                _ = try partition.save(set, partition.durability)
            }
        }
        let current = try ready().regular
        let points = try PointForgetting(sites, in: current, tabs: present.tabs)
        receipt.add(points.receipt)
        guard !isDryRun else { return receipt }
        try current.removeUnusedStates()
        try exchange(current) { try current.copy(to: $0, with: points) }
        return receipt
    }

    /// Replaces a partition with a copy that lacks the removed records. If that fails, the store
    /// continues with what is on the medium, or closes.
    private mutating func exchange(
        _ partition: Partition, with fill: (any OrderedByteStore) throws -> Void
    ) throws {
        let opener = try open().opener(partition.kind)
        try opener.buildAnew(fill)
        var failure: (any Error)?
        do {
            try partition.store.close()
            try opener.root.markOpen(partition.kind)
            try opener.root.exchange(partition.kind, keepingReplaced: nil)
        } catch { failure = error }
        do {
            let sequence = partition.index.sequence
            use(try opener.reopen(lastSequence: sequence, notes: partition.notes))
        } catch {
            opened = nil
            throw failure ?? error
        }
        if let failure { throw failure }
    }
}

extension OrderedSessionStorage {
    @discardableResult
    public func eraseBlocking(_ scope: ErasureScope) throws(StorageError) -> ForgettingReceipt {
        if !scope.isDryRun { try requireWritable(scope.operation) }
        if scope == .removedData { try findIncognitoKey(scope.operation) }
        return try withState(scope.operation) { state in try state.reading { try $0.erase(scope) } }
    }
}
