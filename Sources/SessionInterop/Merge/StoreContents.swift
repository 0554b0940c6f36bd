import BrowserSessions

/// The content of a store without its notes, while an import is planned.
struct StoreContents {
    private var storage: (any SessionStorage)?
    private(set) var sessions: [SessionID: RestoredSession] = [:]
    private(set) var windows: Set<WindowID> = []
    private var homes: [StoragePartition: [TabID: SessionID]] = [:]
    /// The partitions in which something cannot be read.
    private(set) var incompletePartitions: Set<StoragePartition> = []

    private static let batch = 256

    init() {}

    init(of storage: any SessionStorage, partitions: Set<StoragePartition>)
        async throws(StorageError)
    {
        self.storage = storage
        let ids = try await storage.sessions().filter { $0.kind.role != .notes }
        windows = Set(ids.map(\.window))
        var rest = ids.filter { partitions.contains($0.partition) }[...]
        while !rest.isEmpty {
            for session in try await storage.restore(Array(rest.prefix(Self.batch))) {
                if session.provenance != .intact {
                    incompletePartitions.insert(session.id.partition)
                }
                sessions[session.id] = session
                for tab in session.tabs {
                    homes[session.id.partition, default: [:]][tab.id] = session.id
                }
            }
            rest = rest.dropFirst(Self.batch)
        }
    }

    /// Returns the session that holds a tab; `nil` if none does.
    func home(of tab: TabID, in partition: StoragePartition) -> SessionID? {
        homes[partition]?[tab]
    }

    /// Returns the session that each node is in.
    func nodeHomes(in partition: StoragePartition) -> [NodeID: SessionID] {
        var homes: [NodeID: SessionID] = [:]
        for (id, session) in sessions where id.partition == partition {
            for node in session.nodes { homes[node.id] = id }
        }
        return homes
    }

    /// Returns whether the user sees the session's tabs in an open window.
    func isOpen(_ id: SessionID) -> Bool {
        guard let session = sessions[id] else { return false }
        return session.attributes.closedAt == nil && id.kind.role != .shelf
    }

    /// Returns whether a window is still closed as it was when it was imported.
    func isClosedAsImported(_ window: NotedWindow?) -> Bool {
        guard let window, let closedAt = window.closedAt else { return false }
        return sessions[window.ours]?.attributes.closedAt == closedAt
    }

    /// Passes on tabs with the states that an import compares. A state that cannot be read is absent.
    func forEach(
        _ wanted: Set<TabID>, in partition: StoragePartition, _ body: (TabSnapshot) -> Void
    ) async throws(StorageError) {
        for session in Set(wanted.compactMap { home(of: $0, in: partition) }).sorted() {
            let tabs = (sessions[session]?.tabs ?? []).filter { wanted.contains($0.id) }
            let keys = tabs.flatMap { tab in
                TabSnapshot.comparedStates.map { TabStateKey(tab: tab.id, name: $0, in: session) }
            }
            try await storage?.forEachBatch(of: tabs, with: keys, in: session, { _ in }) {
                for tab in $0 { body(tab) }
            }
        }
    }

    /// Removes a tab from the session that holds it.
    mutating func remove(_ tab: TabID, in partition: StoragePartition) {
        guard let home = homes[partition]?.removeValue(forKey: tab) else { return }
        sessions[home]?.tabs.removeAll { $0.id == tab }
    }
}
