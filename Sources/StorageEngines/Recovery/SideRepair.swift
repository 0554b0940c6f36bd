import BrowserSessions

/// Fills a new side with the records that can still be read of a damaged one, in one pass over it.
///
/// Memory is taken for the metadata, and for a part of the state at a time.
struct SideRepair {
    let kind: StorageSide
    let limits: EngineLimits

    /// Fills `store` with a sound side, durably; its losses are written down in it. Nothing of the
    /// damaged one is changed. Returns notes.
    ///
    /// - Parameter lastSequence: the number that the side had last, if that is known.
    func run(
        from damaged: RecordSource, into store: any OrderedByteStore, _ lastSequence: StoredNumber?
    ) throws -> [String] {
        var found = Salvage()
        var parts = RecordParts(for: store, limits)
        let notes = try damaged { space, key, value in
            guard found.accept(space, key, value), space == .state else { return }
            try parts.put([UInt8](value), for: [UInt8](key), in: .state)
        }
        for key in found.keys where key != RecordKey.manifestBytes {
            guard let value = found.value(of: key) else { continue }
            try parts.put(value, for: key, in: .metadata)
        }
        try parts.finish()
        try settle(found, in: store, lastSequence)
        return notes + found.notes
    }

    private func settle(
        _ found: Salvage, in store: any OrderedByteStore, _ lastSequence: StoredNumber?
    ) throws {
        // The loader settles doubles and finds the damaged records. What it says of the missing
        // manifest is replaced by our list.
        let loader = try SideLoader(store)
        let side = Side(kind, store, loader, limits: limits)
        // A number that was given is not given again.
        var records = RecordBatch(sequence: max(found.highestSequence, lastSequence ?? .zero))
        var losses = try side.takeOut(
            loader, loader.newLosses.filter { $0.kind != .unknownRecords }, &records)
        // What the manifest says of a state that is lost stays: it is the only thing that tells a lost
        // state from one that was never saved.
        losses += found.losses(loader)
        if losses.isEmpty, lastSequence != found.highestSequence {
            // The records agree with their manifest, but nobody knows whether these are the last.
            let detail = "change sets after \(found.highestSequence) may be missing"
            losses.append(Loss(.unknownRecords, detail: detail))
        }
        try records.putLosses(loader.oldLosses + losses)
        try side.write(records, durably: true)
    }
}

/// What a salvage brought up so far: the latest sound version of each record.
private struct Salvage {
    private var metadata: [[UInt8]: (sequence: StoredNumber, value: [UInt8])] = [:]
    private var states: [[UInt8]: (sequence: StoredNumber, checksum: UInt32)] = [:]
    private(set) var highestSequence = StoredNumber.zero
    /// Metadata records that are not sound, as they came: their keys tell what was lost.
    private var damaged: [[UInt8]: [UInt8]] = [:]
    private var damages = 0
    private var strangers = 0

    var notes: [String] {
        let read =
            "\(metadata.count) records and \(states.count) states were read, \(damages) were damaged"
        return strangers == 0
            ? [read]
            : [read, "\(strangers) records under keys that are none of ours were left out"]
    }

    /// Those of the metadata records, also of damaged ones of which there is no sound version, in order.
    var keys: [[UInt8]] {
        Set(metadata.keys).union(damaged.keys).sorted { $0.lexicographicallyPrecedes($1) }
    }

    func value(of key: [UInt8]) -> [UInt8]? { metadata[key]?.value ?? damaged[key] }

    /// `false` if the record is damaged, older than one that came before, or not ours.
    mutating func accept(
        _ space: KeySpace, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) -> Bool {
        guard RecordKey.isLegal(key, in: space) else {
            // One changed bit of a key still tells which record it was.
            if space == .metadata, SideLoader.trustedKey(key, value) != nil {
                damages += 1
                damaged[[UInt8](key)] = [UInt8](value)
            } else {
                strangers += 1
            }
            return false
        }
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
        }
        return true
    }

    /// What is missing, by the latest manifest that was found.
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
        let present = loader.index.manifest
        let isWhole =
            metadata[key]?.sequence == highestSequence
            && manifest.map { loader.disagreement(with: $0) == nil } ?? false
        if !isWhole {
            let listed = manifest.map { "\($0.records)" } ?? "an unknown number of"
            let detail = "the manifest lists \(listed) records, \(present.records) could be read"
            losses.append(Loss(.unknownRecords, detail: detail))
        }
        return losses
    }
}
