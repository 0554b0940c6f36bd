import BrowserSessions

/// What was found in the records of a partition, beside what is known about it.
struct PartitionFindings {
    /// Unreadable records, as they are stored.
    var damaged: [(key: [UInt8], value: [UInt8])] = []
    /// The same of earlier generations.
    var damagedEarlier: [(key: [UInt8], value: [UInt8])] = []
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

extension Partition {
    /// Reads all records and states.
    func findings(unless interruption: CallCancellation? = nil) throws -> PartitionFindings {
        let loader = try PartitionLoader(store, unless: interruption)
        var findings = PartitionFindings(
            damaged: loader.damaged, damagedEarlier: loader.damagedEarlier, stale: loader.stale,
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
                let loss = Loss.state(name, of: tab, in: session(of: tab))
                if !losses.contains(loss) { findings.losses.append(loss) }
            }
        }
        return findings
    }

    /// Takes out what cannot be read after copying its bytes, and accepts all losses.
    func repair(
        _ findings: PartitionFindings, _ report: RecoveryReport, in quarantine: any StoreQuarantine
    ) throws {
        var records = upkeep()
        var damaged = findings.damaged + findings.damagedEarlier
        drop(findings.damaged, findings.stale, &records)
        for (key, _) in findings.damagedEarlier { records.drop(key) }
        for (tab, name) in findings.lostStates {
            let key = RecordKey.state(tab, name)
            if let bytes = try? store.value(of: key, in: .state) { damaged.append((key, bytes)) }
            records.removeState(tab, name)
        }
        if !damaged.isEmpty, kind == .regular {
            try quarantine.setAside(
                Self.dump(damaged), reason: "damaged-records",
                report.losses.map { "\($0.kind.rawValue): \($0.detail)" })
        }
        try records.putLosses([])
        try write(records, durably: true)
        acceptLosses()
        try writeRepairedSessions()
    }

    /// Takes damaged and stale records out with the batch, and replaces a lost tab's record with
    /// that of the previous generation if there is one. Returns the losses after that.
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

    private func replaceByEarlier(_ loss: Loss, _ records: inout RecordBatch) throws -> Loss? {
        guard loss.kind == .tab, let tab = loss.tab, let earlier = index.previousTabs[tab],
            earlier.session == loss.session, index.tabs[tab] == nil
        else { return nil }
        let key = RecordKey.tab(earlier.session, tab)
        guard let frame = try store.value(of: RecordKey.previous(key).bytes, in: .metadata)
        else { return nil }
        records.copy(frame, to: key, .tab(tab, earlier))
        return Loss(
            .tabReplacedByEarlier, session: loss.session, tab: tab, detail: loss.detail)
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

    private func session(of tab: TabID) -> SessionID? {
        (index.tabs[tab] ?? index.previousTabs[tab])?.session
    }

    /// All blobs that should exist, by tab and name.
    var knownStates: [(TabID, StateName)] {
        index.states.keys.sorted { ($0.tab, $0.name) < ($1.tab, $1.name) }
            .map { ($0.tab, index.stateNames[$0.name]) }
    }

    /// Saves sessions with an invalid tab list as a restore repairs them.
    private func writeRepairedSessions() throws {
        for id in index.sessionIDs {
            guard let session = try restore(id, .current), !session.repairs.isEmpty else {
                continue
            }
            var records = RecordBatch(sequence: try nextSequence())
            try records.putAttributes(session.attributes, of: id)
            for tab in session.tabs {
                try records.putTab(tab, in: id, replacing: index.tabs[tab.id])
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
        if !findings.damagedEarlier.isEmpty {
            notes.append(
                "records of the earlier generation that cannot be read: \(findings.damagedEarlier.count)"
            )
        }
        bytesRead += findings.bytes
        sessions += partition.index.sessionIDs.count
        tabs += partition.index.tabs.count
        states += findings.states
    }
}
