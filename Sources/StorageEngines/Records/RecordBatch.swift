import BrowserSessions

/// Records that change together: the batch for the store, and the edits of the index that follow
/// once the store has accepted it. A failed write leaves both unchanged.
struct RecordBatch {
    private(set) var batch: ByteBatch
    private(set) var edits: [PartitionIndex.Edit] = []
    /// The manifest as it is once the batch is applied.
    private(set) var manifest: Manifest
    /// The sequence number of the written records.
    let sequence: StoredNumber
    private let index: PartitionIndex
    /// The session that was last asked for.
    private var last: (id: SessionID, number: Int)?

    /// - Parameter capacity: the expected number of records.
    init(_ index: PartitionIndex, sequence: StoredNumber, capacity: Int = 0) {
        self.index = index
        self.sequence = sequence
        manifest = index.manifest
        batch = ByteBatch(capacity: capacity + 1)
        edits.reserveCapacity(capacity)
    }

    /// Puts a record, and removes that of the same tab or node in another session.
    mutating func put(_ record: SessionRecord) throws(StorageError) {
        switch record {
        case .session(let id, let attributes):
            let sealed = try put(.session, .session(id), attributes)
            edits.append(
                .attributes(
                    id,
                    PartitionIndex.Attributes(
                        stamp: sealed.stamp, title: attributes.title,
                        lastActiveAt: attributes.lastActiveAt, byteCount: sealed.bytes.count)))
        case .tab(let tab, let id):
            try put(
                tab, as: .tab(tab.id), in: id, parent: tab.parent, lastActiveAt: tab.lastActiveAt)
        case .node(let node, let id):
            try put(
                node, as: .node(node.id), in: id, parent: node.parent,
                kind: index.number(of: node.kind))
        }
    }

    private mutating func put(
        _ content: some WireMessage, as item: SessionItem, in session: SessionID, parent: NodeID?,
        kind: Int? = nil, lastActiveAt: Timestamp = .unknown
    ) throws(StorageError) {
        let number = number(of: session)
        let old = index.element(item)
        if let old, old.session != number {
            batch.remove(index.key(of: item, old).bytes, in: .metadata)
        }
        let key = RecordKey.record(item, in: session)
        let sealed = try put(
            kind == nil ? .tab : .node, key, content, replacing: old?.stamp)
        let new = PartitionIndex.Element(
            session: number, stamp: sealed.stamp, byteCount: sealed.bytes.count, parent: parent,
            kind: kind, lastActiveAt: lastActiveAt)
        edits.append(.element(item, new))
    }

    /// Removes the record of a tab, a node or the attributes of a session, if it is there.
    mutating func remove(_ item: SessionItem) {
        if case .session(let id) = item {
            removeRecord(.session(id))
            return edits.append(.attributes(id, nil))
        }
        guard let old = index.element(item) else { return }
        removeRecord(index.key(of: item, old), old.stamp)
        edits.append(.element(item, nil))
    }

    private mutating func number(of session: SessionID) -> Int {
        if let last, last.id == session { return last.number }
        let number = index.number(for: session)
        last = (session, number)
        return number
    }

    mutating func putState(_ bytes: [UInt8], _ tab: TabID, _ name: StateName)
        throws(StorageError)
    {
        let key = StateKey.blob(tab, name, set: sequence).bytes
        let blob = RecordFrame.seal(.state, sequence, bytes, key: key)
        let entry = StateEntry(checksum: blob.stamp.checksum, length: bytes.count)
        let old = index.state(tab, name)?.stamp
        removeBlob(of: tab, name, old)
        let sealed = try put(.stateEntry, .stateEntry(tab, name), entry, replacing: old)
        batch.put(blob.bytes, for: key, in: .state)
        let new = PartitionIndex.State(
            checksum: entry.checksum, length: bytes.count, stamp: sealed.stamp)
        edits.append(.state(tab, name, new))
    }

