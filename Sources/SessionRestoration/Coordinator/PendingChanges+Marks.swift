import BrowserModel
import BrowserSessions

extension PendingChanges {
    /// A change of the model that concerns the store.
    enum Mark {
        /// The tab is in the window's session and has changed.
        case tab(TabID, in: SessionID, isStateNew: Bool = false)
        /// The tab must be in the session as the metadata says, regardless of the model. `isAsked`, here and
        /// below: whether the user asked for it, if the tab leaves the windows by this.
        case put(TabMetadata, in: SessionID, isAsked: Bool = false)
        /// The same for a tab that leaves the model, with its state if that must be saved.
        case taken(
            TabMetadata, in: SessionID, state: TabState?, isStateNew: Bool, isAsked: Bool)
        /// The state of a taken tab arrives late. It counts if the tab has not changed since.
        case lateState(TabState, of: TabMetadata, in: SessionID)
        /// The window's tab gets states that were read from a restore point.
        case earlierStates([StateName: [UInt8]], of: TabID, in: SessionID)
        /// The page of a tab reported a state that may differ from the one read last.
        case page(TabMetadata, in: SessionID, TabState)
        /// The tab is permanently closed.
        case closed(TabID, isAsked: Bool = false)
        /// The window's attributes, groups, or active tab have changed.
        case session(SessionID)
        /// The session must have these attributes unless it has none of its own, regardless of the model, and
        /// these groups unless those that the store has stay.
        case content(SessionAttributes?, [StructureNode]? = nil, for: SessionID)
        /// A window is about to leave the model. Its pending records were read.
        case leaves(SessionID, [CollectedRecord])
        /// The session is removed with the tabs in it. Tabs that enter it later stay.
        case removed(SessionID, isAsked: Bool = false)
        /// The session is removed; its tabs are elsewhere.
        case removedEmpty(SessionID)
        /// The store already has the tabs, and the nodes unless they are unknown, in the session.
        case stored([TabMetadata], [StructureNode]? = nil, in: SessionID)
    }

    /// Notes a change.
    ///
    /// - Returns: whether a change is now pending that was not pending before.
    mutating func apply(_ mark: Mark) -> Bool {
        switch mark {
        case .tab(let tab, let session, let isStateNew):
            // What is in a list is where it was taken to. Only that of a host's shelf is in no window.
            return change(tab, isAsked: true) { pending in
                pending.target = .live(in: session)
                if isStateNew { pending.isStateDue = true }
            }
        case .put(let metadata, let session, let isAsked):
            return change(metadata.id, isAsked: isAsked) {
                $0.target = .taken(metadata, in: session)
            }
        case .taken(let metadata, let session, let state, let isStateNew, let isAsked):
            return take(metadata, in: session, state, isStateNew: isStateNew, isAsked: isAsked)
        case .lateState(let state, let metadata, let session):
            return take(late: state, of: metadata, in: session)
        case .earlierStates(let states, let tab, let session):
            return change(tab) { pending in
                pending.target = .live(in: session)
                for (name, bytes) in states { pending.blobs.updateValue(bytes, forKey: name) }
            }
        case .page(let tab, let session, let state):
            return noteNewState(state, of: tab, in: session)
        case .closed(let tab, let isAsked): return close(tab, isAsked: isAsked)
        case .session(let session): return change(session, .live)
        case .content(let attributes, let nodes, let session):
            return change(session, .taken(SessionContent(attributes: attributes, nodes: nodes)))
        case .leaves(let session, let records):
            for record in records { leave(session, record) }
            return false
        case .removed(let session, let isAsked): return remove(session, isAsked: isAsked)
        case .removedEmpty(let session): return change(session, .gone)
        case .stored(let tabs, let nodes, let session):
            stored.restore(tabs, in: session)
            storedAttributes[session] = nil
            if let nodes { storedNodes.restored(nodes, in: session) }
            return false
        }
    }

    private mutating func take(
        _ metadata: TabMetadata, in session: SessionID, _ state: TabState?, isStateNew: Bool,
        isAsked: Bool
    ) -> Bool {
        let isDue = isStateNew || needsState(of: metadata.id)
        let blobs =
            isDue ? state.map { unsavedBlobs(encoding(of: $0, metadata), of: metadata.id) } : nil
        return change(metadata.id, isAsked: isAsked) { pending in
            pending.target = .taken(metadata, in: session)
            if isDue { pending.isStateDue = false }
            if let blobs { pending.blobs = blobs }
        }
    }

