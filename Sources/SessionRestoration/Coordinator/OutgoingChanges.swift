import BrowserSessions

/// A change set that is being sent, with the information to interpret its answer.
struct OutgoingChanges {
    let partition: StoragePartition
    private(set) var changes = SessionChanges()
    /// The version and the new session of each tab in the set; the session is `nil` if the tab is removed.
    private(set) var tabs: [TabID: (version: Int, session: SessionID?)] = [:]
    private(set) var blobs: [TabID: [StateName: BlobDigest]] = [:]
    /// The version of each session in the set.
    private(set) var sessions: [SessionID: Int] = [:]
    private(set) var removedSessions: Set<SessionID> = []
    private(set) var stateBytes = 0
    /// Whether other changes wait until the set is saved.
    var isPartial = false

    init(partition: StoragePartition) { self.partition = partition }

    var isEmpty: Bool { changes.isEmpty }
    /// The number of changed records.
    var count: Int { changes.changes.count }

    mutating func put(_ attributes: SessionAttributes, for session: SessionID, version: Int) {
        sessions[session] = version
        changes.put(attributes, for: session)
    }

    mutating func remove(_ session: SessionID, version: Int) {
        sessions[session] = version
        removedSessions.insert(session)
        changes.remove(session)
    }

    mutating func put(_ tab: TabMetadata, in session: SessionID, version: Int) {
        tabs[tab.id] = (version, session)
        changes.put(tab, in: session)
    }

    mutating func remove(_ tab: TabID, from sessions: [SessionID], version: Int) {
        tabs[tab] = (version, nil)
        for session in sessions { changes.remove(tab, from: session) }
    }

    mutating func put(_ bytes: [UInt8]?, for key: TabStateKey) {
        blobs[key.tab, default: [:]][key.name] = BlobDigest(bytes)
        guard let bytes else { return changes.remove(key) }
        stateBytes += bytes.count
        changes.put(bytes, for: key)
    }
}
