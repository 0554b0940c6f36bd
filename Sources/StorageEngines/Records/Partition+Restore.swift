import BrowserSessions

extension Partition {
    /// The kept generations, newest first.
    var generations: [KeptGeneration] {
        index.generations.values.map(\.kept).sorted { $0.id > $1.id }
    }

    /// Returns the session; `nil` only if it was never saved or was removed.
    func restore(_ id: SessionID, _ generation: SessionGeneration) throws -> RestoredSession? {
        switch generation {
        case .current: try restoreCurrent(id)
        case .previous: try restore(id, kept: RecordKey.previousNumber)
        case .kept(let kept): try number(of: kept).flatMap { try restore(id, kept: $0) }
        }
    }

    /// Returns the number in the keys of a generation.
    private func number(of generation: GenerationID) -> UInt32? {
        index.generations.first { $0.value.kept.id == generation }?.key
    }

    /// Throws `StorageError.Code.notFound` if the generation is not kept.
    func require(_ generation: SessionGeneration) throws {
        guard case .kept(let kept) = generation, number(of: kept) == nil else { return }
        throw StorageError(
            .notFound, "generation \(kept) is not kept (any more); see 'generations'")
    }

    private func restoreCurrent(_ id: SessionID) throws -> RestoredSession? {
        guard let entry = index.sessions[id], entry.exists else {
            guard hasUnknownLosses || hasLosses(of: id) else { return nil }
            throw StorageError(
                .corrupted,
                """
                the session is not among those that can be read, and the store has losses; look at \
                the report of 'check'; 'repair' gives them up
                """)
        }
        var session = try read(id, entry)
        session.losses += losses.filter { $0.session == nil || $0.session == id }
        if !session.losses.isEmpty { session.provenance = .salvaged }
        repair(&session, isWhole: session.tabs.count == entry.tabCount, index.tabs)
        return session
    }

    /// Returns the session as it was saved, without repairs.
    func read(_ id: SessionID, _ entry: PartitionIndex.Session) throws -> RestoredSession {
        var session = RestoredSession(id: id, attributes: SessionAttributes(), tabs: [])
        if entry.attributes != nil {
            try suspecting { try readAttributes(of: &session, kept: nil) }
        }
        session.tabs.reserveCapacity(entry.tabCount)
        try suspecting { try readTabs(of: &session, kept: nil) }
        return session
    }

    private func restore(_ id: SessionID, kept number: UInt32) throws -> RestoredSession? {
        let isPrevious = number == RecordKey.previousNumber
        let entry = index.sessions[id]
        var session = RestoredSession(id: id, attributes: SessionAttributes(), tabs: [])
        session.provenance = .previousGeneration
        let key = RecordKey.kept(number, .session(id)).bytes
        let hasAttributes = try store.value(of: key, in: .metadata) != nil
        if hasAttributes { try suspecting { try readAttributes(of: &session, kept: number) } }
        try suspecting { try readTabs(of: &session, kept: number) }
        guard hasAttributes || !session.tabs.isEmpty || !session.losses.isEmpty else { return nil }
        let isWhole = isPrevious && session.tabs.count == entry?.previousTabCount
        repair(&session, isWhole: isWhole, index.previousTabs)
        return session
    }

    /// - Parameter known: the sessions of all tabs, if the session is complete.
    private func repair(
        _ session: inout RestoredSession, isWhole: Bool, _ known: [TabID: PartitionIndex.Tab]
    ) {
        let id = session.id
        if isWhole {
            session.repair { known[$0]?.session == id }
        } else {
            let found = Set(session.tabs.map(\.id))
            session.repair { found.contains($0) }
        }
    }

    private func hasLosses(of id: SessionID) -> Bool {
        losses.contains { $0.session == id && $0.kind != .state }
    }

    private func readAttributes(of session: inout RestoredSession, kept: UInt32?) throws {
        let own = RecordKey.session(session.id)
        let key = kept.map { RecordKey.kept($0, own) } ?? own
        let value = try store.value(of: key.bytes, in: .metadata) ?? []
        let attributes = own.bytes.withUnsafeBytes { key in
            value.withUnsafeBytes { value in
                try? SessionAttributes(payload: RecordFrame(value, key: key).payload)
            }
        }
        if let attributes {
            session.attributes = attributes
        } else {
            session.losses.append(
                Loss(.attributes, session: session.id, detail: "the record cannot be read"))
        }
    }

    /// Appends the tabs in order; damage becomes a loss. Other errors are thrown.
    private func readTabs(of session: inout RestoredSession, kept: UInt32?) throws {
        let id = session.id
        let prefix = kept.map { RecordKey.keptTabs(of: id, in: $0) } ?? RecordKey.tabs(of: id)
        let frameStart = kept == nil ? 0 : RecordKey.keptPrefixLength
        var last: TabID?
        do {
            try store.scan(.metadata, prefix: prefix) { key, value in
                let rest = UnsafeRawBufferPointer(rebasing: key[prefix.count...])
                guard let tab = TabID(rest) else {
                    session.losses.append(
                        Loss(.tab, session: session.id, detail: "a key cannot be read"))
                    return
                }
                if let last, tab <= last {
                    throw StorageError(.corrupted, "the engine's keys are not in their order")
                }
                last = tab
                do {
                    let own = UnsafeRawBufferPointer(rebasing: key[frameStart...])
                    let frame = try RecordFrame(value, key: own)
                    session.tabs.append(
                        try TabMetadata(id: tab, payload: frame.payload))
                } catch {
                    let detail = "a record of \(value.count) bytes cannot be read"
                    session.losses.append(
                        Loss(.tab, session: session.id, tab: tab, detail: detail))
                }
            }
        } catch let error as StorageError where error.code == .corrupted {
            let detail = "reading stopped after \(session.tabs.count) tabs: \(error)"
            session.losses.append(Loss(.unknownRecords, session: session.id, detail: detail))
        }
        session.tabs.sort { ($0.place, $0.id) < ($1.place, $1.id) }
    }
}
