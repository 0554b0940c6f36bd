import BrowserSessions

/// Records as they were at a restore point.
extension Partition {
    /// Returns the session as it was; `nil` if it was not there.
    func restore(_ id: SessionID, at point: PartitionIndex.Point) throws -> RestoredSession? {
        var session = RestoredSession(id: id, attributes: SessionAttributes(), tabs: [])
        session.provenance = .restorePoint
        var findings = TabFindings()
        var hasAttributes = false
        try scan(RecordKey.session(id).bytes, at: point) { _, value in
            hasAttributes = true
            session.use(attributes: value)
        }
        try scan(RecordKey.tabs(of: id), at: point) { record, value in
            guard case .record(.tab(let tab), _) = record else { return }
            record.bytes.withUnsafeBytes { key in
                value.withUnsafeBytes { session.append(tab, $0, key: key, &findings) }
            }
        }
        try scan(RecordKey.nodes(of: id), at: point) { record, value in
            guard case .record(.node(let node), _) = record else { return }
            record.bytes.withUnsafeBytes { key in
                value.withUnsafeBytes { session.append(node, $0, key: key) }
            }
        }
        let isThere = hasAttributes || !session.tabs.isEmpty || !session.nodes.isEmpty
        if try !isWhole(point) { try note(missingFrom: point, in: &session, isThere: isThere) }
        guard isThere || !session.losses.isEmpty else { return nil }
        session.sortTabs()
        let found = Set(session.tabs.map(\.id))
        session.repair(findings) { found.contains($0) }
        return session
    }

    /// Returns the sessions that were there, ascending. Reads only keys.
    func sessions(at id: RestorePointID) throws -> [SessionID] {
        guard let point = try point(id) else { return [] }
        var found: Set<SessionID> = []
        for tag in [RecordKey.Tag.session, RecordKey.Tag.tab, RecordKey.Tag.node] {
            try scanRecords([tag], at: point) { record in
                if let session = record.sessionID { found.insert(session) }
            }
        }
        if found.isEmpty, try !isWhole(point) {
            throw StorageError(
                .corrupted, "no session of restore point \(id) can be read; see 'check'")
        }
        return found.sorted()
    }

    /// Visits the records that were there, with keys that begin with `prefix`, in order.
    private func scanRecords(
        _ prefix: [UInt8], at point: PartitionIndex.Point, _ visit: (RecordKey) -> Void
    ) throws {
        try suspecting {
            var last: (record: RecordKey, isGone: Bool)?
            func visitLast() {
                if let last, !last.isGone { visit(last.record) }
            }
            try store.scanKeys(.state, prefix: StateKey.versions(of: prefix)) { key in
                guard case .version(let record, let number, let isGone)? = StateKey(key),
                    number <= point.number
                else { return }
                if last?.record != record { visitLast() }
                last = (record, isGone)
            }
            visitLast()
        }
    }

    /// Notes that some records of a point are missing. Throws if that may be the whole session.
    private func note(
        missingFrom point: PartitionIndex.Point, in session: inout RestoredSession, isThere: Bool
    ) throws {
        guard isThere else {

            throw StorageError(
                .corrupted,
                """
                the session is not among those of restore point \(point.number) that can be read, and \
                some of the point is missing; see 'check'
                """)
        }
        session.losses.append(
            Loss(
                .unknownRecords, session: session.id,
                detail: "some records of restore point \(point.number) are missing"))
    }

    /// Returns the tabs that a session had, ascending.
    func tabs(of session: SessionID, at point: PartitionIndex.Point) throws -> [TabID] {
        var tabs: [TabID] = []
        try scan(RecordKey.tabs(of: session), at: point) { record, _ in
            if case .record(.tab(let tab), _) = record { tabs.append(tab) }
        }
        return tabs
    }

    /// Returns the names of the states that a tab had, ascending.
    func names(of tab: TabID, at point: PartitionIndex.Point) throws -> [StateName] {
        var names: [StateName] = []
        try scan([RecordKey.Tag.stateEntry] + tab.bytes, at: point) { record, _ in
            if case .stateEntry(_, let name) = record { names.append(name) }
        }
        return names
    }

    /// Returns the entry of a state; `nil` if the tab had no such state.
    func entry(of key: TabStateKey, at point: PartitionIndex.Point) throws
        -> PartitionIndex.State?
    {
        let record = RecordKey.stateEntry(key.tab, key.name)
        guard let value = try version(of: record, at: point) else { return nil }
        guard let entry = PartitionIndex.State(record, value) else {
            throw Self.unreadable(key, "its entry does not match its checksum")
        }
        return entry
    }

    /// Returns the record as it was; `nil` if it was not there.
    func version(of record: RecordKey, at point: PartitionIndex.Point) throws -> [UInt8]? {
        var found: [UInt8]?
        try scan(record.bytes, at: point) { if $0 == record { found = $1 } }
        return found
    }

    /// Visits the records with keys that begin with `prefix`, in order.
    private func scan(
        _ prefix: [UInt8], at point: PartitionIndex.Point,
        _ visit: (RecordKey, _ value: [UInt8]) throws -> Void
    ) throws {
        try suspecting {
            // The newest version that is not above the point, of the record that is being visited.
            var last: (record: RecordKey, value: [UInt8]?)?
            func visitLast() throws {
                if let last, let value = last.value { try visit(last.record, value) }
            }
            try store.scan(.state, prefix: StateKey.versions(of: prefix)) { key, value in
                guard case .version(let record, let number, let isGone)? = StateKey(key),
                    number <= point.number
                else { return }
                if last?.record != record { try visitLast() }
                last = (record, isGone ? nil : [UInt8](value))
            }
            try visitLast()
        }
    }
}

extension PartitionIndex.State {
    /// Reads the record of an entry; `nil` if it is damaged.
    init?(_ record: RecordKey, _ value: [UInt8]) {
        let entry = try? RecordFrame.read(value, key: record.bytes) { frame in
            let entry = try StateEntry(payload: frame.payload)
            return Self(checksum: entry.checksum, length: entry.length, stamp: frame.stamp)
        }
        guard let entry else { return nil }
        self = entry
    }
}
