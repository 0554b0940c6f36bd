import BrowserSessions

/// Records that change together: the batch for the store, and the edits of the index that follow
/// once the store has accepted it. A failed write leaves both unchanged.
struct RecordBatch {
    private(set) var batch: ByteBatch
    private(set) var edits: [PartitionIndex.Edit] = []
    /// The sequence number of the written records.
    let sequence: StoredNumber

    /// - Parameter capacity: the expected number of records.
    init(sequence: StoredNumber, capacity: Int = 0) {
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
                    fingerprint: sealed.fingerprint, title: attributes.title,
                    lastActiveAt: attributes.lastActiveAt, byteCount: sealed.bytes.count)))
    }

    mutating func removeAttributes(of id: SessionID) {
        batch.remove(RecordKey.session(id).bytes, in: .metadata)
        edits.append(.attributes(id, nil))
    }

    /// Puts a tab, and removes its record in another session.
    mutating func putTab(
        _ tab: TabMetadata, in session: SessionID, replacing old: PartitionIndex.Tab?
    )
        throws(StorageError)
    {
        if let old, old.session != session {
            batch.remove(old.key(of: tab.id), in: .metadata)
        }
        let sealed = try put(.tab, .tab(session, tab.id), tab)
        let new = PartitionIndex.Tab(
            session: session, fingerprint: sealed.fingerprint,
            lastActiveAt: tab.lastActiveAt, byteCount: sealed.bytes.count)
        edits.append(.tab(tab.id, new))
    }

    mutating func removeTab(_ id: TabID, at old: PartitionIndex.Tab) {
        batch.remove(old.key(of: id), in: .metadata)
        edits.append(.tab(id, nil))
    }

    mutating func putState(_ bytes: [UInt8], _ tab: TabID, _ name: StateName)
        throws(StorageError)
    {
        let key = RecordKey.state(tab, name)
        let blob = RecordFrame.seal(.state, sequence, bytes, key: key)
        let entry = StateEntry(checksum: blob.checksum, length: bytes.count)
        let sealed = try put(.stateEntry, .stateEntry(tab, name), entry)
        batch.put(blob.bytes, for: key, in: .state)
        let new = PartitionIndex.State(
            checksum: blob.checksum, length: bytes.count, fingerprint: sealed.fingerprint)
        edits.append(.state(tab, name, new))
    }

    mutating func removeState(_ tab: TabID, _ name: StateName) {
        batch.remove(RecordKey.stateEntry(tab, name).bytes, in: .metadata)
        batch.remove(RecordKey.state(tab, name), in: .state)
        edits.append(.state(tab, name, nil))
    }

    mutating func putCommit(_ id: CommitID) throws(StorageError) {
        let sealed = try put(.commit, .commit(id), NoContent())
        edits.append(
            .newCommit(.init(id: id, sequence: sequence, fingerprint: sealed.fingerprint)))
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
        edits.append(.losses(sealed.fingerprint))
    }

    mutating func putGeneration(_ kept: KeptGeneration, _ number: UInt32) throws(StorageError) {
        let sealed = try put(.generation, .generation(number), kept)
        edits.append(.generation(number, .init(kept: kept, fingerprint: sealed.fingerprint)))
    }

    /// Puts an unchanged record under another key, for the previous generation.
    mutating func copy(_ frame: [UInt8], to key: RecordKey, _ edit: PartitionIndex.Edit) {
        batch.put(frame, for: key.bytes, in: .metadata)
        edits.append(edit)
    }

    mutating func remove(_ key: RecordKey, _ edit: PartitionIndex.Edit) {
        batch.remove(key.bytes, in: .metadata)
        edits.append(edit)
    }

    /// Removes a record that the index does not know, unless this batch puts one under its key.
    mutating func drop(_ key: [UInt8]) {
        let isPut = batch.operations.contains { operation in
            if case .put(.metadata, key, _) = operation { true } else { false }
        }
        if !isPut { batch.remove(key, in: .metadata) }
    }

    /// Removes the earlier record of a tab that this batch saves.
    mutating func removeEarlier(_ key: RecordKey) {
        batch.remove(RecordKey.previous(key).bytes, in: .metadata)
    }

    /// Adds the manifest as it will be once the batch is applied.
    mutating func putManifest(after index: PartitionIndex) {
        var manifest = index.manifest
        for edit in edits {
            let (old, new) = index.fingerprints(of: edit)
            manifest.replace(old, with: new)
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
