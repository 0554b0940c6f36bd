import BrowserSessions

/// One open partition of a store: the engine's records and what is known about them.
final class Partition {
    let kind: StoragePartition
    let store: any OrderedByteStore
    /// The most that a save survives.
    let durability: Durability
    /// The limits of a batch.
    let limits: EngineLimits
    let index: PartitionIndex
    /// Losses that are not acknowledged yet.
    private(set) var losses: [Loss]
    /// What opening found and did, in sentences without content.
    private(set) var notes: [String]
    /// Whether the store records what it should hold, even if that is nothing.
    private(set) var hasManifest: Bool
    /// Whether something was unreadable, so that the engine must check itself before a write.
    private(set) var isSuspect = false
    private var isProven = false
    /// The sums over the records of each restore point; `nil` until a point is read.
    var pointSums: [StoredNumber: Manifest]?
    /// Counts the tabs that went since the newest restore point.
    var lossGuard: LossGuard
    /// Why nothing can be written any more.
    private var failure: StorageError?
    /// Notes that the files may change from now on; replaced by nothing once that has succeeded.
    private var willChange: () throws -> Void

    init(
        _ kind: StoragePartition, _ store: any OrderedByteStore, _ loader: PartitionLoader,
        durability: Durability = .powerLoss, limits: EngineLimits = .none, notes: [String] = [],
        willChange: @escaping () throws -> Void = {}
    ) {
        self.kind = kind
        self.willChange = willChange
        self.store = store
        self.durability = durability
        self.limits = limits
        self.notes = store.openingNotes + notes
        index = loader.index
        lossGuard = LossGuard(index)
        losses = loader.oldLosses
        hasManifest = loader.hasManifest
    }

    /// Continues with the records of a partition that are in another store now.
    init(
        moving partition: Partition, to store: any OrderedByteStore, durability: Durability,
        notes: [String]
    ) {
        kind = partition.kind
        willChange = partition.willChange
        self.store = store
        self.durability = durability
        limits = partition.limits
        self.notes = store.openingNotes + notes
        index = partition.index
        lossGuard = partition.lossGuard
        losses = partition.losses
        hasManifest = partition.hasManifest
    }

    func add(note: String) { notes.append(note) }

    /// Whether it is damaged and could not be repaired, so that nothing can be saved.
    var canOnlyBeRead: Bool { store is SalvagedStore }

    /// Whether losses of unknown extent exist: what cannot be found may have been there.
    var hasUnknownLosses: Bool {
        losses.contains {
            switch $0.kind {
            case .unknownRecords: true
            case .attributes, .tab, .node, .tabReplacedByEarlier, .nodeReplacedByEarlier:
                $0.session == nil
            case .state, .restorePoint, .unfinishedWrite: false
            }
        }
    }

    /// Whether the outcome of the last write is unknown.
    var isUnresolved: Bool { failure != nil }

    /// Writes the records, and only then changes the index. Further records keep the number of the
    /// last change set; a set's own records bring the next one.
    func write(_ records: RecordBatch, durably: Bool) throws {
        var records = records
        records.putManifest()
        try limits.require(records.batch)
        try prepareForChange()
        try latched { try store.write(records.batch, durably: durably) }
        for edit in records.edits { index.apply(edit) }
        index.manifest = records.manifest
        index.sequence = records.sequence
        hasManifest = true
    }

    /// Notes once, durably, that the partition is not as it was closed: a power cut during a change
    /// leaves what no clean close leaves. A partition in which nothing changes stays closed.
    private func prepareForChange() throws {
        try willChange()
        willChange = {}
    }

    /// Lets the engine do the maintenance that it wants.
    func maintain() throws {
        guard store.wantsMaintenance else { return }
        try prepareForChange()
        try store.maintain()
    }

    /// Writes the manifest of a new partition, which distinguishes an empty store from a lost one.
    func beginManifest() throws { try write(upkeep(), durably: true) }

    /// Returns the number of the next change set.
    func nextSequence() throws -> StoredNumber {
        try index.sequence.next(of: "the last change set of the \(kind.rawValue) partition")
    }

    /// Returns a batch for work that changes no session.
    func upkeep() -> RecordBatch { RecordBatch(index, sequence: index.sequence) }

    /// Replaces the list of unacknowledged losses, in the store too.
    func setLosses(_ new: [Loss]) throws {
        guard new != losses else { return }
        var records = upkeep()
        try records.putLosses(new)
        try write(records, durably: true)
        losses = new
    }

    func acceptLosses() { losses = [] }

    /// Lets a suspect engine check itself, once; returns its first finding.
    func findDamage() throws -> String? {
        guard isSuspect else { return nil }
        let finding: String?
        do {
            finding = try store.verify().first
        } catch let error as StorageError where error.code == .corrupted {
            finding = error.message
        }
        isProven = finding == nil
        isSuspect = !isProven
        return finding
    }

    /// Syncs, if that has an effect.
    func sync() throws {
        guard durability >= .powerLoss else { return }
        try latched {
            do {
                try store.sync()
            } catch let error as StorageError {
                // What remains of earlier saves is unknown; a full disk loses nothing.
                throw error.code == .outOfSpace ? error : error.with(.indeterminate)
            }
        }
    }

