extension Side {
    /// The session; `nil` only if it was never saved or was removed.
    func restore(_ id: SessionID, _ generation: SessionGeneration) throws -> RestoredSession? {
        let entry = index.sessions[id]
        let exists =
            switch generation {
            case .current: entry?.exists == true
            case .previous: entry?.previousAttributes != nil || (entry?.previousTabCount ?? 0) > 0
            }
        guard exists else {
            if generation == .current, hasUnknownLosses || hasLosses(of: id) {
                throw StorageError(
                    .corrupted,
                    """
                    the session is not among those that can be read, and the store has losses; \
                    look at the report of 'recover', whose repair accepts them
                    """)
            }
            return nil
        }
        var session = RestoredSession(id: id, attributes: SessionAttributes(), tabs: [])
        let isPrevious = generation == .previous
        try suspecting { try readAttributes(of: &session, isPrevious) }
        let count = isPrevious ? entry?.previousTabCount : entry?.tabCount
        session.tabs.reserveCapacity(count ?? 0)
        try suspecting { try readTabs(of: &session, isPrevious) }
        if !isPrevious { session.losses += losses.filter { $0.session == nil || $0.session == id } }
        if isPrevious {
            session.provenance = .previousGeneration
        } else if !session.losses.isEmpty {
            session.provenance = .salvaged
        }
        if session.tabs.count == count {
            let places = isPrevious ? index.previousTabs : index.tabs
            session.repair { places[$0]?.session == id }
        } else {
            let found = Set(session.tabs.map(\.id))
            session.repair { found.contains($0) }
        }
        return session
    }

    private func hasLosses(of id: SessionID) -> Bool {
        losses.contains { $0.session == id && $0.kind != .state }
    }

    private func readAttributes(of session: inout RestoredSession, _ isPrevious: Bool) throws {
        let own = RecordKey.session(session.id)
        let entry = index.sessions[session.id]
        guard (isPrevious ? entry?.previousAttributes : entry?.attributes) != nil else { return }
        let key = isPrevious ? RecordKey.previous(own) : own
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

    /// Appends the tabs in order; what is damaged becomes a loss. Any other error is no damage.
    private func readTabs(of session: inout RestoredSession, _ isPrevious: Bool) throws {
        let prefix =
            isPrevious ? RecordKey.previousTabs(of: session.id) : RecordKey.tabs(of: session.id)
        let placeStart = prefix.count
        let frameStart = isPrevious ? 1 : 0
        do {
            try store.scan(.metadata, prefix: prefix) { key, value in
                guard let (place, tab) = RecordKey.placeAndTab(key, from: placeStart) else {
                    session.losses.append(
                        Loss(.tab, session: session.id, detail: "a key cannot be read"))
                    return
                }
                if let last = session.tabs.last, (place, tab) < (last.place, last.id) {
                    throw StorageError(.corrupted, "the engine's keys are not in their order")
                }
                do {
                    let own = UnsafeRawBufferPointer(rebasing: key[frameStart...])
                    let frame = try RecordFrame(value, key: own)
                    session.tabs.append(
                        try TabMetadata(id: tab, place: place, payload: frame.payload))
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
    }
}
