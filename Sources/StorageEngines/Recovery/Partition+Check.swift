import BrowserSessions

/// What was found in the records of a partition, beside what is known about it.
struct PartitionFindings {
    /// Unreadable records, as they are stored.
    var damaged: [(key: [UInt8], value: [UInt8])] = []
    /// The same of restore points. They stay until a repair, so that a reader of such a point learns
    /// that it is incomplete.
    var damagedVersions: [(key: [UInt8], value: [UInt8])] = []
    /// Entries of restore points with blobs that cannot be read, and the keys of the blobs.
    var lostVersions: [(key: StateKey, blob: StateKey)] = []
    /// The restore points that lack some of their records or states.
    var incompletePoints: Set<StoredNumber> = []
    /// Keys of older records of tabs that also have a newer one.
    var stale: [RecordKey] = []
    /// States that were saved and cannot be read.
    var lostStates: [(tab: TabID, name: StateName)] = []
    /// Losses that the partition does not list yet.
    var losses: [Loss] = []
    /// The number of states that can be read, and of all bytes that were read.
    var states = 0
    var bytes = 0
}

extension PartitionFindings {
    /// Adds what is wrong with restore points, and reads the states that only they have.
    fileprivate mutating func add(
        _ points: PointSums, of partition: Partition, _ interruption: CallCancellation?
    ) throws {
        bytes += points.bytes
        damagedVersions = points.damaged
        let kept = partition.index.points
        incompletePoints = Set(
            kept.filter { points.sums[$0.number] != $0.record.sums }.map(\.number))
        for (key, state) in points.entries {
            guard case .version(.stateEntry(let tab, let name), let number, _) = key else {
                continue
            }
            let blob = StateKey.blob(tab, name, set: state.stamp.sequence)
            if partition.index.state(tab, name)?.stamp == state.stamp {
                if lostStates.contains(where: { $0 == (tab, name) }) {
                    lostVersions.append((key, blob))
                }
                continue
            }
            try interruption?.poll()
            do {
                let name = TabStateKey(tab: tab, name: name, partition: partition.kind)
                bytes += try partition.blob(of: name, state) { $1.payload.count }
            } catch let error as StorageError {
                guard error.code == .corrupted else { throw error }
                lostVersions.append((key, blob))
                // The first of the points that have this version.
                incompletePoints.formUnion(kept.map(\.number).filter { $0 >= number }.prefix(1))
            }
        }
    }
}

extension PartitionRecovery.Rebuilt {
    /// Returns what is still unreadable, in restore points too.
    func allFindings() throws -> PartitionFindings {
        var all = findings
        try all.add(try PointSums(of: partition), of: partition, nil)
        return all
    }
}

extension Partition {
    /// Reads all records and states.
    func findings(unless interruption: CallCancellation? = nil) throws -> PartitionFindings {
        let loader = try PartitionLoader(store, unless: interruption)
        var findings = PartitionFindings(
            damaged: loader.damaged, stale: loader.stale,
            losses: loader.newLosses.filter { !losses.contains($0) }, bytes: loader.bytes)
        for (tab, name) in knownStates {
            try interruption?.poll()
            do {
                let key = TabStateKey(tab: tab, name: name, partition: kind)
                findings.bytes += try state(key)?.count ?? 0
                findings.states += 1
            } catch let error as StorageError {
                guard error.code == .corrupted else { throw error }
                findings.lostStates.append((tab, name))
                let loss = Loss.state(name, of: tab, in: index.session(of: tab))
                if !losses.contains(loss) { findings.losses.append(loss) }
            }
        }
        try findings.add(try PointSums(of: self, unless: interruption), of: self, interruption)
        return findings
    }

    /// Takes out what cannot be read after copying its bytes, and accepts all losses.
    func repair(
        _ findings: PartitionFindings, _ report: RecoveryReport, in quarantine: any StoreQuarantine
    ) throws {
        var records = upkeep()
        var damaged = findings.damaged + findings.damagedVersions
        drop(findings.damaged, findings.stale, &records)
        for (key, _) in findings.damagedVersions { records.drop(key, in: .state) }
        var blobs = Set(findings.lostVersions.map(\.blob))
        for blob in blobs { records.remove(blob) }
        for (key, _) in findings.lostVersions { records.remove(key) }
        for (tab, name) in findings.lostStates {
            guard let set = index.state(tab, name)?.stamp.sequence else { continue }
            records.removeState(tab, name)
            blobs.insert(.blob(tab, name, set: set))
        }
        for blob in blobs {
            guard let bytes = try? store.value(of: blob.bytes, in: .state) else { continue }
            damaged.append((blob.bytes, bytes))
        }
        if !damaged.isEmpty, kind == .regular {
            try quarantine.setAside(
                Self.dump(damaged), reason: "damaged-records",
                report.losses.map { "\($0.kind.rawValue): \($0.detail)" })
        }
        try records.putLosses([])
        try write(records, durably: true)
        acceptLosses()
        try correctPointSums()
        try writeRepairedSessions()
    }

