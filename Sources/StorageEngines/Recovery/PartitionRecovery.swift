import BrowserSessions

/// Opens a partition, whatever a kill, a power cut, a disk or another program left of it.
///
/// 1. The engine opens its files, and a ``PartitionLoader`` reads all metadata once: it checks each record, and
///    compares all of them with the manifest. Nothing is left to do for a sound partition.
/// 2. If single records are damaged, their bytes go to the quarantine, they are taken out, and the losses are written
///    down (``quarantineDamage(_:_:)``).
/// 3. If the engine itself is damaged, one pass over what can still be read fills a new partition with the latest sound
///    version of each record (``rebuild(because:lastSequence:)``). The damaged one goes to the quarantine as it is.
/// 4. If there is no space for that, what can be read is shown, and nothing can be saved
///    (``openForReading(because:lastSequence:)``).
/// 5. Files or a manifest that are missing, and an age that the clean-close marker contradicts, are losses, too
///    (``noteAge(of:_:_:isRebuilt:)``).
/// 6. A restore point is taken, unless the opener wants none (``begin(_:takesPoint:)``).
///
/// Nothing incognito ever goes to the quarantine.
struct PartitionRecovery {
    let root: any StoreRoot
    let kind: StoragePartition
    /// What seals the partition; `nil` if it is not sealed.
    private let seal: SealedRecords?
    /// The most that a save survives.
    private let durability: Durability

    init(_ kind: StoragePartition, in root: any StoreRoot, seal: IncognitoSeal? = nil) {
        self.root = root
        self.kind = kind
        self.seal = seal.map { SealedRecords(sealer: $0.sealer) }
        durability = min(root.abilities.durability, seal?.traits.survives ?? .replicated)
    }

    /// - Parameters:
    ///   - isNew: whether an absent partition is not a loss.
    ///   - takesPoint: whether to take a restore point of a regular partition.
    func open(isNew: Bool, takesPoint: Bool = false) throws -> Partition {
        let isMissing = try !root.holds(kind)
        let mark = try mark()
        let (partition, loader) = try openSoundOrRepaired(mark)
        if root.refusesDamage {
            try requireNoDamage(partition, loader, mark, wasThere: !isMissing)
        }
        let found = partition.index.sequence
        // What such an engine wrote while it opened is not known.
        if !root.abilities.findsDamage, !partition.canOnlyBeRead { try root.markOpen(kind) }
        if let loader { quarantineDamage(partition, loader) }
        if isMissing && !isNew {
            try note(
                Loss(.unknownRecords, detail: "the files of the partition were gone"), partition)
        } else if !partition.hasManifest && !isNew && kind == .regular {
            try note(Loss(.unknownRecords, detail: "the store's manifest is missing"), partition)
        }
        if let mark { try noteAge(of: partition, mark, found, isRebuilt: loader == nil) }
        try begin(partition, takesPoint: takesPoint)
        return partition
    }

    // MARK: 1. Opening

    /// - Returns: also the loader if its findings are still to be handled; `nil` after a rebuild.
    private func openSoundOrRepaired(_ mark: Mark?) throws -> (Partition, PartitionLoader?) {
        do {
            let store = try openRecords(wasClosed: mark?.isLast == true)
            do {
                let loader = try PartitionLoader(store)
                // An engine that returned damaged records may be damaged itself; changing it in
                // place could then cost more.
                if !loader.damaged.isEmpty, let finding = try store.verify().first {
                    throw StorageError(.corrupted, finding)
                }
                return (partition(store, loader), loader)
            } catch {
                try? store.close()
                throw error
            }
        } catch let error as StorageError {
            guard error.code == .corrupted, !root.refusesDamage else { throw error }
            let last = mark.flatMap { $0.isLast ? $0.sequence : nil }
            do {
                return (try rebuild(because: error, lastSequence: last).partition, nil)
            } catch let failure as StorageError where failure.code == .outOfSpace {
                return (try openForReading(because: error, lastSequence: last), nil)
            }
        }
    }

    private func partition(
        _ store: any OrderedByteStore, _ loader: PartitionLoader, notes: [String] = []
    ) -> Partition {
        Partition(
            kind, store, loader, durability: durability, limits: root.abilities.limits,
            notes: notes
        ) { [root, kind] in try root.markOpen(kind) }
    }

    private func openRecords(wasClosed: Bool) throws -> any OrderedByteStore {
        try sealed(root.open(kind, wasClosed: wasClosed))
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
        guard let seal else { return try root.salvage(kind, visit) }
        return try seal.salvage(visit) { try root.salvage(kind, $0) }
    }