    private mutating func take(
        late state: TabState, of metadata: TabMetadata, in session: SessionID
    ) -> Bool {
        guard !isMuted, isKept(metadata.id, in: session) else { return false }
        let encoding = encoding(of: state, metadata)
        guard isNew(encoding, of: metadata.id) else { return false }
        let blobs = unsavedBlobs(encoding, of: metadata.id)
        return change(metadata.id) { pending in
            if case .gone = pending.target { pending.target = .taken(metadata, in: session) }
            pending.blobs = blobs
        }
    }

    private mutating func noteNewState(
        _ state: TabState, of tab: TabMetadata, in session: SessionID
    ) -> Bool {
        guard tabs[tab.id]?.isStateDue != true, isNew(encoding(of: state, tab), of: tab.id) else {
            return false
        }
        return change(tab.id) { pending in
            pending.target = .live(in: session)
            pending.isStateDue = true
        }
    }

    /// Keeps a window's pending record as it was read.
    private mutating func leave(_ session: SessionID, _ collected: CollectedRecord) {
        if collected.record == .session(session), let content = collected.session,
            case .live? = sessions[session]?.target
        {
            sessions[session]?.target = .taken(content)
        }
        guard let metadata = collected.tab, var pending = tabs[metadata.id],
            case .live(session) = pending.target
        else { return }
        pending.target = .taken(metadata, in: session)
        if needsState(of: metadata.id) { read(collected.state, metadata, &pending) }
        tabs[metadata.id] = pending
    }

    // MARK: State

    /// Keeps the state of a tab that is about to be sent or to leave.
    mutating func read(
        _ state: TabState?, _ metadata: TabMetadata, _ pending: inout PendingTab
    ) {
        pending.isStateDue = false
        if let state {
            pending.blobs = unsavedBlobs(encoding(of: state, metadata), of: metadata.id)
        }
    }

    /// Returns the pending blobs of a tab with a new state: with those that the store lacks, and without
    /// those that it has.
    private mutating func unsavedBlobs(
        _ encoding: StateEncoding, of tab: TabID
    ) -> [StateName: [UInt8]?] {
        let known = stored[tab]?.blobs ?? [:]
        var blobs = tabs[tab]?.blobs ?? [:]
        for (name, bytes) in encoding.blobs {
            if let digest = known[name], digest == BlobDigest(bytes) {
                blobs[name] = nil
            } else {
                blobs.updateValue(bytes, forKey: name)
            }
        }
        note(encoding.leftOut, of: tab)
        return blobs
    }

    private func isNew(_ encoding: StateEncoding, of tab: TabID) -> Bool {
        let known = stored[tab]?.blobs ?? [:]
        return encoding.blobs.contains { name, bytes in
            let last = tabs[tab]?.blobs[name].map { BlobDigest($0) } ?? known[name]
            return last != BlobDigest(bytes)
        }
    }

    private func encoding(of state: TabState, _ tab: TabMetadata) -> StateEncoding {
        StateEncoding(
            state, of: tab, names: limits.extraStates, maximumBytes: limits.maximumStateBytes)
    }

    /// Notes the blobs that exceed the store's limit and are left out, and reports them once.
    private mutating func note(_ leftOut: [StateName: Int], of tab: TabID) {
        let sorted = leftOut.sorted { $0.key.rawValue < $1.key.rawValue }
        guard let (name, bytes) = sorted.first else {
            incomplete[tab] = nil
            return
        }
        if incomplete[tab] == nil {
            for (name, bytes) in sorted { notify(.stateLeftOut(tab, name, bytes: bytes)) }
        }
        incomplete[tab] = StorageError(
            .tooLarge,
            """
            the blob '\(name.rawValue)' has \(bytes) bytes; this store takes \
            \(limits.maximumStateBytes): it was left out
            """, operation: "save",
            subject: .state(TabStateKey(tab: tab, name: name, partition: partition)))
    }
}
