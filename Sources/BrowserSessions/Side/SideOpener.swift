/// Opens a side, mends what is damaged and begins a new generation.
///
/// Damaged bytes of the regular side are copied to the quarantine before anything is changed;
/// nothing of the incognito side is ever copied there.
struct SideOpener {
    var root: StoreRoot
    var engine: any ByteStoreEngine
    var kind: StorageSide

    private var directory: String { root.directory(of: kind) }

    /// - Parameter mayBeMissing: whether it is no loss if there are no files.
    func open(mayBeMissing: Bool) throws -> Side {
        let isMissing = try !FileSystem.exists(directory)
        try FileSystem.makeDirectory(directory)
        let closedSequence = try root.closedSequence(of: kind)
        let side: Side
        do {
            let store = try engine.open(directory)
            do {
                side = try settle(store, SideLoader(store))
            } catch {
                try? store.close()
                throw error
            }
        } catch let error as StorageError where error.code == .corrupted {
            side = try openMended(because: error)
        }
        if isMissing && !mayBeMissing {
            try note(Loss(.unknownRecords, detail: "the files of the side were gone"), side)
        } else if let closedSequence, side.index.sequence < closedSequence {
            let detail = """
                the store was closed after change set \(closedSequence) and is back at \
                \(side.index.sequence)
                """
            try note(Loss(.unknownRecords, detail: detail), side)
        }
        do {
            try side.beginGeneration()
        } catch {
            // A full disk is no reason not to read; the next opening tries again.
            side.add(note: "no new generation was begun: \(error)")
        }
        try root.markOpen(kind)
        return side
    }

    private func note(_ loss: Loss, _ side: Side) throws {
        guard !side.losses.contains(loss) else { return }
        try side.setLosses(side.losses + [loss])
    }

    /// Takes damaged records out, after copying them to the quarantine, and writes down what was
    /// lost. Without room for the copy nothing is changed.
    private func settle(_ store: any OrderedByteStore, _ loader: SideLoader) throws -> Side {
        let side = Side(kind, store, loader)
        guard !loader.newLosses.isEmpty || !loader.damaged.isEmpty || !loader.stale.isEmpty else {
            return side
        }
        if kind == .regular {
            do {
                let item = try Quarantine(in: root).keep(
                    bytes: Self.dump(loader.damaged), reason: "damaged-records",
                    report: loader.newLosses.map { "\($0.kind.rawValue): \($0.detail)" })
                side.add(quarantined: item)
            } catch {
                side.add(note: "damage was found but could not be set aside: \(error)")
                side.remember(loader.newLosses)
                return side
            }
        }
        var losses: [Loss] = []
        var records = side.upkeep()
        for (key, _) in loader.damaged { records.drop(key) }
        for key in loader.stale { records.drop(key.bytes) }
        for loss in loader.newLosses {
            losses.append(try replaceByEarlier(loss, side, &records) ?? loss)
        }
        try records.putLosses(side.losses + losses)
        try side.write(records, durably: true)
        side.remember(losses)
        return side
    }

    /// Puts a lost tab's record of the previous generation in its place, if there is one.
    private func replaceByEarlier(_ loss: Loss, _ side: Side, _ records: inout RecordBatch) throws
        -> Loss?
    {
        guard loss.kind == .tab, let tab = loss.tab, let earlier = side.index.previousTabs[tab],
            earlier.session == loss.session, side.index.tabs[tab] == nil
        else { return nil }
        let key = RecordKey.tab(earlier.session, earlier.place, tab)
        guard let frame = try side.store.value(of: RecordKey.previous(key).bytes, in: .metadata)
        else { return nil }
        records.copy(frame, to: key, .tab(tab, earlier))
        return Loss(
            .tabReplacedByEarlier, session: loss.session, tab: tab, detail: loss.detail)
    }

    /// Length-prefixed keys and values, for inspection.
    private static func dump(_ records: [(key: [UInt8], value: [UInt8])]) -> [UInt8] {
        var writer = WireWriter()
        for (key, value) in records {
            writer.bytes(1, key)
            writer.bytes(2, value)
        }
        return writer.bytes
    }

    /// Builds the side anew from what can be read of it. Its store must not be open.
    func openMended(because error: StorageError) throws -> Side {
        var quarantined: [String] = []
        if kind == .regular {
            let report = ["found: \(error.message)"]
            quarantined.append(
                try Quarantine(in: root).keep(directory, reason: "damaged-store", report: report))
        }
        let mender = SideMender(engine: engine, kind: kind)
        let mended = "\(directory).mended"
        let notes = try mender.mend(directory, into: mended)
        try root.exchange(kind, with: mended)
        let store = try engine.open(directory)
        return Side(
            kind, store, try SideLoader(store), notes: [error.message] + notes,
            quarantined: quarantined)
    }
}
