import BrowserSessions

/// Reads all metadata records once, when a partition is opened: fills the index, finds damage.
struct PartitionLoader {
    let index = PartitionIndex()
    /// Losses that an earlier opening found and that are not acknowledged yet.
    private(set) var oldLosses: [Loss] = []
    /// What this pass found.
    private(set) var newLosses: [Loss] = []
    /// Unreadable records, as they are stored.
    private(set) var damaged: [(key: [UInt8], value: [UInt8])] = []
    /// Unreadable records of earlier generations. They stay until a repair, so that a reader of
    /// such a generation learns that it is incomplete.
    private(set) var damagedEarlier: [(key: [UInt8], value: [UInt8])] = []
    /// Keys of older records of tabs that also have a newer one.
    private(set) var stale: [RecordKey] = []
    private(set) var bytes = 0

    private var manifest: Manifest?
    private var highestSequence = StoredNumber.zero
    private var doubles: [(key: RecordKey, sequence: StoredNumber, tab: PartitionIndex.Tab)] = []

    init(_ store: any OrderedByteStore, unless interruption: CallCancellation? = nil) throws {
        try store.scan(.metadata, prefix: []) { key, value in
            try interruption?.poll()
            bytes += value.count
            do throws(RecordFrame.Problem) {
                let frame = try RecordFrame(value, key: Self.frameKey(key))
                guard let parsed = RecordKey(key) else { throw .damaged }
                try read(parsed, frame)
            } catch {
                try note(error, key, value)
            }
        }
        try removeDuplicates(store)
        index.sortCommits()
        attributeLosses()
        compareWithManifest()
    }

    /// Whether all records exist and can be read.
    var isWhole: Bool {
        newLosses.isEmpty && oldLosses.isEmpty && allDamaged.isEmpty && stale.isEmpty
    }

    var allDamaged: [(key: [UInt8], value: [UInt8])] { damaged + damagedEarlier }

    /// Whether there is a manifest, even an unreadable one.
    var hasManifest: Bool {
        manifest != nil || damaged.contains { $0.key == RecordKey.manifest.bytes }
    }

    /// Returns the key in a record's checksum: for a kept generation, the record's key before that.
    static func frameKey(_ key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard key.first == RecordKey.Tag.kept, key.count > RecordKey.keptPrefixLength else {
            return key
        }
        return UnsafeRawBufferPointer(rebasing: key[RecordKey.keptPrefixLength...])
    }

    private mutating func read(_ key: RecordKey, _ frame: RecordFrame)
        throws(RecordFrame.Problem)
    {
        highestSequence = max(highestSequence, frame.sequence)
        let mark = frame.fingerprint
        do throws(WireError) {
            switch key {
            case .manifest:
                manifest = try Manifest(payload: frame.payload)
                index.sequence = frame.sequence
            case .losses:
                oldLosses = try Loss.decode(frame.payload)
                index.apply(.losses(mark))
            case .session(let id):
                let attributes = try? SessionAttributes(payload: frame.payload)
                index.apply(
                    .attributes(
                        id,
                        PartitionIndex.Attributes(
                            fingerprint: mark, title: attributes?.title ?? "",
                            lastActiveAt: attributes?.lastActiveAt ?? .unknown,
                            byteCount: frame.byteCount)))
            case .generation(let number):
                let kept = try KeptGeneration(payload: frame.payload)
                index.apply(.generation(number, .init(kept: kept, fingerprint: mark)))
            case .kept(RecordKey.previousNumber, .session(let id)):
                index.apply(.previousAttributes(id, mark))
            case .tab(let id, let tab):
                let entry = PartitionIndex.Tab(id, frame)
                if index.tabs[tab] != nil {
                    doubles.append((key, frame.sequence, entry))
                } else {
                    index.apply(.tab(tab, entry))
                }
            case .kept(RecordKey.previousNumber, .tab(let id, let tab)):
                let entry = PartitionIndex.Tab(id, frame)
                index.apply(.previousTab(tab, entry))
            case .kept(_, .session): index.addPinned(mark)
            case .kept(_, .tab(_, let tab)): index.addPinned(mark, tab: tab)
            case .kept: throw WireError(problem: "no such record")
            case .stateEntry(let tab, let name):
                let entry = try StateEntry(payload: frame.payload)
                let state = PartitionIndex.State(
                    checksum: entry.checksum, length: entry.length, fingerprint: mark)
                index.apply(.state(tab, name, state))
            case .commit(let id):
                index.apply(
                    .newCommit(.init(id: id, sequence: frame.sequence, fingerprint: mark)))
            }
        } catch { throw .damaged }
    }

