import BrowserSessions

/// What the restore points of a partition are when it forgot sites: their records without the tabs on
/// them, so that no older version shows through, and with histories that do not lead there.
struct PointForgetting {
    private let sites: ForgottenSites
    private let partition: Partition
    /// The records as they are to be, in order.
    private(set) var records: [(key: [UInt8], value: [UInt8])] = []
    /// Blobs that only points have, with the bytes that replace them; `nil` for those that stay.
    private(set) var blobs: [StateKey: [UInt8]?] = [:]
    private(set) var receipt = ForgettingReceipt()
    /// The tabs that have anything of the sites at any time.
    private var tabs: Set<TabID>
    /// The tabs that were used since the moment from which on visits are forgotten.
    private var recent: Set<TabID> = []

    /// A version of a record as it is stored.
    private struct Version {
        var point: StoredNumber
        /// Its frame; `nil` if the record was gone.
        var frame: [UInt8]?
        var sequence: StoredNumber
    }

    /// - Parameter tabs: those that have anything of the sites now.
    init(_ sites: ForgottenSites, in partition: Partition, tabs: Set<TabID>) throws {
        (self.sites, self.partition, self.tabs) = (sites, partition, tabs)
        let groups = try versions()
        // The tabs first: a state of another kind goes with what is known of its tab.
        var earlier: Set<TabID> = []
        for (record, versions) in groups {
            for version in versions {
                if case .record(.tab(let tab), _) = record {
                    guard let metadata = try metadata(version, tab) else { continue }
                    if sites.covers(metadata) { earlier.insert(tab) }
                    if sites.reaches(metadata.lastActiveAt) { recent.insert(tab) }
                } else if case .stateEntry(let tab, .navigation) = record,
                    let (_, entries) = try redacted(version, tab), entries > 0
                {
                    self.tabs.insert(tab)
                }
            }
        }
        receipt.earlierTabs = earlier.count
        self.tabs.formUnion(earlier)
        for (record, versions) in groups { try add(record, versions) }
    }

    // MARK: Reading

    private func versions() throws -> [(record: RecordKey, versions: [Version])] {
        var groups: [(record: RecordKey, versions: [Version])] = []
        var damaged = 0
        try partition.store.scan(.state, prefix: StateKey.versions) { key, value in
            guard case .version(let record, let point, let isGone)? = StateKey(key),
                let frame = try? RecordFrame(value, key: StateKey.frameKey(key))
            else {
                damaged += 1
                return
            }
            let version = Version(
                point: point, frame: isGone ? nil : [UInt8](value), sequence: frame.sequence)
            if groups.last?.record == record {
                groups[groups.count - 1].versions.append(version)
            } else {
                groups.append((record, [version]))
            }
        }
        guard damaged == 0 else {
            throw StorageError(
                .corrupted,
                """
                \(damaged) records of restore points cannot be read, so nothing can say what is in them. \
                Nothing more was forgotten; call 'repair', which gives them up, and forget again
                """)
        }
        return groups
    }

    private func metadata(_ version: Version, _ tab: TabID) throws -> TabMetadata? {
        guard let frame = version.frame else { return nil }
        // The key is not needed: the frame was checked when it was read.
        let payload = frame[RecordFrame.headerLength..<frame.count - 4]
        return try payload.withUnsafeBytes { try TabMetadata(id: tab, payload: $0) }
    }

    /// Returns the bytes of the state that a version names; `nil` if the tab had no such state.
    private func state(_ version: Version, _ tab: TabID, _ name: StateName) throws -> [UInt8]? {
        let record = RecordKey.stateEntry(tab, name)
        guard let frame = version.frame, let entry = PartitionIndex.State(record, frame) else {
            return nil
        }
        let key = TabStateKey(tab: tab, name: name, partition: partition.kind)
        return try partition.blob(of: key, entry) { [UInt8]($1.payload) }
    }

    /// Returns whether a state goes as a whole.
    private func covers(_ version: Version, _ tab: TabID, _ name: StateName) throws -> Bool {
        if name != .navigation, tabs.contains(tab) { return true }
        guard recent.contains(tab), let bytes = try state(version, tab, name) else { return false }
        return sites.covers(stateNamed: name, bytes)
    }

    /// Returns the history of a version without the sites, and how many entries went; `nil` if there is
    /// none, or nothing changes.
    private func redacted(_ version: Version, _ tab: TabID) throws
        -> (history: NavigationHistory, entries: Int)?
    {
        guard let bytes = try state(version, tab, .navigation),
            var history = try? NavigationHistory(encoded: bytes)
        else { return nil }
        let (entries, isChanged) = sites.redact(&history, keepingCurrent: false)
        return isChanged ? (history, entries) : nil
    }

    // MARK: Writing

    private mutating func add(_ record: RecordKey, _ versions: [Version]) throws {
        var hasContent = false
        for version in versions {
            let frame = try forgotten(version, record)
            guard frame != nil || hasContent else { continue }
            hasContent = true
            let sealed = RecordFrame.seal(.gone, version.point, NoContent(), key: record.bytes)
            let key = StateKey.version(record, point: version.point, isGone: frame == nil)
            records.append((key.bytes, frame ?? sealed.bytes))
        }
    }

    /// Returns the frame of a version as it is to be; `nil` if the record is gone then.
    private mutating func forgotten(_ version: Version, _ record: RecordKey) throws -> [UInt8]? {
        guard let frame = version.frame else { return nil }
        switch record {
        case .record(let item, let id):
            var content = try RecordFrame.read(frame, key: record.bytes) {
                try SessionRecord(item, in: id, payload: $0.payload)
            }
            if let tab = content.tab, sites.covers(tab) { return nil }
            guard sites.redact(&content) else { return frame }
            let kind = RecordFrame.Kind(item)
            return RecordFrame.seal(kind, version.sequence, content, key: record.bytes).bytes
        case .stateEntry(let tab, let name):
            return try forgotten(version, frame, tab, name)
        default: return frame
        }
    }

    private mutating func forgotten(
        _ version: Version, _ frame: [UInt8], _ tab: TabID, _ name: StateName
    ) throws -> [UInt8]? {
        let record = RecordKey.stateEntry(tab, name)
        if try covers(version, tab, name) {
            receipt.states += 1
            return nil
        }
        guard let (history, entries) = name == .navigation ? try redacted(version, tab) : nil
        else {
            keepBlob(of: tab, name, version)
            return frame
        }
        receipt.historyEntries += entries
        // A blob that the present has, too, shows what is open, and stays as it is there.
        let isPresent = partition.index.state(tab, name)?.stamp.sequence == version.sequence
        guard !history.entries.isEmpty, !isPresent else { return nil }
        // The copy has this blob under the key of the old one, and no store has both.
        let key = StateKey.blob(tab, name, set: version.sequence)
        let blob = RecordFrame.seal(.state, version.sequence, history.encoded(), key: key.bytes)
        blobs[key] = .some(blob.bytes)
        let entry = StateEntry(
            checksum: blob.stamp.checksum, length: blob.bytes.count - RecordFrame.overhead)
        return RecordFrame.seal(.stateEntry, version.sequence, entry, key: record.bytes).bytes
    }

    private mutating func keepBlob(of tab: TabID, _ name: StateName, _ version: Version) {
        let key = StateKey.blob(tab, name, set: version.sequence)
        if partition.index.state(tab, name)?.stamp.sequence != version.sequence {
            blobs[key] = .some(nil)
        }
    }
}
