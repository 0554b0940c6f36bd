import BrowserSessions

// Under the lock.

extension OrderedSessionStorage.State {
    /// Builds both sides anew of what is current, and then removes whatever else there is.
    mutating func eraseRemoved() throws {
        let opened = try ready()
        let sides = try [opened.regular, opened.side(.incognito)].compactMap(\.self)
        for side in sides { try side.requireNoDamage() }
        for side in sides { try exchange(side) }
        try opened.home.finishInterruptedWork()
        try opened.home.purgeQuarantine()
        try opened.home.syncRemovals()
    }

    /// Puts a copy without what was removed in the place of a side. If that fails, the store goes on
    /// with what lies there, or else closes.
    private mutating func exchange(_ side: Side) throws {
        let opener = try open().opener(side.kind)
        try opener.buildAnew { try side.copyCurrent(to: $0) }
        var failure: (any Error)?
        do {
            try side.store.close()
            try opener.home.exchange(side.kind, keepingReplaced: nil)
        } catch { failure = error }
        do {
            let sequence = side.index.sequence
            use(try opener.reopen(lastSequence: sequence, notes: side.notes))
        } catch {
            opened = nil
            throw failure ?? error
        }
        if let failure { throw failure }
    }
}