    /// Throws `StorageError.Code.corrupted` if there is anything that opening would repair or report.
    private func requireNoDamage(
        _ partition: Partition, _ loader: PartitionLoader?, _ mark: Mark?, wasThere: Bool
    ) throws {
        let isOlder = mark.map { partition.index.sequence < $0.sequence } ?? false
        let isWhole = loader.map { $0.newLosses.isEmpty && $0.damaged.isEmpty } ?? false
        if wasThere, partition.hasManifest, isWhole, !isOlder { return }
        try? partition.store.close()
        throw StorageError(.corrupted, "a part of the \(kind.rawValue) partition cannot be read")
    }

    // MARK: 2. Damaged records

    /// Takes damaged records out, after copying them to the quarantine, and writes the losses.
    /// Without space for the copy, changes nothing.
    private func quarantineDamage(_ partition: Partition, _ loader: PartitionLoader) {
        guard !loader.newLosses.isEmpty || !loader.damaged.isEmpty || !loader.stale.isEmpty else {
            return
        }
        do {
            if kind == .regular {
                try root.setAside(
                    Partition.dump(loader.damaged), reason: "damaged-records",
                    loader.newLosses.map { "\($0.kind.rawValue): \($0.detail)" })
            }
            var records = partition.upkeep()
            let losses = try partition.takeOut(loader, loader.newLosses, &records)
            try records.putLosses(partition.losses + losses)
            try partition.write(records, durably: true)
            partition.remember(losses)
        } catch {
            // Nothing was changed: what can be read is used, and the next opening tries again.
            partition.add(note: "damage was found and could not be taken out: \(error)")
            partition.remember(loader.newLosses)
        }
    }

    /// Writes a loss to the store; returns `false` if that failed and it is only remembered.
    @discardableResult
    private func note(_ loss: Loss, _ partition: Partition) throws -> Bool {
        guard !partition.losses.contains(loss) else { return true }
        do {
            try partition.setLosses(partition.losses + [loss])
            return true
        } catch {
            partition.add(note: "a loss could not be written down: \(error)")
            partition.remember([loss])
            return false
        }
    }

    // MARK: 3. A new partition

    /// A rebuilt partition.
    struct Rebuilt {
        var partition: Partition
        /// What is still unreadable in it, and what was read of the damaged one.
        let findings: PartitionFindings
        var notes: [String]
    }

    /// Rebuilds the partition from what can be read of it, in one pass. Its store must not be open.
    ///
    /// - Parameter lastSequence: the partition's last number, if known.
    func rebuild(because error: StorageError, lastSequence: StoredNumber?) throws -> Rebuilt {
        var repaired: Rebuilt?
        try buildAnew { repaired = try repair(into: $0, lastSequence) }
        guard var result = repaired else { throw error }
        result.notes.insert(error.message, at: 0)
        try root.exchange(kind, keepingReplaced: result.notes.map { "found: \($0)" })
        try root.markOpen(kind)
        result.partition = Partition(
            moving: result.partition, to: try openRecords(wasClosed: false),
            durability: durability, notes: result.notes)
        return result
    }

    /// Fills an empty store to rebuild the partition. If that fails, nothing is left of it.
    func buildAnew(_ fill: (any OrderedByteStore) throws -> Void) throws {
        do {
            let store = try sealed(root.makeReplacement(kind))
            try fill(store)
            try store.close()
        } catch {
            try? root.discardReplacement(kind)
            throw error
        }
    }

