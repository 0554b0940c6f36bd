import BrowserSessions

extension Side {
    /// Reads everything and adds what it finds to the report.
    func check(_ report: inout RecoveryReport, unless interruption: Interruption? = nil) throws {
        report.notes += notes
        report.losses += losses
        let loader = try SideLoader(store, unless: interruption)
        report.losses += loader.newLosses.filter { !losses.contains($0) }
        if !loader.damagedEarlier.isEmpty {
            report.notes.append(
                "records of the earlier generation that cannot be read: \(loader.damagedEarlier.count)"
            )
        }
        report.bytesRead += loader.bytes
        report.sessions += loader.index.sessionIDs.count
        report.tabs += loader.index.tabs.count
        for (tab, name) in knownStates {
            try interruption?.poll()
            do {
                let key = TabStateKey(tab: tab, name: name, side: kind)
                report.bytesRead += try state(key)?.count ?? 0
                report.states += 1
            } catch let error as StorageError {
                guard error.code == .corrupted else { throw error }
                let loss = Loss.state(name, of: tab, in: session(of: tab))
                if !losses.contains(loss) { report.losses.append(loss) }
            }
        }
    }

    /// Takes unreadable records and blobs out, after copying their bytes, and accepts all losses.
    func repair(_ report: inout RecoveryReport, home: any StoreHome) throws {
        let loader = try SideLoader(store)
        var records = upkeep()
        var damaged = loader.allDamaged
        _ = try takeOut(loader, [], &records)
        for (key, _) in loader.damagedEarlier { records.drop(key) }
        for (tab, name) in knownStates {
            do {
                _ = try state(TabStateKey(tab: tab, name: name, side: kind))
            } catch let error as StorageError {
                guard error.code == .corrupted else { throw error }
                let key = RecordKey.state(tab, name)
                if let bytes = try? store.value(of: key, in: .state) {
                    damaged.append((key, bytes))
                }
                records.removeState(tab, name)
            }
        }
        if !damaged.isEmpty, kind == .regular {
            try home.setAside(
                Self.dump(damaged), reason: "damaged-records",
                report.losses.map { "\($0.kind.rawValue): \($0.detail)" })
        }
        try records.putLosses([])
        try write(records, durably: true)
        acceptLosses()
        try writeRepairedSessions()
    }

    /// Takes damaged and stale records out with the batch, and puts a lost tab's record of the
    /// previous generation in its place if there is one. Returns the losses as they are then.
    func takeOut(_ loader: SideLoader, _ losses: [Loss], _ records: inout RecordBatch) throws
        -> [Loss]
    {
        let settled = try losses.map { try replaceByEarlier($0, &records) ?? $0 }
        for (key, _) in loader.damaged { records.drop(key) }
        for key in loader.stale { records.drop(key.bytes) }
        return settled
    }

    private func replaceByEarlier(_ loss: Loss, _ records: inout RecordBatch) throws -> Loss? {
        guard loss.kind == .tab, let tab = loss.tab, let earlier = index.previousTabs[tab],
            earlier.session == loss.session, index.tabs[tab] == nil
        else { return nil }
        let key = RecordKey.tab(earlier.session, earlier.place, tab)
        guard let frame = try store.value(of: RecordKey.previous(key).bytes, in: .metadata)
        else { return nil }
        records.copy(frame, to: key, .tab(tab, earlier))
        return Loss(
            .tabReplacedByEarlier, session: loss.session, tab: tab, detail: loss.detail)
    }

    /// Length-prefixed keys and values, for inspection.
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

    /// All blobs that should be there, by tab and name.
    var knownStates: [(TabID, StateName)] {
        index.states.keys.sorted { ($0.tab, $0.name) < ($1.tab, $1.name) }
            .map { ($0.tab, index.stateNames[$0.name]) }
    }

    /// Saves sessions whose tab list broke a rule as a restore puts them right.
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
    /// The same words wherever it is found, so that one loss is not reported twice.
    static func state(_ name: StateName, of tab: TabID, in session: SessionID?) -> Loss {
        Loss(
            .state, session: session, tab: tab,
            detail: "the '\(name.rawValue)' state cannot be read")
    }
}
