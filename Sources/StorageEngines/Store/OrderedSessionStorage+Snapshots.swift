package import BrowserSessions

extension OrderedSessionStorage {
    /// Returns everything in the store exactly as it was saved, without repairs: the sessions of
    /// both partitions, ascending, with their tabs in order; `[]` if there are none.
    package func snapshotsBlocking() throws(StorageError) -> [SessionSnapshot] {
        try withState("snapshots") { state in
            try state.ready().partitions.flatMap { try $0.snapshots() }.sorted { $0.id < $1.id }
        }
    }
}

extension OrderedSessionStorage {
    /// Returns what the store set aside, oldest first; `[]` if there is nothing.
    package func quarantineBlocking() throws(StorageError) -> [QuarantinedItem] {
        try withState("quarantine") { try $0.open().root.quarantineItems() }
    }

    /// Returns what the store set aside; see ``quarantineBlocking()``.
    package func quarantine() async throws(StorageError) -> [QuarantinedItem] {
        try await hop("quarantine") { try $0.quarantineBlocking() }
    }
}

extension Partition {
    fileprivate func snapshots() throws -> [SessionSnapshot] {
        try index.sessions.filter(\.exists).map { entry in
            var findings = TabFindings()
            let session = try read(entry.id, entry, &findings)
            let tabs = try session.tabs.map { tab in
                TabSnapshot(
                    metadata: tab,
                    states: try index.names(of: tab.id).reduce(into: [:]) { states, name in
                        states[name] = try state(
                            TabStateKey(tab: tab.id, name: name, partition: kind))
                    })
            }
            return SessionSnapshot(
                id: entry.id, attributes: session.attributes, tabs: tabs,
                nodes: session.nodes)
        }
    }
}
