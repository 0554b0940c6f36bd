import BrowserSessions

/// Records that change together: the batch for the store, and the edits of the index that follow
/// once the store has accepted it. A failed write leaves both unchanged.
struct RecordBatch {
    private(set) var batch: ByteBatch
    private(set) var edits: [PartitionIndex.Edit] = []
    /// The sequence number of the written records.
    let sequence: StoredNumber
    private let index: PartitionIndex
    /// The session that was last asked for.
    private var last: (id: SessionID, number: Int)?

    /// - Parameter capacity: the expected number of records.
    init(_ index: PartitionIndex, sequence: StoredNumber, capacity: Int = 0) {
        self.index = index
        self.sequence = sequence
        batch = ByteBatch(capacity: capacity + 1)
        edits.reserveCapacity(capacity)
    }

    mutating func putAttributes(_ attributes: SessionAttributes, of id: SessionID)
        throws(StorageError)
    {
        let sealed = try put(.session, .session(id), attributes)
        edits.append(
            .attributes(
                id,
                PartitionIndex.Attributes(
                    stamp: sealed.stamp, title: attributes.title,
                    lastActiveAt: attributes.lastActiveAt, byteCount: sealed.bytes.count)))
    }

    mutating func removeAttributes(of id: SessionID) {
        batch.remove(RecordKey.session(id).bytes, in: .metadata)
        edits.append(.attributes(id, nil))
    }

    private mutating func number(of session: SessionID) -> Int {
        if let last, last.id == session { return last.number }
        let number = index.number(for: session)
        last = (session, number)
        return number
    }

    /// Puts a tab, and removes its record in another session.
    mutating func putTab(_ tab: TabMetadata, in session: SessionID) throws(StorageError) {
        let number = number(of: session)
        if let old = index.tabs[tab.id], old.session != number {
            batch.remove(index.key(of: tab.id, old).bytes, in: .metadata)
        }
        let sealed = try put(.tab, .tab(session, tab.id), tab)
        let new = PartitionIndex.Tab(
            session: number, stamp: sealed.stamp, lastActiveAt: tab.lastActiveAt,
            byteCount: sealed.bytes.count, parent: tab.parent)
        edits.append(.tab(tab.id, new))
    }

    /// Removes the record of a tab that is there.
    mutating func removeTab(_ id: TabID) {
        guard let old = index.tabs[id] else { return }
        batch.remove(index.key(of: id, old).bytes, in: .metadata)
        edits.append(.tab(id, nil))
    }

    /// Puts a node, and removes its record in another session.
    mutating func putNode(_ node: StructureNode, in session: SessionID) throws(StorageError) {
        let number = number(of: session)
        if let old = index.nodes[node.id], old.session != number {
            batch.remove(index.key(of: node.id, old).bytes, in: .metadata)
        }
        let sealed = try put(.node, .node(session, node.id), node)
        edits.append(
            .node(
                node.id,
                .init(
                    session: number, stamp: sealed.stamp, parent: node.parent, kind: node.kind,
                    byteCount: sealed.bytes.count)))
    }

    /// Removes the record of a node that is there.
    mutating func removeNode(_ id: NodeID) {
        guard let old = index.nodes[id] else { return }
        batch.remove(index.key(of: id, old).bytes, in: .metadata)
        edits.append(.node(id, nil))
    }

    mutating func putState(_ bytes: [UInt8], _ tab: TabID, _ name: StateName)
        throws(StorageError)
    {
        let key = StateKey.blob(tab, name, set: sequence).bytes
        let blob = RecordFrame.seal(.state, sequence, bytes, key: key)
        let entry = StateEntry(checksum: blob.stamp.checksum, length: bytes.count)
        let sealed = try put(.stateEntry, .stateEntry(tab, name), entry)
        removeBlob(of: tab, name)
        batch.put(blob.bytes, for: key, in: .state)
        let new = PartitionIndex.State(
            checksum: entry.checksum, length: bytes.count, stamp: sealed.stamp)
        edits.append(.state(tab, name, new))
    }

    mutating func removeState(_ tab: TabID, _ name: StateName) {
        batch.remove(RecordKey.stateEntry(tab, name).bytes, in: .metadata)
        removeBlob(of: tab, name)
        edits.append(.state(tab, name, nil))
    }

    /// Removes the present blob of a state, unless a restore point names it, too.
    private mutating func removeBlob(of tab: TabID, _ name: StateName) {
        guard let set = index.state(tab, name)?.stamp.sequence, set > index.newestPoint else {
            return
        }
        batch.remove(StateKey.blob(tab, name, set: set).bytes, in: .state)
    }

    mutating func putCommit(_ id: CommitID) throws(StorageError) {
        let sealed = try put(.commit, .commit(id), NoContent())
        edits.append(.newCommit(.init(id: id, sequence: sequence, stamp: sealed.stamp)))
    }

    mutating func forgetCommit(_ id: CommitID) {
        batch.remove(RecordKey.commit(id).bytes, in: .metadata)
        edits.append(.forgottenCommit)
    }

    mutating func putLosses(_ losses: [Loss]) throws(StorageError) {
        guard !losses.isEmpty else {
            batch.remove(RecordKey.losses.bytes, in: .metadata)
            edits.append(.losses(nil))
            return
        }
        let sealed = try put(.losses, .losses, losses)
        edits.append(.losses(sealed.stamp))
    }

    mutating func putPoint(_ number: StoredNumber, _ record: PointRecord) throws(StorageError) {
        let sealed = try put(.point, .point(number), record)
        edits.append(.newPoint(.init(number: number, record: record, stamp: sealed.stamp)))
    }

    mutating func forgetPoint(_ number: StoredNumber) {
        batch.remove(RecordKey.point(number).bytes, in: .metadata)
        edits.append(.forgottenPoint(number))
    }

    /// Puts a tab's record as it was once, with the number that it had.
    mutating func putBack(_ tab: TabID, _ frame: [UInt8], _ entry: PartitionIndex.Tab) {
        batch.put(frame, for: index.key(of: tab, entry).bytes, in: .metadata)
        edits.append(.tab(tab, entry))
    }

    /// Puts a node's record as it was once, with the number that it had.
    mutating func putBack(_ node: NodeID, _ frame: [UInt8], _ entry: PartitionIndex.Node) {
        batch.put(frame, for: index.key(of: node, entry).bytes, in: .metadata)
        edits.append(.node(node, entry))
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

    /// Adds the manifest as it will be once the batch is applied.
    mutating func putManifest() {
        var manifest = index.manifest
        for edit in edits {
            let (old, new) = index.stamps(of: edit)
            manifest.replace(old?.fingerprint, with: new?.fingerprint)
        }
        let key = RecordKey.manifestBytes
        let sealed = RecordFrame.seal(.manifest, sequence, manifest, key: key)
        batch.put(sealed.bytes, for: key, in: .metadata)
    }

    private mutating func put(
        _ kind: RecordFrame.Kind, _ key: RecordKey, _ content: some WireMessage
    ) throws(StorageError) -> RecordFrame.Sealed {
        let bytes = key.bytes
        let sealed = RecordFrame.seal(kind, sequence, content, key: bytes)
        if let subject = key.subject {
            try ChangeRules.checkRecord(
                of: subject, sealed.bytes.count - RecordFrame.overhead)
        }
        batch.put(sealed.bytes, for: bytes, in: .metadata)
        return sealed
    }
}
