import BrowserSessions

// Copies of a store name the same key. The key belongs to the store at the location that its key
// store notes, as long as a store that names it is there; every other copy gets its own.

extension OrderedSessionStorage {
    /// Notes that the key belongs to this store now.
    func noteKeyPlace(_ record: KeyRecord) throws(StorageError) {
        do throws(StorageError) {
            try record.keep()
        } catch {
            try note(
                "the place of the incognito partition could not be noted with its key: \(error)")
        }
    }

    /// Adds a note that the key of a deleted partition stays with another store.
    func noteKept(_ owner: String) throws(StorageError) {
        try note(
            """
            the key of the incognito partition that was deleted stays: it belongs to the store at \
            '\(owner)', which this one was copied from
            """)
    }

    private func note(_ note: String) throws(StorageError) {
        try withState("open") { try $0.open().keeper.notes.append(note) }
    }

    /// Seals the partition again, under a key of this store. If that fails, the partition stays
    /// usable as it is, its key survives its deletion, and the next opening tries again.
    func reseal(_ keyStore: String, copiedFrom location: String) throws(StorageError) {
        do throws(StorageError) {
            try removeAbandonedKey("open")
            let draft = try withState("open") {
                try $0.open().keeper.vault.resealingDraft(keptIn: keyStore)
            }
            guard let draft else { return }
            do throws(StorageError) {
                try draft.keep()
                try withState("open") { try $0.reseal(draft.seal) }
            } catch {
                try? removeAbandonedKey("open")
                throw error
            }
            try note(
                """
                this store is a copy of the one at '\(location)': its incognito partition has a key of its own now
                """)
        } catch {
            // A store that had to be closed cannot be opened.
            guard (try? withState("open", { _ = try $0.open() })) != nil else { throw error }
            try note(
                """
                this store is a copy of the one at '\(location)', and its incognito partition could not be sealed \
                with a key of its own: \(error)
                """)
        }
    }

    /// Destroys the key of a partition that never replaced the existing one.
    func removeAbandonedKey(_ operation: String) throws(StorageError) {
        guard try withState(operation, { try $0.open().keeper.vault.hasDrafts }) else { return }
        let removal = try withState(operation) { try $0.open().keeper.vault.abandonedKey() }
        _ = try removal?.run()
        try withState(operation) { try $0.open().root.removeResealingDrafts() }
    }
}

// Under the lock.

extension OrderedSessionStorage.State {
    /// Builds the partition under another key and replaces the existing one.
    mutating func reseal(_ seal: IncognitoSeal) throws {
        let opened = try open()
        guard let partition = opened.incognito else { return }
        let old = opened.opener(.incognito)
        let new = PartitionRecovery(.incognito, in: opened.root, seal: seal)
        try new.buildAnew { try partition.copyCurrent(to: $0, keepingLosses: true) }
        let sequence = partition.index.sequence
        do {
            try partition.store.close()
        } catch {
            try? opened.root.discardReplacement(.incognito)
            use(try reopening { try old.reopen(lastSequence: sequence, notes: partition.notes) })
            throw error
        }
        // From here on, only an opening can finish what fails.
        use(
            try reopening {
                try opened.root.exchangeResealed()
                return try new.reopen(lastSequence: sequence, notes: partition.notes)
            })
        opened.keeper.use(seal)
    }

    /// Closes the store if a partition cannot be reopened.
    private mutating func reopening(_ work: () throws -> Partition) throws -> Partition {
        do {
            return try work()
        } catch {
            try? opened?.regular.store.close()
            opened = nil
            throw error
        }
    }
}
