import BrowserModel
import BrowserSessions

/// The change sets to send, and the handling of their answers.
extension PendingChanges {
    /// The pending records: sessions with their nodes, and tabs, the oldest change first. Sessions are removed last, after tabs have left them.
    var records: [SessionItem] {
        var order: [(isLate: Bool, version: Int, record: SessionItem)] = []
        order.reserveCapacity(tabs.count + sessions.count)
        for (session, pending) in sessions {
            order.append((pending.isLate, pending.version, .session(session)))
        }
        for (tab, pending) in tabs { order.append((false, pending.version, .tab(tab))) }
        order.sort { ($0.isLate ? 1 : 0, $0.version) < ($1.isLate ? 1 : 0, $1.version) }
        return order.map(\.record)
    }

    /// Returns the records to read from the model before the next change set, in the order of sending.
    ///
    /// - Parameter wanted: the only record to send, for a store that refuses the set; `nil` for all.
    func toCollect(only wanted: SessionItem?) -> [CollectedRecord] {
        var candidates = wanted.map { [$0] } ?? []
        let removes = wanted.map(isRemoval) ?? sessions.values.contains { $0.isLate }
        // Only the removal of a session concerns other records: those of the tabs that it must not take along.
        if wanted == nil || removes { candidates = records }
        return candidates.compactMap { record in
            let (version, isSent) =
                switch record {
                case .session(let session):
                    (sessions[session]?.version, sessions[session]?.refusal.isAllThatWaits == false)
                case .tab(let tab): (tabs[tab]?.version, tabs[tab]?.refusal.isAllThatWaits == false)
                case .node: (nil, false)
                }
            let isWanted = isSent && (wanted == nil || wanted == record)
            guard let version, isWanted || removes else { return nil }
            return CollectedRecord(record: record, version: version, isWanted: isWanted)
        }
    }

    private func isRemoval(_ record: SessionItem) -> Bool {
        if case .session(let session) = record { sessions[session]?.isLate ?? false } else { false }
    }

    /// Returns the records of a window that must be read before it leaves the model.
    func toCollect(leaving session: SessionID) -> [CollectedRecord] {
        records.compactMap { record in
            switch record {
            case .session(session):
                guard let pending = sessions[session], case .live = pending.target else {
                    return nil
                }
                return CollectedRecord(record: record, version: pending.version)
            case .tab(let tab):
                guard let pending = tabs[tab], case .live(session) = pending.target else {
                    return nil
                }
                return CollectedRecord(record: record, version: pending.version)
            default: return nil
            }
        }
    }

    /// Returns the records as one change set; `nil` if there is nothing to send.
    ///
    /// Records that have changed since they were read wait for the next save.
    ///
    /// - Parameter isWhole: whether these are all pending records, and not a single one.
    mutating func sending(_ records: [CollectedRecord], isWhole: Bool = true) -> OutgoingChanges? {
        stored.index()
        var sending = OutgoingChanges(partition: partition, isWhole: isWhole)
        for collected in records where collected.isWanted {
            if case .session(let session) = collected.record {
                sending.sessionNodes[session] = nodes(of: session, collected)
            }
        }
        for collected in records where collected.isWanted {
            if case .session(let session) = collected.record {
                add(session, collected, to: &sending)
            }
        }
        // A tab brings the nodes above it only if its session does not.
        for collected in records where collected.isWanted {
            if case .tab(let tab) = collected.record { add(tab, collected, to: &sending) }
        }
        if !sending.removedSessions.isEmpty {
            for collected in records { rescue(collected, from: &sending) }
        }
        if isWhole { removeEndedNodes(from: &sending) }
        for session in sending.takeUnchangedSessions() where sessions[session]?.refusal.stage == 0 {
            sessions[session] = nil
        }
        if isIntended(sending) { sending.markIntended() }
        return sending.isEmpty ? nil : sending
    }

    /// Returns whether tabs leave the windows by a set, and the user asked for all of that.
    private func isIntended(_ sending: OutgoingChanges) -> Bool {
        var isAnyLeaving = false
        for tab in sending.tabs.keys {
            guard let pending = tabs[tab], !pending.isOpen,
                stored[tab]?.sessions.contains(where: \.kind.isOpen) == true
            else { continue }
            guard pending.isAsked else { return false }
            isAnyLeaving = true
        }
        for session in sending.removedSessions where session.kind.isOpen {
            if sessions[session]?.isAsked == true {
                isAnyLeaving = true
            } else if stored.has(session, otherThan: { sending.tabs[$0] != nil }) {
                return false
            }
        }
        return isAnyLeaving
    }

    private mutating func add(
        _ session: SessionID, _ collected: CollectedRecord, to sending: inout OutgoingChanges
    ) {
        guard let pending = sessions[session], pending.version == collected.version else { return }
        if pending.isRemovedFirst, !pending.isGone {
            sending.isPartial = true
            return sending.remove(session, version: 0)
        }
        if pending.isGone { return sending.remove(session, version: pending.version) }
        guard let content = content(pending, collected)?.fitted(pending.refusal.stage) else {
            return
        }
        if let attributes = content.attributes, storedAttributes[session] != attributes {
            sending.put(attributes, for: session, version: pending.version)
        } else {
            sending.keep(session, version: pending.version)
        }
        for node in content.nodes ?? [] { add(node, in: session, to: &sending) }
    }

    func content(_ pending: PendingSession, _ collected: CollectedRecord) -> SessionContent? {
        switch pending.target {
        case .taken(let taken): taken
        case .live: collected.session
        case .gone: nil
        }
    }

