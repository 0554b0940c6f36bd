import BrowserSessions

/// Opens a side, repairs what is damaged and begins a new generation.
///
/// A damaged side goes to the quarantine as it is, and a new one of what could be read takes its place;
/// of single damaged records the bytes are copied there. Nothing of the incognito side ever comes
/// there.
struct SideOpener {
    let home: any StoreHome
    let kind: StorageSide
    /// What the side is sealed with; `nil` if it is not.
    private let seal: SealedRecords?
    /// What a save survives at most.
    private let durability: Durability

    init(_ kind: StorageSide, in home: any StoreHome, seal: IncognitoSeal? = nil) {
        self.home = home
        self.kind = kind
        self.seal = seal.map { SealedRecords(sealer: $0.sealer) }
        durability = min(home.abilities.durability, seal?.traits.survives ?? .replicated)
    }

    /// - Parameter isNew: whether it is no loss if nothing is there.
    func open(isNew: Bool) throws -> Side {
        let isMissing = try !home.holds(kind)
        let mark = try mark()
        let (side, loader) = try openSoundOrRepaired(mark)
        let found = side.index.sequence
        // Before the first write: a power cut within it leaves what no orderly close leaves. What can only
        // be read stays as it is.
        if !side.canOnlyBeRead { try home.markOpen(kind) }
        if let loader { settle(side, loader) }
        if isMissing && !isNew {
            try note(Loss(.unknownRecords, detail: "the files of the side were gone"), side)
        } else if !side.hasManifest && !isNew && kind == .regular {
            try note(Loss(.unknownRecords, detail: "the store's manifest is missing"), side)
        }
        if let mark, side.index.sequence < mark.sequence {
            let detail = """
                the store was closed after change set \(mark.sequence) and is back at \
                \(side.index.sequence)
                """
            if try note(Loss(.unknownRecords, detail: detail), side) {
                try home.forgetMark(of: kind)
            }
        }
        if let mark, mark.isLast, loader != nil, found > mark.sequence {
            // No process leaves that: the mark goes before the first change.
            let detail = """
                the files are of two states: the store was closed after change set \(mark.sequence), and \
                holds \(found); a backup was copied over it, perhaps
                """
            try note(Loss(.unknownRecords, detail: detail), side)
        }
        try begin(side)
        return side
    }

    /// - Returns: also what is still to be settled; `nil` if the side was made anew.
    private func openSoundOrRepaired(_ mark: Mark?) throws -> (Side, SideLoader?) {
        do {
            let store = try openRecords(wasClosed: mark?.isLast == true)
            do {
                let loader = try SideLoader(store)
                // An engine that gave back damaged records may be damaged itself, and then changing
                // it in place could cost more.
                if !loader.allDamaged.isEmpty, let finding = try store.verify().first {
                    throw StorageError(.corrupted, finding)
                }
                return (side(store, loader), loader)
            } catch {
                try? store.close()
                throw error
            }
        } catch let error as StorageError {
            guard error.code == .corrupted else { throw error }
            let last = mark.flatMap { $0.isLast ? $0.sequence : nil }
            do {
                return (try openRepaired(because: error, lastSequence: last), nil)
            } catch let failure as StorageError where failure.code == .outOfSpace {
                return (try openForReading(because: error, lastSequence: last), nil)
            }
        }
    }

    /// A sequence number that the side had.
    private struct Mark {
        var sequence: StoredNumber
        /// Whether it had this number at its last change.
        var isLast: Bool
    }

    /// `nil` if there is none or it cannot be read.
    private func mark() throws -> Mark? {
        guard let mark = try home.mark(of: kind) else { return nil }
        return sequence(in: mark.word).map { Mark(sequence: $0, isLast: mark.isLast) }
    }

    private func sequence(in word: String) -> StoredNumber? {
        if let seal { return seal.number(in: word) }
        return StoredNumber(decimal: word)
    }

    /// Notes the last sequence number at an orderly close. That of a sealed side tells nothing to others.
    func markClosed(at sequence: StoredNumber) throws {
        // Of an incognito side without anything there is none.
        guard kind == .regular || sequence > .zero else { return }
        // A store in which nothing was changed is closed as it was.
        if let word = try home.mark(of: kind)?.word, self.sequence(in: word) == sequence {
            return try home.markClosed(kind, word)
        }
        try home.markClosed(kind, seal?.sealedText(of: sequence) ?? "\(sequence)")
    }

    private func begin(_ side: Side) throws {
        // The earlier generation of what is only looked at is that of its last opener.
        if home.isReadOnly { return }
        do {
            if kind == .regular && !side.hasManifest { try side.beginManifest() }
            try side.beginGeneration(at: home.environment.now())
        } catch {
            // A full disk is no reason not to read; the next opening tries again.
            if home.isNew { throw error }
            side.add(note: "no new generation was begun: \(error)")
        }
    }