    /// Takes damaged and stale records out with the batch, and replaces the record of a lost tab or
    /// node with that of the newest restore point if there is one. Returns the losses after that.
    func takeOut(_ loader: PartitionLoader, _ losses: [Loss], _ records: inout RecordBatch) throws
        -> [Loss]
    {
        let resolved = try losses.map { try replaceByEarlier($0, &records) ?? $0 }
        drop(loader.damaged, loader.stale, &records)
        return resolved
    }

    private func drop(
        _ damaged: [(key: [UInt8], value: [UInt8])], _ stale: [RecordKey],
        _ records: inout RecordBatch
    ) {
        for (key, _) in damaged { records.drop(key) }
        for key in stale { records.drop(key.bytes) }
    }

    /// Returns the loss that takes the place of another one if an earlier version stands in.
    private func replaceByEarlier(_ loss: Loss, _ records: inout RecordBatch) throws -> Loss? {
        guard let session = loss.session else { return nil }
        let item: SessionItem
        switch (loss.kind, loss.tab, loss.node) {
        case (.tab, let tab?, _): item = .tab(tab)
        case (.node, _, let node?): item = .node(node)
        default: return nil
        }
        guard index.element(item) == nil, let point = index.points.last,
            let value = try version(of: .record(item, in: session), at: point),
            let entry = entry(item, in: session, value)
        else { return nil }
        records.putBack(item, value, entry)
        var replaced = loss
        replaced.kind = loss.kind == .tab ? .tabReplacedByEarlier : .nodeReplacedByEarlier
        return replaced
    }

    /// Returns what the index has to know of a frame; `nil` if it cannot be read.
    private func entry(_ item: SessionItem, in session: SessionID, _ value: [UInt8])
        -> PartitionIndex.Element?
    {
        try? RecordFrame.read(value, key: RecordKey.record(item, in: session).bytes) {
            try index.element(item, in: session, $0)
        }
    }

    /// Returns length-prefixed keys and values, for inspection.
    static func dump(_ records: [(key: [UInt8], value: [UInt8])]) -> [UInt8] {
        var writer = WireWriter()
        for (key, value) in records {
            writer.bytes(1, key)
            writer.bytes(2, value)
        }
        return writer.bytes
    }

    /// All blobs that should exist, by tab and name.
    var knownStates: [(TabID, StateName)] {
        index.states.keys.sorted { ($0.tab, $0.name) < ($1.tab, $1.name) }
            .map { ($0.tab, index.stateNames[$0.name]) }
    }

    /// Saves sessions with an invalid tab list as a restore repairs them.
    private func writeRepairedSessions() throws {
        for id in index.sessionIDs {
            guard let session = try restore(id, at: .current), !session.repairs.isEmpty else {
                continue
            }
            var records = RecordBatch(index, sequence: try nextSequence())
            for record in session.records { try records.put(record) }
            let left = Set(session.nodes.map(\.id))
            for node in index.nodes(of: id) where !left.contains(node) {
                records.remove(.node(node))
            }
            try write(records, durably: true)
        }
    }
}

extension Loss {
    /// Describes a lost state in the same words everywhere, so that one loss is not reported twice.
    static func state(_ name: StateName, of tab: TabID, in session: SessionID?) -> Loss {
        Loss(
            .state, session: session, tab: tab,
            detail: "the '\(name.rawValue)' state cannot be read")
    }
}

extension RecoveryReport {
    /// Adds what is known about a partition, and what was found in it.
    mutating func add(_ partition: Partition, _ findings: PartitionFindings = PartitionFindings()) {
        notes += partition.notes
        losses += partition.losses + findings.losses
        losses += findings.incompletePoints.sorted().map {
            Loss(.restorePoint, detail: "restore point \($0) lacks some of its records or states")
        }
        let unreadable = findings.damagedVersions.count + findings.lostVersions.count
        if unreadable > 0 {
            notes.append("records of restore points that cannot be read: \(unreadable)")
        }
        bytesRead += findings.bytes
        sessions += partition.index.sessionIDs.count
        tabs += partition.index.tabs.count
        states += findings.states
    }
}
