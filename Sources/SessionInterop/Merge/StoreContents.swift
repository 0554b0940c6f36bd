import BrowserSessions

/// The content of a store without its notes, while an import is planned.
struct StoreContents {
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
        _ wanted: Set<TabID>, in partition: StoragePartition?, _ storage: any SessionStorage,
        _ body: (TabSnapshot) -> Void
    ) async throws(StorageError) {
        let ids = Set(wanted.compactMap { id in partition.flatMap { home(of: id, in: $0) } })
        for session in ids.sorted() {
            // All states of a tab must be in one batch. A batch has at least as many keys as a tab.
            var rest = (sessions[session]?.tabs ?? []).filter { wanted.contains($0.id) }[...]
            while !rest.isEmpty {
                let batch = rest.prefix(64)
                rest = rest.dropFirst(64)
                let keys = batch.flatMap { tab in
                    TabSnapshot.comparedStates.map {
                        TabStateKey(tab: tab.id, name: $0, in: session)
                    }
                }
                let states = try await storage.readableStates(of: keys, in: session) { _ in }
                for tab in batch {
                    var snapshot = TabSnapshot(metadata: tab)
                    for key in keys where key.tab == tab.id {
                        snapshot.states[key.name] = states[key]
                    }
                    body(snapshot)
                }
            }
        }
    }

    /// Removes a tab from the session that holds it.
    mutating func remove(_ tab: TabID, in partition: StoragePartition) {
        guard let home = homes[partition]?.removeValue(forKey: tab) else { return }
        sessions[home]?.tabs.removeAll { $0.id == tab }
    }
}