    /// Writes a loss down; `false` if that was not possible and it is only remembered.
    @discardableResult
    private func note(_ loss: Loss, _ side: Side) throws -> Bool {
        guard !side.losses.contains(loss) else { return true }
        do {
            try side.setLosses(side.losses + [loss])
            return true
        } catch {
            side.add(note: "a loss could not be written down: \(error)")
            side.remember([loss])
            return false
        }
    }

    /// Takes damaged records out, after copying them to the quarantine, and writes down what was
    /// lost. Without room for the copy nothing is changed.
    private func settle(_ side: Side, _ loader: SideLoader) {
        guard !loader.newLosses.isEmpty || !loader.damaged.isEmpty || !loader.stale.isEmpty else {
            return
        }
        do {
            if kind == .regular {
                try home.setAside(
                    Side.dump(loader.damaged), reason: "damaged-records",
                    loader.newLosses.map { "\($0.kind.rawValue): \($0.detail)" })
            }
            var records = side.upkeep()
            let losses = try side.takeOut(loader, loader.newLosses, &records)
            try records.putLosses(side.losses + losses)
            try side.write(records, durably: true)
            side.remember(losses)
        } catch {
            // Nothing was changed: what can be read is read, the next opening tries again.
            side.add(note: "damage was found and could not be taken out: \(error)")
            side.remember(loader.newLosses)
        }
    }

    /// Opens a side again as it is, or else what can be read of it.
    func reopen(lastSequence: StoredNumber, notes: [String] = []) throws -> Side {
        // One that was moved away and did not come back must not be taken for one without anything.
        guard try home.holds(kind) else {
            throw StorageError(
                .failed, "the \(kind.rawValue) side of '\(home.place)' is not in its place")
        }
        do {
            let store = try openRecords(wasClosed: false)
            let loader = try SideLoader(store)
            // The damage may look like an end that was not durable; but it was there.
            guard loader.index.sequence >= lastSequence else {
                try? store.close()
                throw StorageError(
                    .corrupted,
                    "the side had change set \(lastSequence) and is back at \(loader.index.sequence)"
                )
            }
            let side = side(store, loader, notes: notes)
            side.remember(loader.newLosses)
            return side
        } catch let error as StorageError where error.code == .corrupted {
            return try openForReading(because: error, lastSequence: lastSequence)
        }
    }

    /// Builds the side anew from what can be read of it, in one pass. Its store must not be open.
    ///
    /// - Parameter lastSequence: the number that the side had last, if that is known.
    func openRepaired(because error: StorageError, lastSequence: StoredNumber?) throws -> Side {
        var notes = [error.message]
        try buildAnew { notes += try repair(into: $0, lastSequence) }
        try home.exchange(kind, keepingReplaced: notes.map { "found: \($0)" })
        try home.markOpen(kind)
        let store = try openRecords(wasClosed: false)
        return side(store, try SideLoader(store), notes: notes)
    }

    /// Fills a place without records, in which the side is built anew. If that fails, nothing is left of it.
    func buildAnew(_ fill: (any OrderedByteStore) throws -> Void) throws {
        do {
            let store = try sealed(home.openRepaired(kind))
            try fill(store)
            try store.close()
        } catch {
            try? home.discardRepaired(kind)
            throw error
        }
    }

    /// Opens what can be read of a damaged side for reading: it cannot be repaired now, mostly because
    /// the disk is full.
    private func openForReading(because error: StorageError, lastSequence: StoredNumber?) throws
        -> Side
    {
        let store = SalvagedStore(salvage)
        var notes = [error.message]
        notes += try repair(into: store, lastSequence)
        notes.append("the side could not be repaired yet: it can only be read")
        store.endFilling()
        return side(store, try SideLoader(store), notes: notes)
    }

    // MARK: Records in the clear

    private func side(
        _ store: any OrderedByteStore, _ loader: SideLoader, notes: [String] = []
    ) -> Side {
        Side(
            kind, store, loader, durability: durability, limits: home.abilities.limits,
            notes: notes)
    }

    private func openRecords(wasClosed: Bool) throws -> any OrderedByteStore {
        try sealed(home.open(kind, wasClosed: wasClosed))
    }

    private func sealed(_ store: any OrderedByteStore) throws -> any OrderedByteStore {
        guard let seal else { return store }
        do {
            return try SealedByteStore(store, seal)
        } catch {
            try? store.close()
            throw error
        }
    }

    private func salvage(_ visit: RecordVisitor) throws -> [String] {
        guard let seal else { return try home.salvage(kind, visit) }
        return try seal.salvage(visit) { try home.salvage(kind, $0) }
    }

    private func repair(into store: any OrderedByteStore, _ lastSequence: StoredNumber?) throws
        -> [String]
    {
        let limits = home.abilities.limits
        return try SideRepair(kind: kind, limits: limits).run(
            from: salvage, into: store, lastSequence)
    }
}
