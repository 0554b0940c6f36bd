import BrowserSessions

extension Partition {
    /// The restore points, newest first.
    var restorePoints: [RestorePoint] { index.points.reversed().map(\.record.point) }

    /// Returns the session; `nil` only if it was never saved or was removed.
    func restore(_ id: SessionID, at version: SessionVersion) throws -> RestoredSession? {
        switch version {
        case .current: try restoreCurrent(id)
        case .point(let name): try point(name).flatMap { try restore(id, at: $0) }
        }
    }

    /// Returns a restore point; `nil` if the partition has none at all. Throws
    /// `StorageError.Code.notFound` if it does not keep this one.
    func point(_ id: RestorePointID) throws -> PartitionIndex.Point? {
        guard kind == .regular else { return nil }
        guard let point = index.points.first(where: { $0.record.point.id == id }) else {
            throw StorageError(
                .notFound, "restore point \(id) is not kept (any more); see 'restorePoints'")
        }
        return point
    }

    /// Throws `StorageError.Code.notFound` for a restore point that is not kept.
    func require(_ version: SessionVersion) throws {
        if case .point(let id) = version { _ = try point(id) }
    }

    private func restoreCurrent(_ id: SessionID) throws -> RestoredSession? {
        guard let entry = index.session(id) else {
            guard hasUnknownLosses || hasLosses(of: id) else { return nil }
            throw StorageError(
                .corrupted,
                """
                the session is not among those that can be read, and the store has losses; look at \
                the report of 'check'; 'repair' gives them up
                """)
        }
        var findings = TabFindings()
        var session = try read(id, entry, &findings)
        session.losses += losses.filter { $0.session == nil || $0.session == id }
        if !session.losses.isEmpty { session.provenance = .salvaged }
        repair(&session, findings, isWhole: session.tabs.count == entry.tabCount)
        return session
    }

    /// Returns the session as it was saved, without repairs.
    ///
    /// - Parameter findings: takes what is known of the tabs from reading them.
    func read(
        _ id: SessionID, _ entry: PartitionIndex.Session, _ findings: inout TabFindings
    ) throws -> RestoredSession {
        var session = RestoredSession(id: id, attributes: SessionAttributes(), tabs: [])
        if entry.attributes != nil {
            try suspecting { try readAttributes(of: &session) }
        }
        session.tabs.reserveCapacity(entry.tabCount)
        try suspecting { try readTabs(of: &session, &findings) }
        if entry.nodeCount > 0 { try suspecting { try readNodes(of: &session) } }
        return session
    }

    /// - Parameter isWhole: whether the session has all its tabs, as the index knows them.
    private func repair(
        _ session: inout RestoredSession, _ findings: TabFindings, isWhole: Bool
    ) {
        let number = index.number(for: session.id)
        func isElsewhere(_ id: NodeID) -> Bool {
            (index.nodes[id]?.session ?? index.tabs[TabID(id)]?.session ?? number) != number
        }
        if isWhole {
            session.repair(findings, isElsewhere: isElsewhere) {
                index.tabs[$0]?.session == number
            }
        } else {
            let found = Set(session.tabs.map(\.id))
            session.repair(findings, isElsewhere: isElsewhere) { found.contains($0) }
        }
    }

    private func hasLosses(of id: SessionID) -> Bool {
        losses.contains { $0.session == id && $0.kind != .state }
    }

    private func readAttributes(of session: inout RestoredSession) throws {
        let key = RecordKey.session(session.id).bytes
        session.use(attributes: try store.value(of: key, in: .metadata) ?? [])
    }

    /// Appends the nodes; damage becomes a loss.
    private func readNodes(of session: inout RestoredSession) throws {
        let prefix = RecordKey.nodes(of: session.id)
        do {
            try store.scan(.metadata, prefix: prefix) { key, value in
                guard let node = NodeID(UnsafeRawBufferPointer(rebasing: key[prefix.count...]))
                else { return }
                session.append(node, value, key: key)
            }
        } catch let error as StorageError where error.code == .corrupted {
            let detail = "reading stopped after \(session.nodes.count) nodes: \(error)"
            session.losses.append(Loss(.unknownRecords, session: session.id, detail: detail))
        }
    }

    /// Appends the tabs in order; damage becomes a loss. Other errors are thrown.
    private func readTabs(of session: inout RestoredSession, _ findings: inout TabFindings) throws {
        let prefix = RecordKey.tabs(of: session.id)
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
                session.append(tab, value, key: key, &findings)
            }
        } catch let error as StorageError where error.code == .corrupted {
            let detail = "reading stopped after \(session.tabs.count) tabs: \(error)"
            session.losses.append(Loss(.unknownRecords, session: session.id, detail: detail))
        }
        session.sortTabs()
    }
}

extension RestoredSession {
    /// Reads the record of the attributes; one that cannot be read is a loss.
    mutating func use(attributes value: [UInt8]) {
        let attributes = try? RecordFrame.read(value, key: RecordKey.session(id).bytes) {
            try SessionAttributes(payload: $0.payload)
        }
        if let attributes {
            self.attributes = attributes
        } else {
            losses.append(Loss(.attributes, session: id, detail: "the record cannot be read"))
        }
    }

    /// Reads the record of a node; one that cannot be read is a loss.
    mutating func append(
        _ node: NodeID, _ value: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer
    ) {
        do {
            let frame = try RecordFrame(value, key: key)
            nodes.append(try StructureNode(id: node, payload: frame.payload))
        } catch {
            let detail = "a record of \(value.count) bytes cannot be read"
            losses.append(Loss(.node, session: id, node: node, detail: detail))
        }
    }

    /// Reads the record of a tab; one that cannot be read is a loss.
    ///
    /// - Parameter key: the key in the record's checksum.
    mutating func append(
        _ id: TabID, _ value: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer,
        _ findings: inout TabFindings
    ) {
        do {
            let frame = try RecordFrame(value, key: key)
            let tab = try TabMetadata(id: id, payload: frame.payload)
            findings.note(tab)
            tabs.append(tab)
        } catch {
            let detail = "a record of \(value.count) bytes cannot be read"
            losses.append(Loss(.tab, session: self.id, tab: id, detail: detail))
        }
    }
}
