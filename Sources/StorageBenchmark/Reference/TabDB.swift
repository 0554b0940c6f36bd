import BrowserSessions
import StorageEngines

/// A rebuilt design of Chromium's newest store: an SQLite database with a row for each node of a tree, in
/// which a parent's row has the list of its children.
///
/// A tab's row also has its state. Payloads of incognito tabs are not sealed here, and the file is
/// not read ahead when it is opened. As Chromium does, it holds the trees in memory to know which
/// rows a change concerns.
struct TabDB: PeerDesign {
    /// The database; `nil` after closing.
    private var database: NodeDatabase?
    /// The trees; `nil` until a save needs them.
    private var trees: [SessionID: TabTree]?
    private var owners: [TabID: SessionID] = [:]

    init(_ folder: String) throws(StorageError) {
        try FileSystem.makeDirectories(folder)
        database = try NodeDatabase("\(folder)/TabDB")
    }

    private func opened() throws(StorageError) -> NodeDatabase {
        guard let database else { throw StorageError(.closed, "the store is closed") }
        return database
    }

    mutating func close() { (database, trees) = (nil, nil) }

    // MARK: - Reading

    func sessions() throws(StorageError) -> [SessionID] { try opened().sessions() }

    func restore(_ id: SessionID) throws(StorageError) -> RestoredSession? {
        guard let tree = try TabTree(id, in: opened()) else { return nil }
        let children = tree.orderedChildren()
        return RestoredSession(
            id: id, attributes: tree.attributes,
            tabs: children.compactMap { tree.tabs[TabID(high: $0.high, low: $0.low)]?.metadata },
            nodes: children.compactMap { tree.groups[$0] })
    }

    func state(of key: TabStateKey) throws(StorageError) -> [UInt8]? {
        guard let payload = try opened().payload(of: NodeID(key.tab)) else { return nil }
        return try TabTree.Tab(payload, key.tab).states[key.name]
    }

    private mutating func load() throws(StorageError) -> [SessionID: TabTree] {
        var trees: [SessionID: TabTree] = [:]
        owners = [:]
        for id in try sessions() {
            trees[id] = try TabTree(id, in: opened())
            for tab in trees[id]?.tabs.keys ?? [:].keys { owners[tab] = id }
        }
        return trees
    }

    // MARK: - Writing

    mutating func save(_ changes: SessionChanges, isSynced: Bool) throws(StorageError) {
        if trees == nil { trees = try load() }
        var trees = trees ?? [:]
        // A save that fails leaves them to be read again.
        self.trees = nil
        var removed: Set<SessionID> = []
        // Tabs that the set puts elsewhere leave a session before the session is removed.
        for case .put(.tab(let tab, let session)) in changes.changes {
            var moved = TabTree.Tab(metadata: tab)
            if let old = owners.updateValue(session, forKey: tab.id) {
                moved.states =
                    (old == session
                    ? trees[old]?.tabs[tab.id] : trees[old]?.remove(tab.id, toOther: true))?
                    .states ?? [:]
            }
            trees[session, default: TabTree(session)].put(moved)
        }
        for change in changes.changes {
            switch change {
            case .put(.tab): break
            case .put(.node(let node, let session)):
                trees[session, default: TabTree(session)].put(node)
            case .remove(.node(let node), let session): trees[session]?.remove(node)
            case .put(.session(let id, let attributes)):
                trees[id, default: TabTree(id)].put(attributes)
            case .remove(.session(let id), _):
                for tab in trees[id]?.tabs.keys ?? [:].keys { owners[tab] = nil }
                removed.insert(id)
            case .remove(.tab(let tab), let session):
                guard owners[tab] == session else { continue }
                _ = trees[session]?.remove(tab)
                owners[tab] = nil
            case .putState(let state, let key): put(state, for: key, &trees)
            case .removeState(let key): put(nil, for: key, &trees)
            }
        }
        let database = try opened()
        try database.transaction(isSynced: isSynced) { () throws(StorageError) in
            for id in removed { try trees.removeValue(forKey: id)?.remove(from: database) }
            for id in Array(trees.keys) { try trees[id]?.write(to: database) }
        }
        self.trees = trees
    }

    private func put(
        _ state: [UInt8]?, for key: TabStateKey, _ trees: inout [SessionID: TabTree]
    ) {
        if let session = owners[key.tab] { trees[session]?.put(state, key.name, of: key.tab) }
    }

    mutating func deleteIncognito() throws(StorageError) {
        let database = try opened()
        try database.transaction(isSynced: true) { () throws(StorageError) in
            try database.removeOffTheRecord()
        }
        trees = nil
    }
}
