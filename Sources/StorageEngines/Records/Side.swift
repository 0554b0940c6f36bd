import BrowserSessions

/// One opened side of a store: the engine's records and what is known of them.
final class Side {
    let kind: StorageSide
    let store: any OrderedByteStore
    /// What a save survives at most.
    let durability: Durability
    /// How large a batch may be.
    let limits: EngineLimits
    let index: SideIndex
    /// What was lost and nobody acknowledged yet.
    private(set) var losses: [Loss]
    /// What opening found and did, in sentences without content.
    private(set) var notes: [String]
    /// Whether the store says what it should hold, if only nothing.
    private(set) var hasManifest: Bool
    /// Something could not be read: the engine must check itself before it is written to again.
    private(set) var isSuspect = false
    private var isProven = false
    /// Why nothing can be written any more.
    private var failure: StorageError?

    init(
        _ kind: StorageSide, _ store: any OrderedByteStore, _ loader: SideLoader,
        durability: Durability = .powerLoss, limits: EngineLimits = .none, notes: [String] = []
    ) {
        self.kind = kind
        self.store = store
        self.durability = durability
        self.limits = limits
        self.notes = store.openingNotes + notes
        index = loader.index
        losses = loader.oldLosses
        hasManifest = loader.hasManifest
    }

    func add(note: String) { notes.append(note) }

    /// Whether it is damaged and could not be repaired: nothing can be saved.
    var canOnlyBeRead: Bool { store is SalvagedStore }

    /// Losses whose extent is not known: what cannot be found may have been there.
    var hasUnknownLosses: Bool {
        losses.contains {
            switch $0.kind {
            case .unknownRecords: true
            case .attributes, .tab, .tabReplacedByEarlier: $0.session == nil
            case .state, .unfinishedWrite: false
            }
        }
    }

    /// Nobody knows whether the last write was applied.
    var isUnresolved: Bool { failure != nil }

    /// Writes the records and only then changes the index. Further records keep the number of the
    /// last change set, a set's own records bring the next.
    func write(_ records: RecordBatch, durably: Bool) throws {
        var records = records
        records.putManifest(after: index)
        try limits.require(records.batch)
        try latched { try store.write(records.batch, durably: durably) }
        for edit in records.edits { index.apply(edit) }
        index.sequence = records.sequence
        hasManifest = true
    }

    /// Writes the manifest of a new side, so that from now on an empty store is known from a lost one.
    func beginManifest() throws { try write(upkeep(), durably: true) }

    /// The number of the next change set.
    func nextSequence() throws -> StoredNumber {
        try index.sequence.next(of: "the last change set of the \(kind.rawValue) side")
    }

    /// A batch for work that changes no session.
    func upkeep() -> RecordBatch { RecordBatch(sequence: index.sequence) }

    /// Replaces the list of losses that wait to be acknowledged, in the store too.
    func setLosses(_ new: [Loss]) throws {
        guard new != losses else { return }
        var records = upkeep()
        try records.putLosses(new)
        try write(records, durably: true)
        losses = new
    }

    func acceptLosses() { losses = [] }

    /// Lets a suspect engine check itself, once; returns what it found first.
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

    /// Syncs, unless it would be for nothing.
    func sync() throws {
        guard durability >= .powerLoss else { return }
        try latched {
            do {
                try store.sync()
            } catch var error as StorageError {
                // Nobody knows what of earlier saves it left; a full disk does not lose what it has.
                if error.code != .outOfSpace { error.effect = .indeterminate }
                throw error
            }
        }
    }

    /// Lets nothing be written after a failure that leaves open what is durable: the system may call a
    /// second sync a success although it has dropped what the first one should have written.
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

    /// Takes over losses that stand in the store already, or could not be written down.
    func remember(_ new: [Loss]) { losses += new }
}

// MARK: - Saving

extension Side {
    /// What a save reaches that asks for a level: where the key, or all of the store, is lost with the
    /// power, syncing would be for nothing.
    func level(for wanted: Durability) -> Durability {
        min(max(wanted, .processCrash), durability)
    }

    func save(_ changes: SessionChanges, _ wanted: Durability) throws -> SaveReceipt {
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
            sequence: try nextSequence(), capacity: changes.changes.count)
        try records.add(changes, to: index)
        try write(records, durably: durably)
        return SaveReceipt(sequence: index.sequence.value, durability: level)
    }
}

// MARK: - Reading

extension Side {
    /// The blob; `nil` if there is none. Throws `StorageError.Code.corrupted` if it was saved but
    /// cannot be read.
    func state(_ key: TabStateKey) throws -> [UInt8]? {
        try readState(key) { _, frame in [UInt8](frame.payload) }
    }

    /// The same as it lies in the store.
    func stateRecord(_ key: TabStateKey) throws -> [UInt8]? {
        try readState(key) { record, _ in record }
    }

    /// Reads; damage that shows lets the engine check itself before it is written to again.
    func suspecting<Success>(_ read: () throws -> Success) throws -> Success {
        do {
            return try read()
        } catch let error as StorageError {
            if error.code == .corrupted { isSuspect = !isProven }
            throw error
        }
    }

    private func readState(
        _ key: TabStateKey, _ part: (_ record: [UInt8], _ frame: RecordFrame) -> [UInt8]
    ) throws -> [UInt8]? {
        guard let entry = index.state(key.tab, key.name) else { return nil }
        return try suspecting {
            let bytes = RecordKey.state(key.tab, key.name)
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

    private static func unreadable(_ key: TabStateKey, _ why: String) -> StorageError {
        StorageError(
            .corrupted,
            """
            the '\(key.name.rawValue)' state of tab \(key.tab) cannot be read: \(why); open the \
            tab by its address, and see 'check'
            """)
    }

    /// The keys of all blobs of a session's tabs.
    func stateKeys(in session: SessionID) -> [TabStateKey] {
        index.tabs.filter { $0.value.session == session }.keys.sorted().flatMap { tab in
            index.names(of: tab).map { TabStateKey(tab: tab, name: $0, side: kind) }
        }
    }
}
