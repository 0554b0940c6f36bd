import BrowserSessions

/// The contents of a store in memory.
struct MemoryContents: Sendable {
    var regular = MemoryPartition()
    var incognito = MemoryPartition()

    subscript(partition: StoragePartition) -> MemoryPartition {
        get { partition == .regular ? regular : incognito }
        _modify { if partition == .regular { yield &regular } else { yield &incognito } }
    }

    /// All sessions, ascending.
    var sessions: [SessionID] { regular.sessions.union(incognito.sessions).sorted() }
}

/// One partition of a store in memory. It follows the rules of ``SessionChanges``.
struct MemoryPartition: Sendable {
    private(set) var attributes: [SessionID: SessionAttributes] = [:]
    private(set) var tabs: [SessionID: [TabID: TabMetadata]] = [:]
    private(set) var states: [TabID: [StateName: [UInt8]]] = [:]
    private(set) var sequence: UInt64 = 0
    private var homes: [TabID: SessionID] = [:]
    /// The most recent commits, oldest first.
    private var commits: [(id: CommitID, sequence: UInt64)] = []

    /// The number of commit identifiers to remember, as in other stores.
    private static let rememberedCommits = 64

    // MARK: - Reading

    /// The sessions that have attributes or tabs.
    var sessions: Set<SessionID> { Set(attributes.keys).union(tabs.keys) }

    /// Returns the session as saved, without repairs; `nil` if there is none.
    func session(_ id: SessionID) -> RestoredSession? {
        guard attributes[id] != nil || tabs[id] != nil else { return nil }
        let inOrder = (tabs[id] ?? [:]).values.sorted { ($0.place, $0.id) < ($1.place, $1.id) }
        return RestoredSession(
            id: id, attributes: attributes[id] ?? SessionAttributes(), tabs: inOrder)
    }

    func summary(_ id: SessionID) -> SessionSummary? {
        guard let session = session(id) else { return nil }
        let blobs = session.tabs.compactMap { states[$0.id]?.values }.joined()
        let times = session.tabs.map(\.lastActiveAt) + [session.attributes.lastActiveAt]
        return SessionSummary(
            id: id, title: session.attributes.title, tabCount: session.tabs.count,
            lastActiveAt: times.max() ?? .unknown,
            byteCount: session.tabs.reduce(0) { $0 + $1.encoded().count }
                + blobs.reduce(0) { $0 + $1.count })
    }

    /// Returns the sequence number of the set with this commit identifier; `nil` if not applied.
    func sequence(of commit: CommitID?) -> UInt64? {
        commits.first { $0.id == commit }?.sequence
    }

    /// Returns the session that holds a tab; `nil` if none does.
    func home(of tab: TabID) -> SessionID? { homes[tab] }

    // MARK: - Changing

    /// Applies a valid change set that was not applied before.
    mutating func apply(_ changes: SessionChanges) {
        sequence += 1
        if let id = changes.commitID {
            commits.append((id, sequence))
            if commits.count > Self.rememberedCommits { commits.removeFirst() }
        }
        var put: Set<TabID> = []
        for case .putTab(let tab, _) in changes.changes { put.insert(tab.id) }
        // Removals do not affect what the set puts, so they come first.
        for change in changes.changes {
            switch change {
            case .removeSession(let id): remove(id, sparing: put)
            case .removeTab(let tab, let id):
                if homes[tab] == id, !put.contains(tab) { remove(tab) }
            case .removeState(let key): states[key.tab]?[key.name] = nil
            case .putSession, .putTab, .putState: continue
            }
        }
        for change in changes.changes {
            switch change {
            case .putSession(let id, let new): attributes[id] = new
            case .putTab(let tab, let id): place(tab, in: id)
            case .putState(let bytes, let key): states[key.tab, default: [:]][key.name] = bytes
            case .removeSession, .removeTab, .removeState: continue
            }
        }
    }

    private mutating func place(_ tab: TabMetadata, in id: SessionID) {
        takeOut(tab.id)
        tabs[id, default: [:]][tab.id] = tab
        homes[tab.id] = id
    }

    private mutating func remove(_ id: SessionID, sparing spared: Set<TabID>) {
        attributes[id] = nil
        for tab in tabs[id, default: [:]].keys where !spared.contains(tab) { remove(tab) }
    }

    private mutating func remove(_ tab: TabID) {
        takeOut(tab)
        states[tab] = nil
    }

    /// Removes a tab from its session. A session without attributes ends with its last tab.
    private mutating func takeOut(_ tab: TabID) {
        guard let home = homes.removeValue(forKey: tab) else { return }
        tabs[home]?[tab] = nil
        if tabs[home]?.isEmpty == true { tabs[home] = nil }
    }
}
