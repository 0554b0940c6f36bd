import BrowserSessions

extension Partition {
    /// Takes the current sessions as their previous generation, and removes state that no
    /// generation needs. Done when a store is opened, never during a save.
    ///
    /// Two rules protect the last good state: a session that still exists but lost all its tabs,
    /// not only to other sessions, keeps its previous generation, and nothing changes after losses.
    ///
    /// If the engine's limits require it, the generation is written in parts. The next opening
    /// finishes it after an interruption, before any read.
    func beginGeneration(at time: Timestamp) throws {
        guard losses.isEmpty else { return }
        var records = upkeep()
        var hasChanges = false
        if kind == .regular {
            let losers = Set(
                index.previousTabs.filter { index.tabs[$0.key] == nil }.map(\.value.session))
            for (id, session) in index.sessions.sorted(by: { $0.key < $1.key })
            where session.sum != session.previousSum {
                let lostAllTabs =
                    session.exists && session.tabCount == 0 && losers.contains(id)
                guard !lostAllTabs else { continue }
                try takeGeneration(of: id, &records)
                hasChanges = true
            }
        }
        if hasChanges {
            let id = GenerationID(rawValue: index.sequence.value)
            try records.putGeneration(
                KeptGeneration(id: id, takenAt: time), RecordKey.previousNumber)
        }
        try removeUnusedState(&records)
        if !records.edits.isEmpty { try write(records, durably: false) }
    }

    /// Writes the collected records if the engine would not accept twice as many.
    private func writeIfFull(_ records: inout RecordBatch) throws {
        guard limits.areHalfReached(by: records.batch) else { return }
        try write(records, durably: false)
        records = upkeep()
    }

    private func takeGeneration(of id: SessionID, _ records: inout RecordBatch) throws {
        let session = index.sessions[id]
        let own = RecordKey.session(id)
        if session?.attributes != session?.previousAttributes {
            let edit = PartitionIndex.Edit.previousAttributes(id, session?.attributes)
            if let frame = try store.value(of: own.bytes, in: .metadata), session?.attributes != nil
            {
                records.copy(frame, to: .previous(own), edit)
            } else {
                records.remove(.previous(own), edit)
            }
        }
        // The session that received a moved tab handles it.
        for (tab, old) in index.previousTabs where old.session == id && index.tabs[tab] == nil {
            records.remove(.previous(.tab(id, tab)), .previousTab(tab, nil))
            try writeIfFull(&records)
        }
        // Nothing is written while the engine visits records.
        var changed: [(frame: [UInt8], tab: TabID)] = []
        try store.scan(.metadata, prefix: RecordKey.tabs(of: id)) { key, value in
            guard case .tab(_, let tab)? = RecordKey(key), let now = index.tabs[tab] else {
                return
            }
            if index.previousTabs[tab]?.fingerprint == now.fingerprint { return }
            changed.append(([UInt8](value), tab))
        }
        for (frame, tab) in changed {
            guard let now = index.tabs[tab] else { continue }
            if let old = index.previousTabs[tab], old.session != now.session {
                records.removeEarlier(.tab(old.session, tab))
            }
            let copy = RecordKey.previous(.tab(id, tab))
            records.copy(frame, to: copy, .previousTab(tab, now))
            try writeIfFull(&records)
        }
    }

    private func removeUnusedState(_ records: inout RecordBatch) throws {
        var leaving: Set<TabID> = []
        for case .previousTab(let tab, nil) in records.edits { leaving.insert(tab) }
        for slot in index.states.keys where index.tabs[slot.tab] == nil {
            guard !index.pinnedTabs.contains(slot.tab) else { continue }
            if index.previousTabs[slot.tab] == nil || leaving.contains(slot.tab) {
                records.removeState(slot.tab, index.stateNames[slot.name])
                try writeIfFull(&records)
            }
        }
    }
}
