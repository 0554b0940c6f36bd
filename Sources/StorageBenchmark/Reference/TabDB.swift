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
    /// What the rows hold; `nil` until a save needs it.
    private var book: SessionBook?
    /// The attributes in the strips.
    private var strips: [SessionID: SessionAttributes] = [:]
    private var lists = ChildLists()

    init(_ folder: String) throws(StorageError) {
        try FileSystem.makeDirectories(folder)
        database = try NodeDatabase("\(folder)/TabDB")
    }

    private func opened() throws(StorageError) -> NodeDatabase {
        guard let database else { throw StorageError(.closed, "the store is closed") }
        return database
    }

    mutating func close() { (database, book) = (nil, nil) }

    // MARK: - Reading

    func sessions() throws(StorageError) -> [SessionID] { try opened().sessions() }

    func restore(_ id: SessionID) throws(StorageError) -> RestoredSession? {
        try opened().restore(id)?.session
    }

    func state(of key: TabStateKey) throws(StorageError) -> [UInt8]? {
        guard let payload = try opened().payload(of: NodeID(key.tab)) else { return nil }
        return try TabPayload(payload, key.tab).states[key.name]
    }

    private mutating func load() throws(StorageError) -> SessionBook {
        var book = SessionBook()
        (strips, lists) = ([:], ChildLists())
        for id in try sessions() {
            guard let tree = try opened().restore(id) else { continue }
            book.load(tree.session)
            for (key, state) in tree.states { book.load(state, for: key) }
            strips[id] = tree.session.attributes
            for node in tree.session.nodes { lists.put(node.id, at: node.spot(in: id)) }
            for tab in tree.session.tabs { lists.put(NodeID(tab.id), at: tab.spot(in: id)) }
        }
        lists.changed = []
        return book
    }

    // MARK: - Writing

    mutating func save(_ changes: SessionChanges, isSynced: Bool) throws(StorageError) {
        var book = if let known = self.book { known } else { try load() }
        // A save that fails leaves it to be read again.
        self.book = nil
        let touched = book.apply(changes)
        let database = try opened()
        try database.transaction(isSynced: isSynced) { () throws(StorageError) in
            try write(touched, of: book, to: database)
        }
        self.book = book
    }

    /// Writes the rows that changed. Those of strips come first, because they have lists.
    private mutating func write(
        _ touched: SessionBook.Touched, of book: SessionBook, to database: NodeDatabase
    ) throws(StorageError) {
        for id in touched.sessions {
            try write(book.sessions[id]?.attributes, of: id, to: database)
        }
        for id in touched.nodes {
            let session = touched.sessions.first { book.sessions[$0]?.nodes[id] != nil }
            if let session, let node = book.sessions[session]?.nodes[id] {
                lists.put(id, at: node.spot(in: session))
                try database.put(node.encodedPayload(), of: id, .group, in: session)
            } else {
                lists.put(id, at: nil)
                try database.remove(id)
            }
        }
        for id in touched.tabs.union(touched.states.map(\.tab)) {
            if let (session, tab) = book.tab(id) {
                let states = book.states(of: id, in: session.partition)
                lists.put(NodeID(id), at: tab.spot(in: session))
                try database.put(
                    TabPayload(metadata: tab, states: states).encoded(), of: NodeID(id), .tab,
                    in: session)
            } else {
                lists.put(NodeID(id), at: nil)
                try database.remove(NodeID(id))
            }
        }
        for list in lists.changed { try database.putChildren(lists.encoded(list), of: list) }
        lists.changed = []
    }

    /// Writes the strip of a session, with empty lists if it is new, or removes it.
    private mutating func write(
        _ attributes: SessionAttributes?, of id: SessionID, to database: NodeDatabase
    ) throws(StorageError) {
        let old = strips[id]
        strips[id] = attributes
        guard let attributes else {
            for kind in [NodeDatabase.Kind.strip, .pinned, .unpinned] {
                lists.drop(.row(kind, of: id))
                try database.remove(.row(kind, of: id))
            }
            return
        }
        if old == attributes { return }
        try database.put(attributes.encodedPayload(), of: .row(.strip, of: id), .strip, in: id)
        guard old == nil else { return }
        for kind in [NodeDatabase.Kind.pinned, .unpinned] {
            try database.put([], of: .row(kind, of: id), kind, in: id)
        }
    }

    mutating func deleteIncognito() throws(StorageError) {
        let database = try opened()
        try database.transaction(isSynced: true) { () throws(StorageError) in
            try database.removeOffTheRecord()
        }
        book = nil
    }
}