    private mutating func add(
        _ tab: TabID, _ collected: CollectedRecord, to sending: inout OutgoingChanges
    ) {
        guard var pending = tabs[tab], pending.version == collected.version else { return }
        guard let session = pending.session else {
            let sessions = stored[tab]?.sessions ?? []
            return sending.remove(tab, from: sessions, version: pending.version)
        }
        guard let metadata = metadata(pending, collected) else { return }
        if isRemovedFirst(session) { return holdBack(metadata, from: session, in: &sending) }
        if collected.tab != nil, needsState(of: tab) {
            read(collected.state, metadata, &pending)
            tabs[tab] = pending
        }
        let record = pending.refusal.stage > 0 ? metadata.lean : metadata.shortened
        let placed = placed(record, in: session, collected, &sending)
        sending.put(placed, in: session, version: pending.version)
        for (name, bytes) in pending.blobs.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where !pending.refusal.refuses(bytes, named: name) {
            sending.put(bytes, for: TabStateKey(tab: tab, name: name, partition: partition))
        }
    }

    private func metadata(_ pending: PendingTab, _ collected: CollectedRecord) -> TabMetadata? {
        switch pending.target {
        case .taken(let metadata, _): metadata
        case .live: collected.tab
        case .gone: nil
        }
    }

    /// Holds back a tab until its session is removed. If the store has it there, it is first saved
    /// in the session of tabs that have no window.
    private func holdBack(
        _ metadata: TabMetadata, from session: SessionID, in sending: inout OutgoingChanges
    ) {
        sending.isPartial = true
        guard stored[metadata.id]?.sessions.contains(session) == true else { return }
        let hidden = DetachedTabs.session(of: partition)
        sending.put(metadata.shortened.atTop, in: hidden, version: 0)
    }

    /// Keeps a tab with a refused move from being removed with the session that it is still in.
    private mutating func rescue(_ collected: CollectedRecord, from sending: inout OutgoingChanges)
    {
        guard case .tab(let tab) = collected.record, sending.tabs[tab] == nil,
            let pending = tabs[tab], let session = pending.session, let entry = stored[tab],
            entry.sessions.contains(where: sending.removedSessions.contains),
            let metadata = metadata(pending, collected)
        else { return }
        let placed = placed(metadata.lean, in: session, collected, &sending)
        sending.put(placed, in: session, version: 0)
    }

    // MARK: Answers

    /// Notes that the set is passed to the store and may be applied from now on.
    mutating func begin(_ sent: OutgoingChanges) {
        for (tab, what) in sent.tabs {
            guard let session = what.session else { continue }
            var entry = stored[tab] ?? StoredTab(session)
            entry.mayBe(in: session)
            for name in sent.blobs[tab, default: [:]].keys { entry.blobs[name] = nil }
            stored[tab] = entry
        }
        for (session, nodes) in sent.nodes { storedNodes.begin(nodes, in: session) }
        for session in sent.sessions.keys
        where sent.attributes[session] != nil || sent.removedSessions.contains(session) {
            storedAttributes[session] = nil
        }
    }

    /// Notes that the store saved the set.
    mutating func acknowledge(_ sent: OutgoingChanges) {
        if !sent.removedSessions.isEmpty { leave(sent.removedSessions) }
        for session in sent.removedSessions {
            sessions[session]?.isRemovedFirst = false
            storedNodes.leave(session)
        }
        for (session, nodes) in sent.nodes { storedNodes.acknowledge(nodes, in: session) }
        storedAttributes.merge(sent.attributes) { _, new in new }
        for (tab, what) in sent.tabs {
            guard let session = what.session else {
                stored[tab] = nil
                continue
            }
            var entry = stored[tab] ?? StoredTab(session)
            entry.acknowledge(in: session)
            stored[tab] = entry
        }
        for (tab, blobs) in sent.blobs { acknowledge(blobs, of: tab) }
        for (tab, what) in sent.tabs { acknowledge(tab, version: what.version) }
        if !waiting.isEmpty { for tab in sent.tabs.keys.sorted() { place(tabsBelow: tab) } }
        for (session, version) in sent.sessions where sessions[session]?.version == version {
            if sessions[session]?.refusal.stage == 0 {
                sessions[session] = nil
            } else {
                sessions[session]?.refusal.isAllThatWaits = true
            }
        }
    }

    private mutating func acknowledge(_ blobs: [StateName: BlobDigest], of tab: TabID) {
        if var entry = stored[tab] {
            entry.blobs.merge(blobs) { _, new in new }
            stored[tab] = entry
        }
        for (name, digest) in blobs {
            if let bytes = tabs[tab]?.blobs[name], BlobDigest(bytes) == digest {
                tabs[tab]?.blobs[name] = nil
            }
        }
    }

    /// Notes that the store has this version of a tab, except for refused parts.
    private mutating func acknowledge(_ tab: TabID, version: Int) {
        guard let pending = tabs[tab], pending.version == version else { return }
        if pending.isRefused {
            tabs[tab]?.refusal.isAllThatWaits = true
        } else {
            tabs[tab] = nil
        }
    }

    private mutating func leave(_ removed: Set<SessionID>) {
        for tab in stored.ids {
            guard var entry = stored[tab] else { continue }
            let left = entry.sessions.filter(removed.contains)
            guard !left.isEmpty else { continue }
            for session in left { entry.leave(session) }
            if entry.sessions.isEmpty {
                stored[tab] = nil
                if case .gone? = tabs[tab]?.target { tabs[tab] = nil }
            } else {
                stored[tab] = entry
            }
        }
    }
}
