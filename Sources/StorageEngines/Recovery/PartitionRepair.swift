import BrowserSessions

/// Fills a new partition with the records that can still be read of a damaged one, in one pass.
///
/// It holds the metadata in memory, and a part of the state at a time. The new partition is loaded once:
/// what is known about it then stays known.
struct PartitionRepair {
    let kind: StoragePartition
    let limits: EngineLimits

    /// A rebuilt partition.
    struct Result {
        var partition: Partition
        /// What is still unreadable in it, and what was read of the damaged one.
        let findings: PartitionFindings
        var notes: [String]
    }

    /// Fills `store` with a sound partition, durably, and writes the losses to it. The damaged one
    /// does not change.
    ///
    /// - Parameter lastSequence: the partition's last number, if known.
    func run(
        from damaged: RecordSource, into store: any OrderedByteStore, _ lastSequence: StoredNumber?
    ) throws -> Result {
        var found = Salvage()
        var parts = RecordParts(for: store, limits)
        let notes = try damaged { space, key, value in
            found.bytes += value.count
            guard found.accept(space, key, value), space == .state else { return }
            try parts.put([UInt8](value), for: [UInt8](key), in: .state)
        }
        for key in found.keys where key != RecordKey.manifestBytes {
            guard let value = found.value(of: key) else { continue }
            try parts.put(value, for: key, in: .metadata)
        }
        try parts.finish()
        var result = try finish(found, in: store, lastSequence)
        result.notes = notes + found.notes
        return result
    }

    private func finish(
        _ found: Salvage, in store: any OrderedByteStore, _ lastSequence: StoredNumber?
    ) throws -> Result {
        // The loader resolves doubles and finds the damaged records. Our list replaces its finding
        // about the missing manifest.
        let loader = try PartitionLoader(store)
        let partition = Partition(kind, store, loader, limits: limits)
        // A number is never used twice.
        var records = RecordBatch(
            partition.index, sequence: max(found.highestSequence, lastSequence ?? .zero))
        var losses = try partition.takeOut(
            loader, loader.newLosses.filter { $0.kind != .unknownRecords }, &records)
        // The manifest's entry for a lost state stays: only this entry distinguishes a lost state
        // from one that was never saved.
        let lostStates = found.lostStates(loader)
        losses += lostStates.map(\.loss)
        if let loss = found.loss(loader) { losses.append(loss) }
        if losses.isEmpty, lastSequence != found.highestSequence {
            // The records agree with their manifest, but they may not be the last ones.
            let detail = "change sets after \(found.highestSequence) may be missing"
            losses.append(Loss(.unknownRecords, detail: detail))
        }
        try records.putLosses(loader.oldLosses + losses)
        try partition.write(records, durably: true)
        partition.remember(losses)
        try partition.removeBlobs(found.blobsWithoutEntries(loader.index))
        let findings = PartitionFindings(
            lostStates: lostStates.map { ($0.tab, $0.name) },
            states: loader.index.states.count - lostStates.count, bytes: found.bytes)
        return Result(partition: partition, findings: findings, notes: [])
    }
}

extension Partition {
    fileprivate func removeBlobs(_ blobs: [StateKey]) throws {
        var records = upkeep()
        for blob in blobs {
            records.remove(blob)
            try writeIfFull(&records)
        }
        if !records.batch.isEmpty { try write(records, durably: false) }
    }
}

/// The result of a salvage so far: the latest sound version of each record.
private struct Salvage {
    private var metadata: [[UInt8]: (sequence: StoredNumber, value: [UInt8])] = [:]
    private var states: [[UInt8]: (sequence: StoredNumber, checksum: UInt32)] = [:]
    private(set) var highestSequence = StoredNumber.zero
    /// Unsound metadata records, as they came: their keys show what was lost.
    private var damaged: [[UInt8]: [UInt8]] = [:]
    private var damages = 0
    private var strangers = 0
    /// The number of bytes that were read.
    var bytes = 0

    var notes: [String] {
        let read =
            "\(metadata.count) records and \(states.count) states were read, \(damages) were damaged"
        return strangers == 0
            ? [read]
            : [read, "\(strangers) records under keys that are none of ours were left out"]
    }

    /// The keys of all metadata records, including damaged ones without a sound version, in order.
    var keys: [[UInt8]] {
        Set(metadata.keys).union(damaged.keys).sorted { $0.lexicographicallyPrecedes($1) }
    }

    func value(of key: [UInt8]) -> [UInt8]? { metadata[key]?.value ?? damaged[key] }

    /// Returns `false` if the record is damaged, older than one that came before, or not ours. Of two
    /// with the same number, which work between two change sets leaves, the later one counts.
    mutating func accept(
        _ space: KeySpace, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) -> Bool {
        guard RecordKey.isLegal(key, in: space) else {
            // A key with one changed bit still identifies its record.
            if space == .metadata, PartitionLoader.trustedKey(key, value) != nil {
                damages += 1
                damaged[[UInt8](key)] = [UInt8](value)
            } else {
                strangers += 1
            }
            return false
        }
        let frameKey = space == .metadata ? key : StateKey.frameKey(key)
        guard let frame = try? RecordFrame(value, key: frameKey) else {
            damages += 1
            if space == .metadata { damaged[[UInt8](key)] = [UInt8](value) }
            return false
        }
        highestSequence = max(highestSequence, frame.sequence)
        let bytes = [UInt8](key)
        switch space {
        case .metadata:
            if let known = metadata[bytes], known.sequence > frame.sequence { return false }
            metadata[bytes] = (frame.sequence, [UInt8](value))
        case .state:
            if let known = states[bytes], known.sequence > frame.sequence { return false }
            states[bytes] = (frame.sequence, frame.checksum)
        }
        return true
    }

    /// Returns the states that the manifest lists and that were not read as they were saved.
    func lostStates(_ loader: PartitionLoader) -> [(tab: TabID, name: StateName, loss: Loss)] {
        loader.index.states.compactMap { slot, entry in
            let name = loader.index.stateNames[slot.name]
            let key = StateKey.blob(slot.tab, name, set: entry.stamp.sequence)
            guard states[key.bytes]?.checksum != entry.checksum else { return nil }
            let session = loader.index.session(of: slot.tab)
            return (slot.tab, name, Loss.state(name, of: slot.tab, in: session))
        }
    }

    /// Returns the blobs that neither the present nor a restore point names: salvage may bring back
    /// what was removed.
    func blobsWithoutEntries(_ index: PartitionIndex) -> [StateKey] {
        var blobs: Set<StateKey> = []
        var named: Set<StateKey> = []
        for (bytes, record) in states {
            switch bytes.withUnsafeBytes({ StateKey($0) }) {
            case .version(.stateEntry(let tab, let name), _, isGone: false):
                named.insert(.blob(tab, name, set: record.sequence))
            case .blob(let tab, let name, let set)
            where index.state(tab, name)?.stamp.sequence != set:
                blobs.insert(.blob(tab, name, set: set))
            default: break
            }
        }
        return Array(blobs.subtracting(named))
    }

    /// Returns the loss of records that the latest manifest lists; `nil` if none are missing.
    func loss(_ loader: PartitionLoader) -> Loss? {
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
        if isWhole { return nil }
        let listed = manifest.map { "\($0.records)" } ?? "an unknown number of"
        return Loss(
            .unknownRecords,
            detail: "the manifest lists \(listed) records, \(present.records) could be read")
    }
}
