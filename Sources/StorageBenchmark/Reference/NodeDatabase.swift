import BrowserSessions
import CSQLite

/// The database of a ``TabDB``: an SQLite file with a row for each node of its trees.
final class NodeDatabase {
    /// A value to bind.
    enum Value {
        case blob([UInt8])
        case text(String)
        case number(Int64)
    }

    /// The kind of a node, as numbered in Chromium.
    enum Kind: Int64 {
        case tab = 1
        case strip = 2
        case pinned = 3
        case unpinned = 4
        case group = 5
    }

    /// A node as it is stored.
    struct Node {
        var kind: Kind?
        var children: [UInt8]
        var payload: [UInt8]
    }

    private let handle: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]
    private var isSynced: Bool?

    init(_ path: String) throws(StorageError) {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            throw StorageError(.failed, "SQLite error \(code) while opening '\(path)'")
        }
        self.handle = handle
        try run("PRAGMA locking_mode = EXCLUSIVE")
        try run("PRAGMA journal_mode = WAL")
        try run(
            """
            CREATE TABLE IF NOT EXISTS nodes(
                id BLOB PRIMARY KEY NOT NULL, window_tag TEXT NOT NULL,
                is_off_the_record INTEGER NOT NULL, type INTEGER NOT NULL,
                children BLOB, payload BLOB)
            """)
        try run(
            "CREATE INDEX IF NOT EXISTS window_nodes ON nodes(window_tag, is_off_the_record)")
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    /// Does the work in one transaction. The commit is synced if it must survive a power cut.
    func transaction(isSynced: Bool, _ work: () throws(StorageError) -> Void)
        throws(StorageError)
    {
        if self.isSynced != isSynced {
            try run("PRAGMA synchronous = \(isSynced ? "FULL" : "NORMAL")")
            self.isSynced = isSynced
        }
        try run("BEGIN IMMEDIATE")
        do throws(StorageError) {
            try work()
            try run("COMMIT")
        } catch {
            try? run("ROLLBACK")
            throw error
        }
    }

    // MARK: Nodes

    /// Puts a node with its payload; its children stay as they are.
    func put(_ payload: [UInt8], of id: NodeID, _ kind: Kind, in session: SessionID)
        throws(StorageError)
    {
        try run(
            """
            INSERT INTO nodes VALUES (?, ?, ?, ?, NULL, ?)
            ON CONFLICT (id) DO UPDATE SET window_tag = excluded.window_tag,
                is_off_the_record = excluded.is_off_the_record, payload = excluded.payload
            """,
            [
                .blob(id.bytes), .text(session.description), .number(session.isIncognito),
                .number(kind.rawValue), .blob(payload),
            ])
    }

    func putChildren(_ children: [UInt8], of id: NodeID) throws(StorageError) {
        try run("UPDATE nodes SET children = ? WHERE id = ?", [.blob(children), .blob(id.bytes)])
    }

    func remove(_ id: NodeID) throws(StorageError) {
        try run("DELETE FROM nodes WHERE id = ?", [.blob(id.bytes)])
    }

    func removeOffTheRecord() throws(StorageError) {
        try run("DELETE FROM nodes WHERE is_off_the_record = 1")
    }

    /// Returns the payload of a node; `nil` if there is none.
    func payload(of id: NodeID) throws(StorageError) -> [UInt8]? {
        var payload: [UInt8]?
        try run("SELECT payload FROM nodes WHERE id = ?", [.blob(id.bytes)]) {
            payload = Self.bytes($0, 0)
        }
        return payload
    }

    func nodes(of session: SessionID) throws(StorageError) -> [NodeID: Node] {
        var nodes: [NodeID: Node] = [:]
        try run(
            """
            SELECT id, type, children, payload FROM nodes
            WHERE window_tag = ? AND is_off_the_record = ?
            """, [.text(session.description), .number(session.isIncognito)]
        ) { row in
            guard let id = NodeID(bytes: Self.bytes(row, 0)) else { return }
            nodes[id] = Node(
                kind: Kind(rawValue: sqlite3_column_int64(row, 1)), children: Self.bytes(row, 2),
                payload: Self.bytes(row, 3))
        }
        return nodes
    }

    func sessions() throws(StorageError) -> [SessionID] {
        var sessions: [SessionID] = []
        try run("SELECT DISTINCT window_tag FROM nodes") { row in
            let text = sqlite3_column_text(row, 0).map { String(cString: $0) } ?? ""
            if let session = SessionID(text) { sessions.append(session) }
        }
        return sessions.sorted()
    }

    // MARK: Statements

    private func run(
        _ sql: String, _ values: [Value] = [], _ visit: (OpaquePointer) -> Void = { _ in }
    ) throws(StorageError) {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (value, index) in zip(values, Int32(1)...) {
            switch value {
            case .blob(let bytes):
                bytes.withUnsafeBytes {
                    _ = sqlite3_bind_blob64(
                        statement, index, $0.baseAddress, UInt64($0.count), Self.copied)
                }
            case .text(let text): sqlite3_bind_text(statement, index, text, -1, Self.copied)
            case .number(let number): sqlite3_bind_int64(statement, index, number)
            }
        }
        var code = sqlite3_step(statement)
        while code == SQLITE_ROW {
            visit(statement)
            code = sqlite3_step(statement)
        }
        guard code == SQLITE_DONE else {
            throw StorageError(
                code & 0xFF == SQLITE_FULL ? .outOfSpace : .failed, "SQLite error \(code)")
        }
    }

    private func prepared(_ sql: String) throws(StorageError) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(
            handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else {
            throw StorageError(.failed, "SQLite error \(code) in: \(sql)")
        }
        statements[sql] = statement
        return statement
    }

    /// Makes SQLite copy what is bound.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private static func bytes(_ row: OpaquePointer, _ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(row, column) else { return [] }
        return [UInt8](
            UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(row, column))))
    }
}

extension SessionID {
    fileprivate var isIncognito: Int64 { partition == .incognito ? 1 : 0 }
}
