extension Side {
    /// Reads everything and adds what it finds to the report.
    func check(_ report: inout RecoveryReport) throws {
        report.notes += notes
        report.quarantined += quarantined
        report.losses += losses
        let loader = try SideLoader(store)
        report.losses += loader.newLosses
        report.bytesRead += loader.bytes
        report.sessions += loader.index.sessionIDs.count
        report.tabs += loader.index.tabs.count
        for (tab, name) in knownStates {
            do {
                let key = TabStateKey(tab: tab, name: name, side: kind)
                report.bytesRead += try state(key)?.count ?? 0
                report.states += 1
            } catch let error as StorageError where error.code == .corrupted {
                report.losses.append(Loss(.state, tab: tab, detail: "a state cannot be read"))
            }
        }
    }

    /// Takes unreadable blobs out, after copying their bytes, and accepts all losses.
    func repair(_ report: inout RecoveryReport, root: StoreRoot) throws {
        var records = upkeep()
        for (tab, name) in knownStates {
            let key = TabStateKey(tab: tab, name: name, side: kind)
            do {
                _ = try state(key)
            } catch let error as StorageError where error.code == .corrupted {
                let bytes = try? store.value(of: RecordKey.state(tab, name), in: .state)
                if let bytes, kind == .regular {
                    report.quarantined.append(
                        try Quarantine(in: root).keep(
                            bytes: bytes, reason: "damaged-state",
                            report: ["tab: \(tab)", "state: \(name.rawValue)"]))
                }
                records.removeState(tab, name)
            }
        }
        try records.putLosses([])
        try write(records, durably: true)
        acceptLosses()
        try writeRepairedSessions()
    }

    private var knownStates: [(TabID, StateName)] {
        index.states.keys.sorted { ($0.tab, $0.name) < ($1.tab, $1.name) }
            .map { ($0.tab, index.stateNames[$0.name]) }
    }

    /// Saves sessions whose tab list broke a rule as a restore puts them right.
    private func writeRepairedSessions() throws {
        for id in index.sessionIDs {
            guard let session = try restore(id, .current), !session.repairs.isEmpty else {
                continue
            }
            var records = RecordBatch(sequence: index.sequence + 1)
            try records.putAttributes(session.attributes, of: id)
            for tab in session.tabs {
                try records.putTab(tab, in: id, replacing: index.tabs[tab.id])
            }
            try write(records, durably: true)
        }
    }
}
