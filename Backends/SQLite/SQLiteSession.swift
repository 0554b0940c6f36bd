internal import BrowserSessions

/// A connection with its prepared statements.
final class SQLiteSession {
    // Before the connection, because statements are finalized before it is closed.
    private let metadata: SQLiteTable
    private let state: SQLiteTable
    private let beginning: SQLiteStatement
    private let committing: SQLiteStatement
    let database: SQLiteDatabase

    init(_ database: consuming SQLiteDatabase) throws(StorageError) {
        let metadata = try SQLiteTable("metadata", in: database)
        let state = try SQLiteTable("state", in: database)
        let beginning = try database.prepare("BEGIN IMMEDIATE")
        let committing = try database.prepare("COMMIT")
        self.metadata = metadata
        self.state = state
        self.beginning = beginning
        self.committing = committing
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
}

/// The statements of one table.
struct SQLiteTable: ~Copyable {
    private let getting: SQLiteStatement
    private let scanning: SQLiteStatement
    private let putting: SQLiteStatement
    private let removing: SQLiteStatement

    init(_ name: String, in database: borrowing SQLiteDatabase) throws(StorageError) {
        let getting = try database.prepare("SELECT value FROM \(name) WHERE key = ?1")
        let scanning = try database.prepare(
            "SELECT key, value FROM \(name) WHERE key >= ?1 ORDER BY key")
        let putting = try database.prepare(
            """
            INSERT INTO \(name)(key, value) VALUES(?1, ?2)
            ON CONFLICT(key) DO UPDATE SET value = excluded.value
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

    /// Does the operation if it is in the table's space.
    borrowing func apply(_ operation: ByteBatch.Operation, in space: KeySpace) throws {
        switch operation {
        case .put(space, let key, let value):
            try key.withUnsafeBytes { key in
                try value.withUnsafeBytes { value in
                    try putting.bind(key, at: 1)
                    try putting.bind(value, at: 2)
                    try putting.run("save")
                }
            }
        case .remove(space, let key):
            try key.withUnsafeBytes { key in
                try removing.bind(key, at: 1)
                try removing.run("remove")
            }
        case .put, .remove: return
        }
    }
}
