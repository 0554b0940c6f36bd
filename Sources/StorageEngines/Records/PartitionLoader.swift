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
    /// Keys of older records of tabs that also have a newer one.
    private(set) var stale: [RecordKey] = []
    private(set) var bytes = 0

    private var manifest: Manifest?
    private var highestSequence = StoredNumber.zero

    init(_ store: any OrderedByteStore, unless interruption: CallCancellation? = nil) throws {
        try store.scan(.metadata, prefix: []) { key, value in
            try interruption?.poll()
            bytes += value.count
            do throws(RecordFrame.Problem) {
                let frame = try RecordFrame(value, key: key)
                guard let parsed = RecordKey(key) else { throw .damaged }
                try read(parsed, frame)
            } catch {
                try note(error, key, value)
            }
        }
        index.sortCommits()
        attributeLosses()
        compareWithManifest()
    }

    /// Whether all records exist and can be read.
    var isWhole: Bool {
        newLosses.isEmpty && oldLosses.isEmpty && damaged.isEmpty && stale.isEmpty
    }

    /// Whether there is a manifest, even an unreadable one.
    var hasManifest: Bool {
        manifest != nil || damaged.contains { $0.key == RecordKey.manifest.bytes }
    }

    private mutating func read(_ key: RecordKey, _ frame: RecordFrame)
        throws(RecordFrame.Problem)
    {
        highestSequence = max(highestSequence, frame.sequence)
        let stamp = frame.stamp
        var replaced: RecordStamp?
        do throws(WireError) {
            switch key {
            case .manifest:
                manifest = try Manifest(payload: frame.payload)
                index.sequence = frame.sequence
                return
            case .losses:
                oldLosses = try Losses(payload: frame.payload).losses
                index.apply(.losses(stamp))
            case .record(.session, let id):
                index.apply(.attributes(id, PartitionIndex.Attributes(frame)))
            case .record(let item, let id):
                let new = try index.element(item, in: id, frame)
                let known = index.element(item).map { (index.key(of: item, $0), $0.stamp) }
                guard isLatest(key, stamp, known) else { return }
                replaced = known?.1
                index.apply(.element(item, new))
            case .stateEntry(let tab, let name):
                let entry = try StateEntry(payload: frame.payload)
                let state = PartitionIndex.State(
                    checksum: entry.checksum, length: entry.length, stamp: stamp)
                index.apply(.state(tab, name, state))
            case .commit(let id):
                index.apply(
                    .newCommit(.init(id: id, sequence: frame.sequence, stamp: stamp)))
            case .point(let number):
                let record = try PointRecord(number: number, payload: frame.payload)
                index.apply(
                    .point(number, .init(number: number, record: record, stamp: stamp)))
            }
        } catch { throw .damaged }
        index.manifest.replace(replaced, with: stamp)
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
        damaged.append(record)
        let detail = "a record of \(value.count) bytes does not match its checksum"
        switch Self.trustedKey(key, value) {
        case .record(let item, let id): newLosses.append(Loss(of: item, in: id, detail: detail))
        case .stateEntry(let tab, _): newLosses.append(Loss(.state, tab: tab, detail: detail))
        case .point, .commit: break
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
                (try? RecordFrame(value, key: $0)) != nil
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
            if let session = loss.session, index.session(session) == nil {
                newLosses[position].session = nil
            }
            if loss.kind == .state, let tab = loss.tab {
                newLosses[position].session = index.session(of: tab)
            }
        }
    }

    /// Returns whether a record is the later one of two of one tab or node. The other one is stale.
    private mutating func isLatest(
        _ key: RecordKey, _ stamp: RecordStamp, _ known: (key: RecordKey, stamp: RecordStamp)?
    ) -> Bool {
        guard let known else { return true }
        let isLater = stamp.sequence > known.stamp.sequence
        stale.append(isLater ? known.key : key)
        return isLater
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

extension PartitionIndex.Attributes {
    /// Reads what is known of a session. It is there even if its payload cannot be read on.
    fileprivate init(_ frame: RecordFrame) {
        let attributes = try? SessionAttributes(payload: frame.payload)
        self.init(
            stamp: frame.stamp, title: attributes?.title ?? "",
            lastActiveAt: attributes?.lastActiveAt ?? .unknown, byteCount: frame.byteCount)
    }
}

extension PartitionIndex {
    /// Reads what is known of a tab or node. A tab is there even if its payload cannot be read on.
    func element(_ item: SessionItem, in session: SessionID, _ frame: RecordFrame)
        throws(WireError) -> Element
    {
        var element = Element(
            session: number(for: session), stamp: frame.stamp, byteCount: frame.byteCount)
        if case .node(let id) = item {
            let node = try StructureNode(id: id, payload: frame.payload)
            (element.parent, element.kind) = (node.parent, number(of: node.kind))
        } else {
            (element.lastActiveAt, element.parent) = TabMetadata.facts(in: frame.payload)
        }
        return element
    }
}

extension Loss {
    /// The loss of the attributes of a session, of a tab or of a node.
    init(of item: SessionItem, in session: SessionID, detail: String) {
        switch item {
        case .session: self.init(.attributes, session: session, detail: detail)
        case .tab(let id): self.init(.tab, session: session, tab: id, detail: detail)
        case .node(let id): self.init(.node, session: session, node: id, detail: detail)
        }
    }
}
