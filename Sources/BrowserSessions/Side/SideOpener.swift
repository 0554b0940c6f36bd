/// Opens a side, mends what is damaged and begins a new generation.
///
/// Damaged bytes of the regular side are copied to the quarantine before anything is changed;
/// nothing of the incognito side is ever copied there.
struct SideOpener {
    var root: StoreRoot
    var engine: any ByteStoreEngine
    var kind: StorageSide
    /// What a save survives at most.
    let durability: Durability

    private var directory: String { root.directory(of: kind) }

    /// - Parameter keyDurability: what the key survives with which the side is sealed.
    init(
        root: StoreRoot, engine: any ByteStoreEngine, kind: StorageSide,
        keyDurability: Durability = .powerLoss
    ) {
        self.root = root
        self.engine = engine
        self.kind = kind
        durability = min(keyDurability, engine.greatestDurability)
    }

    /// - Parameter isNew: whether it is no loss if nothing is there.
    func open(isNew: Bool) throws -> Side {
        let isMissing = try !FileSystem.exists(directory)
        try FileSystem.makeDirectory(directory)
        // Whoever made files in it may have been killed before this.
        try FileSystem.syncDirectory(directory)
        let mark = try root.mark(of: kind)
        let (side, loader) = try openSoundOrMended(mark)
        // Before the first write: a power cut within it leaves what no orderly close leaves.
        try root.markOpen(kind)
        if let loader { settle(side, loader) }
        if isMissing && !isNew {
            try note(Loss(.unknownRecords, detail: "the files of the side were gone"), side)
        } else if !side.hasBooks && !isNew && kind == .regular {
            try note(Loss(.unknownRecords, detail: "the store's books are missing"), side)
        }
        if let mark, side.index.sequence < mark.sequence {
            let detail = """
                the store was closed after change set \(mark.sequence) and is back at \
                \(side.index.sequence)
                """
            if try note(Loss(.unknownRecords, detail: detail), side) {
                try root.forgetMark(of: kind)
            }
        }
        try begin(side)
        return side
    }

    /// - Returns: also what is still to be settled; `nil` if the side was made anew.
    private func openSoundOrMended(_ mark: StoreRoot.Mark?) throws -> (Side, SideLoader?) {
        do {
            let wasClosed = mark?.isLast == true
            let store = try wasClosed ? engine.openClosed(directory) : engine.open(directory)
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
            return (try openMended(because: error, lastSequence: last), nil)
        }
    }

    private func begin(_ side: Side) throws {
        do {
            if kind == .regular && !side.hasBooks { try side.beginBooks() }
            try side.beginGeneration()
        } catch {
            // A full disk is no reason not to read; the next opening tries again.
            if root.isNew { throw error }
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
                let item = try Quarantine(in: root).keep(
                    bytes: Side.dump(loader.damaged), reason: "damaged-records",
                    report: loader.newLosses.map { "\($0.kind.rawValue): \($0.detail)" })
                side.add(quarantined: item)
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

    /// Opens the side as it is, mending nothing.
    func reopen() throws -> Side {
        let store = try engine.open(directory)
        let loader = try SideLoader(store)
        let side = Side(kind, store, loader, durability: durability)
        side.remember(loader.newLosses)
        return side
    }

    /// Builds the side anew from what can be read of it. Its store must not be open.
    ///
    /// - Parameter lastSequence: the number that the side had last, if that is known.
    func openMended(because error: StorageError, lastSequence: UInt64?) throws -> Side {
        var quarantined: [String] = []
        if kind == .regular {
            let report = ["found: \(error.message)"]
            quarantined.append(
                try Quarantine(in: root).keep(directory, reason: "damaged-store", report: report))
        }
        let mender = SideMender(engine: engine, kind: kind)
        let mended = "\(directory).mended"
        let notes = try mender.mend(directory, into: mended, lastSequence: lastSequence)
        try root.exchange(kind, with: mended)
        let store = try engine.open(directory)
        return Side(
            kind, store, try SideLoader(store), durability: durability,
            notes: [error.message] + notes, quarantined: quarantined)
    }
}