    /// Fills `store` with a sound partition, durably, and writes the losses to it. The damaged one
    /// does not change.
    ///
    /// - Parameter lastSequence: the partition's last number, if known.
    private func repair(into store: any OrderedByteStore, _ lastSequence: StoredNumber?) throws
        -> Rebuilt
    {
        var found = Salvage()
        var parts = RecordParts(for: store, root.abilities.limits)
        let notes = try salvage { space, key, value in
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
    ) throws -> Rebuilt {
        // The loader resolves doubles and finds the damaged records. Our list replaces its finding
        // about the missing manifest.
        let loader = try PartitionLoader(store)
        let partition = Partition(kind, store, loader, limits: root.abilities.limits)
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
        records = partition.upkeep()
        for blob in found.blobsWithoutEntries(loader.index) {
            records.remove(blob)
            try partition.writeIfFull(&records)
        }
        if !records.batch.isEmpty { try partition.write(records, durably: false) }
        let findings = PartitionFindings(
            lostStates: lostStates.map { ($0.tab, $0.name) },
            states: loader.index.states.count - lostStates.count, bytes: found.bytes)
        return Rebuilt(partition: partition, findings: findings, notes: [])
    }

    // MARK: 4. Only reading

    /// Opens what can be read of a damaged partition, for reading: it cannot be repaired now,
    /// usually because the disk is full.
    private func openForReading(because error: StorageError, lastSequence: StoredNumber?) throws
        -> Partition
    {
        let store = SalvagedStore(salvage)
        let result = try repair(into: store, lastSequence)
        store.endFilling()
        let notes =
            [error.message] + result.notes
            + ["the partition could not be repaired yet: it can only be read"]
        return Partition(
            moving: result.partition, to: store, durability: durability, notes: notes)
    }

    /// Reopens a partition as it is, or else what can be read of it.
    func reopen(lastSequence: StoredNumber, notes: [String] = []) throws -> Partition {
        // A partition that was moved away and did not come back must not be taken for an empty one.
        guard try root.holds(kind) else {
            throw StorageError(
                .failed, "the \(kind.rawValue) partition of '\(root.location)' is not in its place")
        }
        do {
            let store = try openRecords(wasClosed: false)
            let loader = try PartitionLoader(store)
            // The damage may look like an end that was not durable, but it was durable.
            guard loader.index.sequence >= lastSequence else {
                try? store.close()
                throw StorageError(
                    .corrupted,
                    "the partition had change set \(lastSequence) and is back at \(loader.index.sequence)"
                )
            }
            let partition = partition(store, loader, notes: notes)
            partition.remember(loader.newLosses)
            return partition
        } catch let error as StorageError where error.code == .corrupted {
            return try openForReading(because: error, lastSequence: lastSequence)
        }
    }

    // MARK: 5. Markers

    /// A sequence number that the partition had.
    private struct Mark {
        var sequence: StoredNumber
        /// Whether it had this number at its last change.
        var isLast: Bool
    }

    /// Returns `nil` if there is no marker, or it cannot be read.
    private func mark() throws -> Mark? {
        guard let mark = try root.mark(of: kind) else { return nil }
        return sequence(in: mark.token).map { Mark(sequence: $0, isLast: mark.isLast) }
    }

    private func sequence(in token: String) -> StoredNumber? {
        if let seal { return seal.number(in: token) }
        return StoredNumber(decimal: token)
    }

    /// Notes what the marker says about the partition's age.
    ///
    /// - Parameter found: the number that the partition had before anything was repaired.
    private func noteAge(
        of partition: Partition, _ mark: Mark, _ found: StoredNumber, isRebuilt: Bool
    ) throws {
        if partition.index.sequence < mark.sequence {
            let detail = """
                the store was closed after change set \(mark.sequence) and is back at \
                \(partition.index.sequence)
                """
            if try note(Loss(.unknownRecords, detail: detail), partition) {
                try root.forgetMark(of: kind)
            }
        }
        if mark.isLast, !isRebuilt, found > mark.sequence {
            // No process leaves this: the marker is removed before the first change.
            let detail = """
                the files are of two states: the store was closed after change set \(mark.sequence), and \
                holds \(found); a backup was copied over it, perhaps
                """
            try note(Loss(.unknownRecords, detail: detail), partition)
        }
    }

    /// Notes the last sequence number at a clean close, in a sealed partition unreadable to others.
    func markClosed(at sequence: StoredNumber) throws {
        // An empty incognito partition has no marker.
        guard kind == .regular || sequence > .zero else { return }
        if let mark = try root.mark(of: kind), self.sequence(in: mark.token) == sequence {
            // Nothing was changed since the last close. The checksums of other engines' files went
            // when they were opened.
            if mark.isLast, root.abilities.findsDamage { return }
            return try root.markClosed(kind, mark.token)
        }
        try root.markClosed(kind, seal?.sealedText(of: sequence) ?? "\(sequence)")
    }

    // MARK: 6. Restore points

    private func begin(_ partition: Partition, takesPoint: Bool) throws {
        // A read-only store shows the restore points of its last opener.
        if root.isReadOnly { return }
        do {
            if kind == .regular && !partition.hasManifest { try partition.beginManifest() }
            guard takesPoint else { return }
            let clock = PointClock(root.environment, after: partition.index.points.last?.record)
            try partition.takeRestorePoint(for: .opening, by: clock)
        } catch {
            // A full disk does not prevent reading; the next opening tries again.
            if root.isNew { throw error }
            partition.add(note: "no restore point was taken: \(error)")
        }
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
            try? RecordFrame.read(record.value, key: key) { try Manifest(payload: $0.payload) }
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
