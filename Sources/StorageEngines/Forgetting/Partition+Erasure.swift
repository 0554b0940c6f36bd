import BrowserSessions

/// A copy without removed or replaced records.
extension Partition {
    /// Throws `StorageError.Code.corrupted` if the engine finds damage, or if there are losses that
    /// were not accepted: the remains may be all that is left of them.
    func requireNoDamage() throws {
        if canOnlyBeRead || losses.contains(where: { $0.kind != .unfinishedWrite }) {
            throw Self.unfit("the \(kind.rawValue) partition has losses that were not accepted")
        }
        try explainingDamage {
            if let finding = try store.verify().first { throw StorageError(.corrupted, finding) }
        }
    }

    /// Copies what is current to an empty store, durably, without restore points and states that only
    /// a point needs.
    ///
    /// Throws `StorageError.Code.corrupted` unless the copy is complete.
    ///
    /// - Parameter keepsLosses: whether the copy also records the losses that were not accepted.
    func copyCurrent(to new: any OrderedByteStore, keepingLosses keepsLosses: Bool = false) throws {
        try explainingDamage { try copyRecords(to: new, keepsLosses) }
        let copy = try PartitionLoader(new)
        guard copy.isWhole, copy.index.sequence == index.sequence else {
            throw Self.unfit("not everything in the \(kind.rawValue) partition can be read")
        }
    }

    private func copyRecords(to new: any OrderedByteStore, _ keepsLosses: Bool) throws {
        var parts = RecordParts(for: new, limits)
        try putCurrent(to: &parts) { index.isCurrent($0) || keepsLosses && $0 == .losses }
        if hasManifest {
            let key = RecordKey.manifestBytes
            let sealed = RecordFrame.seal(
                .manifest, index.sequence, index.currentManifest, key: key)
            try parts.put(sealed.bytes, for: key, in: .metadata)
        }
        try parts.finish()
    }

    /// Puts the metadata records that are kept, and the states of the tabs that are there.
    func putCurrent(to parts: inout RecordParts, _ isKept: (RecordKey) -> Bool) throws {
        // Nothing is written while the engine visits records.
        var metadata: [(key: [UInt8], value: [UInt8])] = []
        try suspecting {
            try store.scan(.metadata, prefix: []) { key, value in
                guard let record = RecordKey(key), isKept(record) else { return }
                metadata.append(([UInt8](key), [UInt8](value)))
            }
        }
        for (key, value) in metadata { try parts.put(value, for: key, in: .metadata) }
        for (tab, name) in knownStates where index.tabs[tab] != nil {
            let key = TabStateKey(tab: tab, name: name, partition: kind)
            guard let (key, record) = try stateRecord(key) else { continue }
            try parts.put(record, for: key, in: .state)
        }
    }

    private func explainingDamage(_ work: () throws -> Void) throws {
        do {
            try work()
        } catch let error as StorageError where error.code == .corrupted {
            throw Self.unfit(error.message)
        }
    }

    private static func unfit(_ reason: String) -> StorageError {
        StorageError(
            .corrupted,
            """
            what was removed cannot be erased now: \(reason). Nothing was changed; call 'repair', which \
            gives up what is lost, and erase again
            """)
    }
}

extension PartitionIndex {
    /// Returns whether a record is current and not the manifest.
    fileprivate func isCurrent(_ key: RecordKey) -> Bool {
        switch key {
        case .record, .commit: true
        case .stateEntry(let tab, _): tabs[tab] != nil
        case .manifest, .losses, .point: false
        }
    }

    /// The manifest of a partition that holds only what is current.
    fileprivate var currentManifest: Manifest {
        var manifest = Manifest()
        func add(_ stamp: RecordStamp?) { manifest.replace(nil, with: stamp) }
        for session in sessions { add(session.attributes) }
        for tab in tabs.values { add(tab.stamp) }
        for node in nodes.values { add(node.stamp) }
        for (slot, state) in states where tabs[slot.tab] != nil { add(state.stamp) }
        for commit in commits { add(commit.stamp) }
        return manifest
    }
}