    mutating func removeState(_ tab: TabID, _ name: StateName) {
        let old = index.state(tab, name)?.stamp
        removeRecord(.stateEntry(tab, name), old)
        removeBlob(of: tab, name, old)
        edits.append(.state(tab, name, nil))
    }

    /// Removes the present blob of a state, unless a restore point names it, too.
    private mutating func removeBlob(of tab: TabID, _ name: StateName, _ entry: RecordStamp?) {
        guard let set = entry?.sequence, set > index.newestPoint else { return }
        batch.remove(StateKey.blob(tab, name, set: set).bytes, in: .state)
    }

    mutating func putCommit(_ id: CommitID) throws(StorageError) {
        let sealed = try put(.commit, .commit(id), NoContent())
        edits.append(.newCommit(.init(id: id, sequence: sequence, stamp: sealed.stamp)))
    }

    mutating func forgetCommit(_ id: CommitID) {
        removeRecord(.commit(id))
        edits.append(.forgottenCommit)
    }

    mutating func putLosses(_ losses: [Loss]) throws(StorageError) {
        guard !losses.isEmpty else {
            removeRecord(.losses)
            edits.append(.losses(nil))
            return
        }
        let sealed = try put(.losses, .losses, Losses(losses: losses))
        edits.append(.losses(sealed.stamp))
    }

    mutating func putPoint(_ number: StoredNumber, _ record: PointRecord) throws(StorageError) {
        let sealed = try put(.point, .point(number), record)
        edits.append(.point(number, .init(number: number, record: record, stamp: sealed.stamp)))
    }

    mutating func forgetPoint(_ number: StoredNumber) {
        removeRecord(.point(number))
        edits.append(.point(number, nil))
    }

    /// Puts the record of a tab or node as it was once, with the number that it had.
    mutating func putBack(_ item: SessionItem, _ frame: [UInt8], _ entry: PartitionIndex.Element) {
        batch.put(frame, for: index.key(of: item, entry).bytes, in: .metadata)
        manifest.replace(index.element(item)?.stamp, with: entry.stamp)
        edits.append(.element(item, entry))
    }

    /// Puts a record of the state space, which the index does not know.
    mutating func put(_ frame: [UInt8], for key: StateKey) {
        batch.put(frame, for: key.bytes, in: .state)
    }

    mutating func remove(_ key: StateKey) { batch.remove(key.bytes, in: .state) }

    /// Removes a record that the index does not know, unless this batch puts one under its key.
    mutating func drop(_ key: [UInt8], in space: KeySpace = .metadata) {
        let isPut = batch.operations.contains { operation in
            if case .put(space, key, _) = operation { true } else { false }
        }
        if !isPut { batch.remove(key, in: space) }
    }

    /// Adds the manifest.
    mutating func putManifest() {
        let key = RecordKey.manifestBytes
        let sealed = RecordFrame.seal(.manifest, sequence, manifest, key: key)
        batch.put(sealed.bytes, for: key, in: .metadata)
    }

    private mutating func put(
        _ kind: RecordFrame.Kind, _ key: RecordKey, _ content: some WireMessage
    ) throws(StorageError) -> RecordFrame.Sealed {
        try put(kind, key, content, replacing: index.stamp(of: key))
    }

    private mutating func put(
        _ kind: RecordFrame.Kind, _ key: RecordKey, _ content: some WireMessage,
        replacing old: RecordStamp?
    ) throws(StorageError) -> RecordFrame.Sealed {
        let bytes = key.bytes
        let sealed = RecordFrame.seal(kind, sequence, content, key: bytes)
        try ChangeRules.checkRecord(sealed.bytes.count - RecordFrame.overhead, of: key.subject)
        batch.put(sealed.bytes, for: bytes, in: .metadata)
        manifest.replace(old, with: sealed.stamp)
        return sealed
    }

    private mutating func removeRecord(_ key: RecordKey, _ old: RecordStamp? = nil) {
        batch.remove(key.bytes, in: .metadata)
        manifest.replace(old ?? index.stamp(of: key), with: nil)
    }
}
