import BrowserSessions

/// One set on its way to the store, and what its answer means.
struct Sending {
    let side: StorageSide
    private(set) var changes = SessionChanges()
    /// Which version of each tab it has, and where it puts it; `nil` if it removes it.
    private(set) var tabs: [TabID: (version: Int, session: SessionID?)] = [:]
    private(set) var blobs: [TabID: [StateName: BlobDigest]] = [:]
    /// Which version of each session it has.
    private(set) var sessions: [SessionID: Int] = [:]
    private(set) var removedSessions: Set<SessionID> = []
    private(set) var stateBytes = 0
    /// Whether something waits until the set was taken.
    var isPartial = false

    init(side: StorageSide) { self.side = side }

    var isEmpty: Bool { changes.isEmpty }
    /// How many records it changes.
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
