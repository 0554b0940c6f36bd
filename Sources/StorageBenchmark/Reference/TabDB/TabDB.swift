import BrowserSessions
import LocalFiles
import Synchronization

/// A rebuilt design of Chromium's newest store, for comparison only: an SQLite database with a row
/// for each node of a tree, in which a parent's row has the list of its children.
///
/// A tab's row also has its state. Payloads of incognito tabs are not sealed here, and the file is
/// not read ahead when it is opened. As Chromium does, it holds the trees in memory to know which
/// rows a change concerns.
final class TabDB: ReferenceDesign {
    fileprivate struct State {
        /// The database; `nil` after closing.
        private var database: NodeDatabase?
        /// The trees; `nil` until a save needs them.
        var trees: [SessionID: TabTree]?
        var owners: [TabID: SessionID] = [:]
        var sequence: UInt64 = 0

        init(_ database: NodeDatabase) { self.database = database }

        func opened() throws(StorageError) -> NodeDatabase {
            guard let database else { throw StorageError(.closed, "the store is closed") }
            return database
        }

        /// Releases the file, so that it can be opened again.
        mutating func close() { (database, trees) = (nil, nil) }
    }

    static let name = "tab-db"
    private let state: Mutex<State>

    let traits = StorageTraits(
        backend: TabDB.name, durability: [.processCrash, .powerLoss], incognitoErasure: .removed,
        keepsRestorePoints: false)

    init(_ folder: String) throws(StorageError) {
        try FileSystem.makeDirectories(folder)
        state = Mutex(State(try NodeDatabase("\(folder)/TabDB")))
    }

    func sessions() async throws(StorageError) -> [SessionID] {
        try state.withLock { (state: inout State) throws(StorageError) in
            try state.opened().sessions()
        }
    }

    func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
        -> [RestoredSession]
    {
        guard version == .current else { throw .notOfBench("a restore point") }
        return try state.withLock { (state: inout State) throws(StorageError) in
            var found: [RestoredSession] = []
            for id in ids {
                let nodes = try SessionNodes(id, in: state.opened())
                if let session = try nodes.session() { found.append(session) }
            }
            return found
        }
    }

    func states(of keys: [TabStateKey], at version: SessionVersion) async throws(StorageError)
        -> [TabStateKey: [UInt8]]
    {
        try state.withLock { (state: inout State) throws(StorageError) in
            var result: [TabStateKey: [UInt8]] = [:]
            for key in keys {
                guard let payload = try state.opened().payload(of: NodeID(key.tab)) else {
                    continue
                }
                result[key] = try TabTree.Tab(payload, key.tab).states[key.name]
            }
            return result
        }
    }

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        try state.withLock { (state: inout State) throws(StorageError) in
            try state.save(changes, isSynced: durability == .powerLoss)
            return SaveReceipt(sequence: state.sequence, durability: durability)
        }
    }

    func deleteIncognito() async throws(StorageError) {
        try state.withLock { (state: inout State) throws(StorageError) in
            let database = try state.opened()
            try database.transaction(isSynced: true) { () throws(StorageError) in
                try database.removeOffTheRecord()
            }
            state.trees = nil
        }
    }

    func close() async throws(StorageError) { state.withLock { $0.close() } }
}

extension TabDB.State {
    fileprivate mutating func save(_ changes: SessionChanges, isSynced: Bool)
        throws(StorageError)
    {
        if trees == nil { trees = try load() }
        var trees = trees ?? [:]
        // A save that fails leaves them to be read again.
        self.trees = nil
        var touched: Set<SessionID> = []
        var removed: Set<SessionID> = []
        // Tabs that the set puts elsewhere leave a session before the session is removed.
        for case .putTab(let tab, let session) in changes.changes {
            put(tab, into: session, &trees, &touched)
        }
        for change in changes.changes { apply(change, &trees, &touched, &removed) }
        let database = try opened()
        try database.transaction(isSynced: isSynced) { () throws(StorageError) in
            for id in removed { try trees[id]?.remove(from: database) }
            for id in touched where !removed.contains(id) {
                try trees[id]?.write(to: database)
            }
        }
        for id in removed { trees[id] = nil }
        self.trees = trees
        sequence += 1
    }

    /// Applies any change but that of a tab.
    private mutating func apply(
        _ change: SessionChanges.Change, _ trees: inout [SessionID: TabTree],
        _ touched: inout Set<SessionID>, _ removed: inout Set<SessionID>
    ) {
        switch change {
        case .putTab: break
        case .putNode(let node, let session):
            trees[session, default: TabTree(session)].put(node)
            touched.insert(session)
        case .removeNode(let node, let session): trees[session]?.remove(node)
        case .putSession(let id, let attributes):
            trees[id, default: TabTree(id)].put(attributes)
            touched.insert(id)
        case .removeSession(let id):
            for tab in trees[id]?.tabs.keys ?? [:].keys { owners[tab] = nil }
            removed.insert(id)
        case .removeTab(let tab, let session):
            guard owners[tab] == session else { return }
            _ = trees[session]?.remove(tab)
            owners[tab] = nil
            touched.insert(session)
        case .putState(_, let key), .removeState(let key):
            guard let session = owners[key.tab] else { return }
            var state: [UInt8]?
            if case .putState(let bytes, _) = change { state = bytes }
            trees[session]?.put(state, key.name, of: key.tab)
            touched.insert(session)
        }
    }

    private mutating func put(
        _ tab: TabMetadata, into session: SessionID, _ trees: inout [SessionID: TabTree],
        _ touched: inout Set<SessionID>
    ) {
        var moved: TabTree.Tab?
        if let old = owners[tab.id], old != session {
            moved = trees[old]?.remove(tab.id, toOther: true)
            touched.insert(old)
        }
        owners[tab.id] = session
        if var moved {
            moved.metadata = tab
            trees[session, default: TabTree(session)].put(moved)
        } else {
            trees[session, default: TabTree(session)].put(tab)
        }
        touched.insert(session)
    }

    private mutating func load() throws(StorageError) -> [SessionID: TabTree] {
        var trees: [SessionID: TabTree] = [:]
        owners = [:]
        let database = try opened()
        for id in try database.sessions() {
            var tree = TabTree(id)
            let nodes = try SessionNodes(id, in: database)
            if let session = try nodes.session() {
                tree.put(session.attributes)
                for node in session.nodes { tree.put(node) }
            }
            for tab in try nodes.tabs() {
                tree.put(tab)
                owners[tab.metadata.id] = id
            }
            tree.forgetChanges()
            trees[id] = tree
        }
        return trees
    }
}

extension Contestant {
    static let tabDB = Contestant(
        name: ContestantName(TabDB.name), role: .reference,
        summary: "Reference: an SQLite row for each node, with the list of its children."
    ) { location throws(StorageError) in try TabDB(location) }
}
