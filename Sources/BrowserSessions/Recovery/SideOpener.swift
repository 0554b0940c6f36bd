/// Opens a side, repairs what is damaged and begins a new generation.
///
/// A damaged side goes to the quarantine as it is, and a new one of what could be read takes its place;
/// of single damaged records the bytes are copied there. Nothing of the incognito side ever comes
/// there.
struct SideOpener {
    var home: LocalHome
    var engine: any ByteStoreEngine
    var kind: StorageSide
    /// What a save survives at most.
    let durability: Durability

    /// - Parameter keyDurability: what the key survives with which the side is sealed.
    init(
        home: LocalHome, engine: any ByteStoreEngine, kind: StorageSide,
        keyDurability: Durability = .powerLoss
    ) {
        self.home = home
        self.engine = engine
        self.kind = kind
        durability = min(keyDurability, engine.greatestDurability)
    }

    /// - Parameter isNew: whether it is no loss if nothing is there.
    func open(isNew: Bool) throws -> Side {
        let isMissing = try !home.holds(kind)
        let files = try home.makeFiles(of: kind)
        let mark = try home.mark(of: kind)
        let (side, loader) = try openSoundOrRepaired(files, mark)
        // Before the first write: a power cut within it leaves what no orderly close leaves.
        try home.markOpen(kind)
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
        try begin(side)
        return side
    }

    /// - Returns: also what is still to be settled; `nil` if the side was made anew.
    private func openSoundOrRepaired(_ files: any FileDirectory, _ mark: LocalHome.CloseMark?)
        throws -> (Side, SideLoader?)
    {
        do {
            let wasClosed = mark?.isLast == true
            let store = try wasClosed ? engine.openClosed(files) : engine.open(files)
            do {
                let loader = try SideLoader(store)
                // An engine that gave back damaged records may be damaged itself, and then changing
                // it in place could cost more.
                if !loader.damaged.isEmpty, let finding = try store.verify().first {
                    throw StorageError(.corrupted, finding)
                }
                return (Side(kind, store, loader, durability: durability), loader)
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
                return (try openForReading(files, because: error, lastSequence: last), nil)
            }
        }
    }

    private func begin(_ side: Side) throws {
        do {
            if kind == .regular && !side.hasManifest { try side.beginManifest() }
            try side.beginGeneration()
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
                try Quarantine(in: home).keep(
                    bytes: Side.dump(loader.damaged), reason: "damaged-records",
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

    /// Opens a side that could not be repaired as it is, or else what can be read of it.
    func reopen(lastSequence: UInt64) throws -> Side {
        let files = try home.files(of: kind)
        do {
            let store = try engine.open(files)
            let loader = try SideLoader(store)
            // The damage may look like an end that was not durable; but it was there.
            guard loader.index.sequence >= lastSequence else {
                try? store.close()
                throw StorageError(
                    .corrupted,
                    "the side had change set \(lastSequence) and is back at \(loader.index.sequence)"
                )
            }
            let side = Side(kind, store, loader, durability: durability)
            side.remember(loader.newLosses)
            return side
        } catch let error as StorageError where error.code == .corrupted {
            return try openForReading(files, because: error, lastSequence: lastSequence)
        }
    }

    /// Builds the side anew from what can be read of it, in one pass. Its store must not be open.
    ///
    /// - Parameter lastSequence: the number that the side had last, if that is known.
    func openRepaired(because error: StorageError, lastSequence: UInt64?) throws -> Side {
        let repair = SideRepair(engine: engine, kind: kind)
        let target = try home.makeRepaired(kind)
        var notes = [error.message]
        do {
            let store = try engine.open(target)
            notes += try repair.run(from: home.files(of: kind), into: store, lastSequence)
            try store.close()
            try target.sync()
        } catch {
            try? home.removeRepaired(kind)
            throw error
        }
        try home.exchange(kind, report: notes.map { "found: \($0)" })
        let store = try engine.open(home.files(of: kind))
        return Side(kind, store, try SideLoader(store), durability: durability, notes: notes)
    }

    /// Opens what can be read of a damaged side for reading: it cannot be repaired now, mostly because
    /// the disk is full.
    private func openForReading(
        _ files: any FileDirectory, because error: StorageError, lastSequence: UInt64?
    ) throws -> Side {
        let store = SalvagedStore(files, engine)
        var notes = [error.message]
        notes += try SideRepair(engine: engine, kind: kind).run(
            from: files, into: store, lastSequence)
        notes.append("the side could not be repaired yet: it can only be read")
        store.endFilling()
        return Side(kind, store, try SideLoader(store), durability: durability, notes: notes)
    }
}
