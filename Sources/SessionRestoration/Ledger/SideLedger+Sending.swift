import BrowserModel
import BrowserSessions

/// What is sent, and what the answers mean.
extension SideLedger {
    /// All that waits and was not refused, as one set; `nil` if there is nothing.
    ///
    /// - Parameter isWanted: picks tabs and sessions, for a store that refuses the whole.
    func sending(_ isWanted: (Record) -> Bool = { _ in true }) -> Sending? {
        var sending = Sending(side: side)
        for (session, entry) in waitingSessions where isWanted(.session(session)) {
            add(session, entry, to: &sending)
        }
        for tab in waiting.keys where isWanted(.tab(tab)) { add(tab, to: &sending) }
        if !sending.removedSessions.isEmpty { rescue(from: &sending) }
        return sending.isEmpty ? nil : sending
    }

    enum Record: Hashable {
        case session(SessionID)
        case tab(TabID)
    }

    /// What waits, each by itself; sessions are removed last, when tabs have moved out of them.
    var records: [Record] {
        let gone = waitingSessions.filter { $0.value.isGone || $0.value.isRemovedFirst }
        let others = waitingSessions.keys.filter { gone[$0] == nil }
        return others.map { .session($0) } + waiting.keys.map { .tab($0) }
            + gone.keys.map { .session($0) }
    }

    private func add(_ session: SessionID, _ entry: WaitingSession, to sending: inout Sending) {
        guard !entry.refusal.isAllThatWaits else { return }
        if entry.isRemovedFirst, !entry.isGone {
            sending.isPartial = true
            return sending.remove(session, version: 0)
        }
        switch entry.wish {
        case .live(let window):
            let attributes = window.savedAttributes.fitted(entry.refusal.stage)
            sending.put(attributes, for: session, version: entry.version)
        case .taken(let attributes):
            sending.put(
                attributes.fitted(entry.refusal.stage), for: session, version: entry.version)
        case .gone: sending.remove(session, version: entry.version)
        }
    }

    private func add(_ tab: TabID, to sending: inout Sending) {
        guard var entry = waiting[tab], !entry.refusal.isAllThatWaits else { return }
        if let session = entry.session, isRemovedFirst(session) {
            return holdBack(tab, entry, from: session, in: &sending)
        }
        switch entry.wish {
        case .gone:
            sending.remove(tab, from: places[tab]?.sessions ?? [], version: entry.version)
            return
        case .live(let live, let session):
            if entry.isStateDue || places[tab] == nil { take(stateOf: live, &entry) }
            waiting[tab] = entry
            put(live.metadata, in: session, entry, to: &sending)
        case .taken(let metadata, let session): put(metadata, in: session, entry, to: &sending)
        }
        for (name, bytes) in entry.blobs where entry.refusal.blobs[name] != BlobDigest(bytes) {
            sending.put(bytes, for: TabStateKey(tab: tab, name: name, side: side))
        }
    }

    /// A tab waits until its session was removed. If the store has it there already, it is saved from that
    /// where tabs are that have no window.
    private func holdBack(
        _ tab: TabID, _ entry: WaitingTab, from session: SessionID, in sending: inout Sending
    ) {
        sending.isPartial = true
        guard places[tab]?.sessions.contains(session) == true else { return }
        let refuge = TabsInTransit.session(of: side)
        switch entry.wish {
        case .live(let live, _): sending.put(live.metadata.shortened, in: refuge, version: 0)
        case .taken(let metadata, _): sending.put(metadata.shortened, in: refuge, version: 0)
        case .gone: break
        }
    }

    private func put(
        _ metadata: TabMetadata, in session: SessionID, _ entry: WaitingTab,
        to sending: inout Sending
    ) {
        let record = entry.refusal.details ? metadata.lean : metadata.shortened
        sending.put(record, in: session, version: entry.version)
    }

    /// A tab whose move the store refused does not go with the session in which it still is.
    private func rescue(from sending: inout Sending) {
        for (tab, entry) in waiting where sending.tabs[tab] == nil {
            guard let place = places[tab],
                place.sessions.contains(where: sending.removedSessions.contains)
            else { continue }
            switch entry.wish {
            case .live(let live, let session):
                sending.put(live.metadata.lean, in: session, version: 0)
            case .taken(let metadata, let session):
                sending.put(metadata.lean, in: session, version: 0)
            case .gone: break
            }
        }
    }

    // MARK: Answers

    /// The set is given to the store: from now on it may have been applied.
    func begin(_ sent: Sending) {
        for (tab, what) in sent.tabs {
            guard let session = what.session else { continue }
            if places[tab] == nil { places[tab] = TabPlace(session) }
            places[tab]?.mayBe(in: session)
            for name in sent.blobs[tab, default: [:]].keys { places[tab]?.blobs[name] = nil }
        }
    }

