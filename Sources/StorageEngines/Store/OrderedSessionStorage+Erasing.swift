import BrowserSessions

// Under the lock.

extension OrderedSessionStorage.State {
    /// Rebuilds both partitions from their current records, and then removes everything else.
    mutating func eraseRemoved() throws {
        let opened = try ready()
        let partitions = try [opened.regular, opened.partition(.incognito)].compactMap(\.self)
        for partition in partitions { try partition.requireNoDamage() }
        for partition in partitions { try exchange(partition) }
        try opened.root.finishInterruptedWork()
        try opened.root.purgeQuarantine()
        try opened.root.syncRemovals()
    }

    /// Replaces a partition with a copy that lacks the removed records. If that fails, the store
    /// continues with what is on the medium, or closes.
    private mutating func exchange(_ partition: Partition) throws {
        let opener = try open().opener(partition.kind)
        try opener.buildAnew { try partition.copyCurrent(to: $0) }
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
