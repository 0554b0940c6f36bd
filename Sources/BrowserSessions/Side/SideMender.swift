/// Builds a new store from the records that can still be read of a damaged one.
struct SideMender {
    var engine: any ByteStoreEngine
    var kind: StorageSide

    /// How many bytes are written at once.
    private static let chunk = 4 << 20

    /// Fills `target` with a sound store; its losses are written down in it. Returns notes.
    ///
    /// - Parameter lastSequence: the number that the side had last, if that is known.
    func mend(_ directory: String, into target: String, lastSequence: UInt64?) throws -> [String] {
        let copy = "\(directory).copy"
        try FileSystem.remove(copy)
        try FileSystem.remove(target)
        defer { try? FileSystem.remove(copy) }
        try FileSystem.copy(directory, to: copy)
        try FileSystem.makeDirectory(target)
        var found = Salvage()
        let store = try engine.open(target)
        let notes = try engine.salvage(copy) { space, key, value in
            guard found.accept(space, key, value) else { return }
            if found.pendingBytes > Self.chunk {
                try store.write(found.takePendingState(), durably: false)
            }
        }
        try store.write(found.takePendingState(), durably: false)
        try write(found, to: store, lastSequence)
        try store.close()
        return notes + found.notes
    }

    private func write(
        _ found: Salvage, to store: any OrderedByteStore, _ lastSequence: UInt64?
    ) throws {
        let manifest = RecordKey.manifest.bytes
        var batch = ByteBatch()
        for (key, value) in found.values.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) })
        where key != manifest { batch.put(value, for: key, in: .metadata) }
        try store.write(batch, durably: true)
        // The loader settles doubles and finds the damaged records. What it says of the missing
        // books is replaced by our list.
        let loader = try SideLoader(store)
        let side = Side(kind, store, loader)
        var records = RecordBatch(sequence: found.highestSequence)
        var losses = try side.takeOut(
            loader, loader.newLosses.filter { $0.kind != .unknownRecords }, &records)
        // What the books say of a state that is lost stays: it is the only thing that tells a lost
        // state from one that was never saved.
        losses += found.losses(loader)
        if losses.isEmpty, lastSequence != found.highestSequence {
            // The records agree with their books, but nobody knows whether these are the last.
            let detail = "change sets after \(found.highestSequence) may be missing"
            losses.append(Loss(.unknownRecords, detail: detail))
        }
        try records.putLosses(loader.oldLosses + losses)
        try side.write(records, durably: true)
    }
}

/// What a salvage brought up so far: the latest sound version of each record.
private struct Salvage {
    private(set) var metadata: [[UInt8]: (sequence: UInt64, value: [UInt8])] = [:]
    private(set) var states: [[UInt8]: (sequence: UInt64, checksum: UInt32)] = [:]
    private(set) var highestSequence: UInt64 = 0
    private(set) var pendingBytes = 0
    private var pending = ByteBatch()
    /// Metadata records that are not sound, as they came: their keys tell what was lost.
    private var damaged: [[UInt8]: [UInt8]] = [:]
    private var damages = 0

    var notes: [String] {
        ["\(metadata.count) records and \(states.count) states were read, \(damages) were damaged"]
    }

    /// The metadata records, also damaged ones of which there is no sound version.
    var values: [[UInt8]: [UInt8]] {
        damaged.merging(metadata.mapValues(\.value)) { _, sound in sound }
    }

    /// `false` if the record is damaged or older than one that came before.
    mutating func accept(
        _ space: KeySpace, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) -> Bool {
        let frameKey = space == .metadata ? SideLoader.frameKey(key) : key
        guard let frame = try? RecordFrame(value, key: frameKey) else {
            damages += 1
            if space == .metadata { damaged[[UInt8](key)] = [UInt8](value) }
            return false
        }
        highestSequence = max(highestSequence, frame.sequence)
        let bytes = [UInt8](key)
        switch space {
        case .metadata:
            if let known = metadata[bytes], known.sequence >= frame.sequence { return false }
            metadata[bytes] = (frame.sequence, [UInt8](value))
        case .state:
            if let known = states[bytes], known.sequence >= frame.sequence { return false }
            states[bytes] = (frame.sequence, frame.checksum)
            pending.put([UInt8](value), for: bytes, in: .state)
            pendingBytes += value.count
        }
        return true
    }

    mutating func takePendingState() -> ByteBatch {
        var batch = ByteBatch()
        swap(&batch, &pending)
        pendingBytes = 0
        return batch
    }

    /// What is missing, by the latest books that were found.
    func losses(_ loader: SideLoader) -> [Loss] {
        var losses = loader.index.states.compactMap { slot, entry -> Loss? in
            let name = loader.index.stateNames[slot.name]
            let found = states[RecordKey.state(slot.tab, name)]
            guard found?.checksum != entry.checksum else { return nil }
            let session = (loader.index.tabs[slot.tab] ?? loader.index.previousTabs[slot.tab])?
                .session
            return Loss.state(name, of: slot.tab, in: session)
        }
        let key = RecordKey.manifest.bytes
        let manifest = metadata[key].flatMap { record in
            record.value.withUnsafeBytes { value in
                key.withUnsafeBytes { key in
                    try? Manifest(payload: RecordFrame(value, key: key).payload)
                }
            }
        }
        let index = loader.index
        let count = index.manifest.records + UInt64(loader.damaged.count + loader.stale.count)
        let isWhole =
            manifest?.records == count && metadata[key]?.sequence == highestSequence
            && (manifest?.fingerprint == index.manifest.fingerprint
                || count > index.manifest.records)
        if !isWhole {
            let listed = manifest.map { "\($0.records)" } ?? "an unknown number of"
            let detail = "the books list \(listed) records, \(index.manifest.records) could be read"
            losses.append(Loss(.unknownRecords, detail: detail))
        }
        return losses
    }
}