    /// The store has taken the set.
    func acknowledge(_ sent: Sending) {
        if !sent.removedSessions.isEmpty { leave(sent.removedSessions) }
        for session in sent.removedSessions { waitingSessions[session]?.isRemovedFirst = false }
        for (tab, what) in sent.tabs {
            if let session = what.session {
                if places[tab] == nil { places[tab] = TabPlace(session) }
                places[tab]?.settle(in: session)
            } else {
                places[tab] = nil
            }
        }
        for (tab, blobs) in sent.blobs {
            places[tab]?.blobs.merge(blobs) { _, new in new }
            for (name, digest) in blobs {
                if let bytes = waiting[tab]?.blobs[name], BlobDigest(bytes) == digest {
                    waiting[tab]?.blobs[name] = nil
                }
            }
        }
        for (tab, what) in sent.tabs { settle(tab, what.version) }
        for (session, version) in sent.sessions where waitingSessions[session]?.version == version {
            if waitingSessions[session]?.refusal.stage == 0 {
                waitingSessions[session] = nil
            } else {
                waitingSessions[session]?.refusal.isAllThatWaits = true
            }
        }
    }

    /// The version of a tab that was sent is in the store, but for what it refused.
    private func settle(_ tab: TabID, _ version: Int) {
        guard let entry = waiting[tab], entry.version == version else { return }
        if entry.isRefused {
            waiting[tab]?.refusal.isAllThatWaits = true
        } else {
            waiting[tab] = nil
        }
    }

    private func leave(_ sessions: Set<SessionID>) {
        for tab in places.keys {
            guard let place = places[tab] else { continue }
            let left = place.sessions.filter(sessions.contains)
            guard !left.isEmpty else { continue }
            for session in left { places[tab]?.leave(session) }
            if places[tab]?.sessions.isEmpty == true {
                places[tab] = nil
                if case .gone? = waiting[tab]?.wish { waiting[tab] = nil }
            }
        }
    }

    // MARK: Refusals

    /// The store does not take a record: the next set goes without it. `false` if nothing can be left out.
    func refuse(_ subject: StorageError.Subject, _ sent: Sending, _ error: StorageError) -> Bool {
        switch subject {
        case .state(let key):
            guard let digest = sent.blobs[key.tab]?[key.name], waiting[key.tab] != nil else {
                return false
            }
            waiting[key.tab]?.refusal.blobs[key.name] = digest
            return refused(key.tab, error)
        case .tab(let tab, _):
            guard let refusal = waiting[tab]?.refusal, !refusal.whole else { return false }
            if refusal.details {
                waiting[tab]?.refusal.whole = true
                waiting[tab]?.refusal.isAllThatWaits = true
            } else {
                waiting[tab]?.refusal.details = true
            }
            return refused(tab, error)
        case .session(let session): return refused(session, error)
        @unknown default: return false
        }
    }

    private func refused(_ tab: TabID, _ error: StorageError) -> Bool {
        if waiting[tab]?.refusal.error == nil { onNotice(.tabNotSaved(tab, error)) }
        waiting[tab]?.refusal.error = error
        return true
    }

    private func refused(_ session: SessionID, _ error: StorageError) -> Bool {
        guard var entry = waitingSessions[session], !entry.refusal.whole else { return false }
        if entry.isGone || entry.refusal.stage == SessionAttributes.lastStage {
            entry.refusal.whole = true
            entry.refusal.isAllThatWaits = true
        } else {
            entry.refusal.stage += 1
        }
        if entry.refusal.error == nil { onNotice(.windowNotSaved(session, error)) }
        entry.refusal.error = error
        waitingSessions[session] = entry
        return true
    }

    /// The store refuses a set of one record and does not say why: less of it, or nothing, is sent.
    func refuse(_ record: Record, _ sent: Sending, _ error: StorageError) -> Bool {
        switch record {
        case .session(let session):
            return refuse(StorageError.Subject.session(session), sent, error)
        case .tab(let tab):
            let largest = sent.blobs[tab]?.keys.max { size(of: $0, tab) < size(of: $1, tab) }
            if let largest {
                return refuse(
                    StorageError.Subject.state(TabStateKey(tab: tab, name: largest, side: side)),
                    sent, error)
            }
            let session = SessionID(window: .profileWide)
            return refuse(StorageError.Subject.tab(tab, in: session), sent, error)
        }
    }

    private func size(of name: StateName, _ tab: TabID) -> Int {
        (waiting[tab]?.blobs[name] ?? nil)?.count ?? 0
    }
}