    private mutating func note(
        _ problem: RecordFrame.Problem, _ key: UnsafeRawBufferPointer,
        _ value: UnsafeRawBufferPointer
    ) throws(StorageError) {
        if problem == .otherVersion {
            throw StorageError(
                .incompatibleFormat,
                "the store holds records of another version than the one that this program reads")
        }
        let record = (key: [UInt8](key), value: [UInt8](value))
        if case .kept? = RecordKey(key) {
            damagedEarlier.append(record)
            return
        }
        damaged.append(record)
        let detail = "a record of \(value.count) bytes does not match its checksum"
        switch Self.trustedKey(key, value) {
        case .tab(let id, let tab):
            newLosses.append(Loss(.tab, session: id, tab: tab, detail: detail))
        case .session(let id):
            newLosses.append(Loss(.attributes, session: id, detail: detail))
        case .stateEntry(let tab, _): newLosses.append(Loss(.state, tab: tab, detail: detail))
        case .generation, .kept, .commit: break
        case .manifest, .losses, nil: newLosses.append(Loss(.unknownRecords, detail: detail))
        }
    }

    /// Returns the key that the record had when it was written; corrects a single changed bit.
    static func trustedKey(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) -> RecordKey? {
        guard key.count <= RecordKey.maximumLength else { return nil }
        var bytes = [UInt8](key)
        for bit in 0..<bytes.count * 8 {
            bytes[bit / 8] ^= 1 << (bit % 8)
            let isSound = bytes.withUnsafeBytes {
                (try? RecordFrame(value, key: frameKey($0))) != nil
            }
            if isSound { return bytes.withUnsafeBytes { RecordKey($0) } }
            bytes[bit / 8] ^= 1 << (bit % 8)
        }
        return RecordKey(key)
    }

    /// A session that appears only in a loss may come from the damage itself; a state belongs to
    /// the session of its tab.
    private mutating func attributeLosses() {
        for position in newLosses.indices {
            let loss = newLosses[position]
            if let session = loss.session, index.sessions[session] == nil {
                newLosses[position].session = nil
            }
            if loss.kind == .state, let tab = loss.tab {
                newLosses[position].session =
                    (index.tabs[tab] ?? index.previousTabs[tab])?.session
            }
        }
    }

    /// Keeps the later of two records of one tab.
    private mutating func removeDuplicates(_ store: any OrderedByteStore) throws {
        for (key, sequence, entry) in doubles {
            guard case .tab(_, let tab) = key, let known = index.tabs[tab] else { continue }
            let knownKey = known.key(of: tab)
            let value = try store.value(of: knownKey, in: .metadata) ?? []
            let knownSequence = value.withUnsafeBytes { value in
                knownKey.withUnsafeBytes { try? RecordFrame(value, key: $0).sequence }
            }
            if sequence > knownSequence ?? .zero {
                stale.append(.tab(known.session, tab))
                index.apply(.tab(tab, entry))
            } else {
                stale.append(key)
            }
        }
    }

    private mutating func compareWithManifest() {
        guard let manifest else {
            index.sequence = highestSequence
            if index.manifest.records > 0 || !damaged.isEmpty {
                newLosses.append(
                    Loss(.unknownRecords, detail: "the store's manifest is missing"))
            }
            return
        }
        if let detail = disagreement(with: manifest) {
            newLosses.append(Loss(.unknownRecords, detail: detail))
        }
    }

    /// Returns how the manifest differs; `nil` if it does not. A stale record counts as one too
    /// many, and hides no missing one. Damaged records have no fingerprint, so with them only the
    /// count is compared.
    func disagreement(with manifest: Manifest) -> String? {
        let present = index.manifest.records + UInt64(damaged.count)
        if manifest.records > present {
            return "the manifest lists \(manifest.records) records, only \(present) are there"
        }
        if manifest.records < present {
            return
                "the manifest lists \(manifest.records) records, \(present) are there, some too many"
        }
        if damaged.isEmpty, manifest.fingerprint != index.manifest.fingerprint {
            return "some records are older than the manifest says"
        }
        return nil
    }
}

extension PartitionIndex.Tab {
    fileprivate init(_ session: SessionID, _ frame: RecordFrame) {
        self.init(
            session: session, fingerprint: frame.fingerprint,
            lastActiveAt: TabMetadata.lastActiveAt(in: frame.payload), byteCount: frame.byteCount)
    }
}
