internal import BrowserSessions
internal import StorageEngines

/// A connection with its prepared statements.
final class SQLiteSession {
    // Before the connection, because statements are finalized before it is closed.
    private let metadata: SQLiteTable
    private let state: SQLiteTable
    private let beginning: SQLiteStatement
    private let committing: SQLiteStatement
    let database: SQLiteDatabase
    /// The number of the last batch that put metadata.
    private(set) var batch: Int64

    init(_ database: consuming SQLiteDatabase) throws(StorageError) {
        let metadata = try SQLiteTable("metadata", in: database, hasBatch: true)
        let state = try SQLiteTable("state", in: database, hasBatch: false)
        let beginning = try database.prepare("BEGIN IMMEDIATE")
        let committing = try database.prepare("COMMIT")
        self.metadata = metadata
        self.state = state
        self.beginning = beginning
        self.committing = committing
        batch = try database.integer("SELECT max(batch) FROM metadata") / 2
        self.database = database
    }

    func withTable<Result>(
        _ space: KeySpace, _ body: (borrowing SQLiteTable) throws -> Result
    ) rethrows -> Result {
        switch space {
        case .metadata: try body(metadata)
        case .state: try body(state)
        }
    }

    func begin() throws(StorageError) { try beginning.run("begin") }

    func commit() throws(StorageError) { try committing.run("commit") }

    /// Does the operations of a batch, of which metadata come first: their pages then lie
    /// together, which makes cold reading four times faster.
    func apply(_ operations: [ByteBatch.Operation], afterDurable: Bool) throws {
        let mark = 2 * (batch + 1) + (afterDurable ? 1 : 0)
        for case .put(.metadata, let key, let value) in operations {
            try metadata.put(value, for: key, mark)
        }
        for case .remove(.metadata, let key) in operations { try metadata.remove(key) }
        for operation in operations {
            switch operation {
            case .put(.state, let key, let value): try state.put(value, for: key, nil)
            case .remove(.state, let key): try state.remove(key)
            case .put(.metadata, _, _), .remove(.metadata, _): continue
            }
        }
    }

    /// Counts a batch that was committed.
    func count(_ operations: [ByteBatch.Operation]) {
        for case .put(.metadata, _, _) in operations {
            batch += 1
            return
        }
    }
}

/// The statements of one table.
struct SQLiteTable: ~Copyable {
    private let getting: SQLiteStatement
    private let scanning: SQLiteStatement
    private let putting: SQLiteStatement
    private let removing: SQLiteStatement

    init(_ name: String, in database: borrowing SQLiteDatabase, hasBatch: Bool)
        throws(StorageError)
    {
        let getting = try database.prepare("SELECT value FROM \(name) WHERE key = ?1")
        let scanning = try database.prepare(
            "SELECT key, value FROM \(name) WHERE key >= ?1 ORDER BY key")
        let putting = try database.prepare(
            """
            INSERT INTO \(name)(key, value\(hasBatch ? ", batch" : ""))
            VALUES(?1, ?2\(hasBatch ? ", ?3" : "")) ON CONFLICT(key)
            DO UPDATE SET value = excluded.value\(hasBatch ? ", batch = excluded.batch" : "")
            """)
        let removing = try database.prepare("DELETE FROM \(name) WHERE key = ?1")
        self.getting = getting
        self.scanning = scanning
        self.putting = putting
        self.removing = removing
    }

    borrowing func value(of key: [UInt8]) throws -> [UInt8]? {
        try key.withUnsafeBytes { bytes in
            defer { getting.reset() }
            try getting.bind(bytes, at: 1)
            guard try getting.step("read") else { return nil }
            return try [UInt8](getting.blob(0))
        }
    }

    borrowing func scan(
        _ prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try prefix.withUnsafeBytes { bytes in
            defer { scanning.reset() }
            try scanning.bind(bytes, at: 1)
            while try scanning.step("read") {
                let key = try scanning.blob(0)
                guard key.starts(with: bytes) else { return }
                try visit(key, scanning.blob(1))
            }
        }
    }

    borrowing func put(_ value: [UInt8], for key: [UInt8], _ batch: Int64?) throws {
        try key.withUnsafeBytes { key in
            try value.withUnsafeBytes { value in
                try putting.bind(key, at: 1)
                try putting.bind(value, at: 2)
                if let batch { try putting.bind(batch, at: 3) }
                try putting.run("save")
            }
        }
    }

    borrowing func remove(_ key: [UInt8]) throws {
        try key.withUnsafeBytes { key in
            try removing.bind(key, at: 1)
            try removing.run("remove")
        }
    }
}