    /// Prevents all writes after a failure that leaves unclear what is durable: the system may
    /// report a second sync as a success although it dropped what the first should have written.
    private func latched(_ work: () throws -> Void) throws {
        if let failure { throw failure }
        do {
            try work()
        } catch let error as StorageError {
            if error.effect == .indeterminate || error.code == .durabilityLost {
                failure = StorageError(
                    .durabilityLost,
                    """
                    an earlier save may not be durable (\(error.message)); close the store and open \
                    it again
                    """, underlying: error)
            }
            throw error
        }
    }

    /// Adds losses that are already in the store, or that could not be written.
    func remember(_ new: [Loss]) { losses += new }
}

// MARK: - Saving

extension Partition {
    /// Returns the level that a save reaches when it asks for one. If the key or the whole store is
    /// lost with the power, syncing has no effect.
    func level(for wanted: Durability) -> Durability {
        min(max(wanted, .processCrash), durability)
    }

    func save(_ validated: ValidatedChanges, _ wanted: Durability) throws -> SaveReceipt {
        let changes = validated.set
        let level = level(for: wanted)
        let durably = level >= .powerLoss
        if let id = changes.commitID, let commit = index.commits.first(where: { $0.id == id }) {
            if durably { try sync() }
            return SaveReceipt(
                sequence: commit.sequence.value, durability: level, wasAlreadyApplied: true)
        }
        if let expected = changes.expectedSequence, expected != index.sequence.value {
            throw StorageError(
                .conflict,
                "the store is at change set \(index.sequence), the save expected \(expected)")
        }
        if changes.isEmpty && changes.commitID == nil {
            if durably { try sync() }
            return SaveReceipt(sequence: index.sequence.value, durability: level)
        }
        var records = RecordBatch(
            index, sequence: try nextSequence(), capacity: changes.changes.count)
        try records.add(validated, to: index)
        try write(records, durably: durably)
        return SaveReceipt(sequence: index.sequence.value, durability: level)
    }
}

// MARK: - Reading

extension Partition {
    /// Returns the blob; `nil` if there is none. Throws `StorageError.Code.corrupted` if it was
    /// saved but cannot be read.
    func state(_ key: TabStateKey, at version: SessionVersion = .current) throws -> [UInt8]? {
        guard let entry = try stateEntry(key, at: version) else { return nil }
        return try blob(of: key, entry) { _, frame in [UInt8](frame.payload) }
    }

    /// Returns the present blob's key and record as they are stored.
    func stateRecord(_ key: TabStateKey) throws -> (key: [UInt8], record: [UInt8])? {
        guard let entry = index.state(key.tab, key.name) else { return nil }
        let record = try blob(of: key, entry) { record, _ in record }
        return (StateKey.blob(key.tab, key.name, set: entry.stamp.sequence).bytes, record)
    }

    /// Reads. If damage appears, the engine must check itself before the next write.
    func suspecting<Success>(_ read: () throws -> Success) throws -> Success {
        do {
            return try read()
        } catch let error as StorageError {
            if error.code == .corrupted { isSuspect = !isProven }
            throw error
        }
    }

    private func stateEntry(_ key: TabStateKey, at version: SessionVersion) throws
        -> PartitionIndex.State?
    {
        switch version {
        case .current: index.state(key.tab, key.name)
        case .point(let id): try point(id).flatMap { try entry(of: key, at: $0) }
        }
    }

    /// Reads the blob that an entry names.
    func blob<Part>(
        of key: TabStateKey, _ entry: PartitionIndex.State,
        _ part: (_ record: [UInt8], _ frame: RecordFrame) -> Part
    ) throws -> Part {
        try suspecting {
            let bytes = StateKey.blob(key.tab, key.name, set: entry.stamp.sequence).bytes
            guard let record = try store.value(of: bytes, in: .state) else {
                throw Self.unreadable(key, "it is missing")
            }
            return try record.withUnsafeBytes { value in
                let frame = bytes.withUnsafeBytes { try? RecordFrame(value, key: $0) }
                guard let frame, frame.checksum == entry.checksum else {
                    throw Self.unreadable(key, "it does not match its checksum")
                }
                return part(record, frame)
            }
        }
    }

    static func unreadable(_ key: TabStateKey, _ why: String) -> StorageError {
        StorageError(
            .corrupted,
            """
            the '\(key.name.rawValue)' state of tab \(key.tab) cannot be read: \(why); open the \
            tab by its address, and see 'check'
            """)
    }

    /// Returns the keys of all blobs of a session's tabs.
    func stateKeys(in session: SessionID, at version: SessionVersion) throws -> [TabStateKey] {
        let names: [(TabID, [StateName])]
        switch version {
        case .current: names = index.tabs(of: session).map { ($0, index.names(of: $0)) }
        case .point(let id):
            guard let point = try point(id) else { return [] }
            names = try tabs(of: session, at: point).map { ($0, try self.names(of: $0, at: point)) }
        }
        return names.flatMap { tab, names in
            names.map { TabStateKey(tab: tab, name: $0, partition: kind) }
        }
    }
}
