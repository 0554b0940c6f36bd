import BrowserSessions

/// Opens a partition, repairs damage and takes a restore point.
///
/// A damaged partition moves to the quarantine as it is, and a new one replaces it with what could
/// be read. Of single damaged records, only the bytes are copied to the quarantine. Nothing
/// incognito ever goes there.
struct PartitionOpener {
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

    /// - Parameter isNew: whether an absent partition is not a loss.
    func open(isNew: Bool) throws -> Partition {
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
        try begin(partition)
        return partition
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

    private func begin(_ partition: Partition) throws {
        // A read-only store shows the restore points of its last opener.
        if root.isReadOnly { return }
        do {
            if kind == .regular && !partition.hasManifest { try partition.beginManifest() }
            let clock = PointClock(root.environment, after: partition.index.points.last?.record)
            try partition.takeRestorePoint(for: .opening, by: clock)
        } catch {
            // A full disk does not prevent reading; the next opening tries again.
            if root.isNew { throw error }
            partition.add(note: "no restore point was taken: \(error)")
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

    /// Rebuilds the partition from what can be read of it, in one pass. Its store must not be open.
    ///
    /// - Parameter lastSequence: the partition's last number, if known.
    func rebuild(because error: StorageError, lastSequence: StoredNumber?) throws
        -> PartitionRepair.Result
    {
        var repaired: PartitionRepair.Result?
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

    // MARK: Unsealed records

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

    private func repair(into store: any OrderedByteStore, _ lastSequence: StoredNumber?) throws
        -> PartitionRepair.Result
    {
        let limits = root.abilities.limits
        return try PartitionRepair(kind: kind, limits: limits).run(
            from: salvage, into: store, lastSequence)
    }
}
