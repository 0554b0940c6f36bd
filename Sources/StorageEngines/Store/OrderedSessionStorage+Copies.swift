import BrowserSessions

// Copies of a store name the same key. It belongs to the one at the place that its key store notes, as long as a
// store that names it lies there; every other one gets a key of its own.

extension OrderedSessionStorage {
    /// Notes that the key belongs here now.
    func noteKeyPlace(_ record: KeyRecord) throws(StorageError) {
        do throws(StorageError) {
            try record.keep()
        } catch {
            try note("the place of the incognito side could not be noted with its key: \(error)")
        }
    }

    /// Says that the key of a side that was deleted stays with another store.
    func noteKept(_ owner: String) throws(StorageError) {
        try note(
            """
            the key of the incognito side that was deleted stays: it belongs to the store at \
            '\(owner)', which this one was copied from
            """)
    }

    private func note(_ note: String) throws(StorageError) {
        try withState("open") { try $0.open().keeper.notes.append(note) }
    }

    /// Seals the side again, under a key of this store. If that fails, the side can be used as it is, its key
    /// stays when the side is deleted, and the next opening tries again.
    func reseal(_ keyStore: String, copiedFrom place: String) throws(StorageError) {
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
                this store is a copy of the one at '\(place)': its incognito side has a key of its own now
                """)
        } catch {
            // A store that had to be closed cannot be opened.
            guard (try? withState("open", { _ = try $0.open() })) != nil else { throw error }
            try note(
                """
                this store is a copy of the one at '\(place)', and its incognito side could not be sealed \
                with a key of its own: \(error)
                """)
        }
    }

    /// Destroys the key of a side that never took the place of the one that is there.
    func removeAbandonedKey(_ operation: String) throws(StorageError) {
        guard try withState(operation, { try $0.open().keeper.vault.hasDrafts }) else { return }
        let removal = try withState(operation) { try $0.open().keeper.vault.abandonedKey() }
        _ = try removal?.run()
        try withState(operation) { try $0.open().home.removeResealingDrafts() }
    }
}

// Under the lock.

extension OrderedSessionStorage.State {
    /// Builds the side under another key and puts it in the place of the one that lies there.
    mutating func reseal(_ seal: IncognitoSeal) throws {
        let opened = try open()
        guard let side = opened.incognito else { return }
        let old = opened.opener(.incognito)
        let new = SideOpener(.incognito, in: opened.home, seal: seal)
        try new.buildAnew { try side.copyCurrent(to: $0, keepingLosses: true) }
        let sequence = side.index.sequence
        do {
            try side.store.close()
        } catch {
            try? opened.home.discardRepaired(.incognito)
            use(try reopening { try old.reopen(lastSequence: sequence, notes: side.notes) })
            throw error
        }
        // From here on only an opening can end what fails.
        use(
            try reopening {
                try opened.home.exchangeResealed()
                return try new.reopen(lastSequence: sequence, notes: side.notes)
            })
        opened.keeper.use(seal)
    }

    /// Closes the store if a side cannot be opened again.
    private mutating func reopening(_ work: () throws -> Side) throws -> Side {
        do {
            return try work()
        } catch {
            try? opened?.regular.store.close()
            opened = nil
            throw error
        }
    }
}
