internal import BrowserSessions
internal import StorageEngines

/// A connection with its prepared statements.
final class SQLiteSession {
    // Before the connection, because statements are finalized before it is closed.
    private let metadata: SQLiteTable
    private let state: SQLiteTable
    private let replacing: SQLiteStatement
    private let beginning: SQLiteStatement
    private let committing: SQLiteStatement
    let database: SQLiteDatabase
    /// The mark of the last batch that put metadata.
    private var mark: StoredNumber
    /// The most bytes that all rows together can have.
    private(set) var capacity: Int

    /// - Parameter storedBytes: the amount of data in the files.
    init(_ database: consuming SQLiteDatabase, storedBytes: Int) throws(StorageError) {
        database.limitRows(to: storedBytes + Self.slack)
        let metadata = try SQLiteTable("metadata", in: database, hasBatch: true)
        let state = try SQLiteTable("state", in: database, hasBatch: false)
        // A row that has the new key already makes way.
        let replacing = try database.prepare(
            "UPDATE OR REPLACE state SET key = ?1, value = ?2 WHERE key = ?3")
        let beginning = try database.prepare("BEGIN IMMEDIATE")
        let committing = try database.prepare("COMMIT")
        self.metadata = metadata
        self.state = state
        self.replacing = replacing
        self.beginning = beginning
        self.committing = committing
        capacity = storedBytes
        database.limitSteps(to: Self.steps(for: storedBytes))
        // What is not one of our numbers is the largest or the smallest.
        let batches = try database.numbers("SELECT min(batch), max(batch) FROM metadata")
        database.limitSteps(to: nil)
        mark = batches.last ?? .zero
        self.database = database
    }

    /// How much less than its content a file may have, and what a statement needs in any case.
    private static let slack = 1 << 20

    /// Returns how many steps a statement may need for all rows: a row has at least eight bytes.
    private static func steps(for bytes: Int) -> Int { bytes + slack }

    /// Visits rows in their order.
    func scan(
        _ space: KeySpace, prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try withTable(space) { table in try table.scan(prefix, capacity + Self.slack, visit) }
    }

    /// Returns what SQLite finds wrong. First checks that each tree has an end, because SQLite's
    /// check descends as far as a tree reaches.
    func verify() throws(StorageError) -> [String] {
        database.limitSteps(to: 16 * Self.steps(for: capacity))
        defer { database.limitSteps(to: nil) }
        for tree in ["metadata", "state", "state NOT INDEXED"] {
            let column = tree == "state" ? "key" : "value"
            _ = try database.texts("SELECT sum(length(\(column))) FROM \(tree)")
        }
        return try database.texts("PRAGMA integrity_check(10)")
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

    /// Applies the operations of a batch, metadata first: their pages are then adjacent, which
    /// makes cold reading four times faster.
    func apply(
        _ operations: [ByteBatch.Operation], durably: Bool, afterDurable: Bool
    ) throws {
        let mark =
            Int64(try nextMark().value)
            | (durably ? SQLiteFormat.durable : 0) | (afterDurable ? SQLiteFormat.afterDurable : 0)
        expect(operations)
        for case .put(.metadata, let key, let value) in operations {
            try metadata.put(value, for: key, mark)
        }
        for case .remove(.metadata, let key) in operations { try metadata.remove(key) }
        try applyStates(operations)
    }

    /// A blob that is put right after the removal of another one takes its row: the other's pages would
    /// else be cleared, and more be written.
    private func applyStates(_ operations: [ByteBatch.Operation]) throws {
        var removed: [UInt8]?
        for operation in operations {
            switch operation {
            case .put(.state, let key, let value):
                let old = removed
                removed = nil
                if let old, try putState(value, for: key, replacing: old) { continue }
                try state.put(value, for: key, nil)
            case .remove(.state, let key):
                if let removed { try state.remove(removed) }
                removed = key
            case .put(.metadata, _, _), .remove(.metadata, _): continue
            }
        }
        if let removed { try state.remove(removed) }
    }

    /// Puts a blob into the row of another key. Returns `false`, and changes nothing, if there is no
    /// such row.
    private func putState(
        _ value: [UInt8], for key: [UInt8], replacing old: [UInt8]
    ) throws -> Bool {
        try key.withUnsafeBytes { key in
            try value.withUnsafeBytes { value in
                try old.withUnsafeBytes { old in
                    try replacing.bind(key, at: 1)
                    try replacing.bind(value, at: 2)
                    try replacing.bind(old, at: 3)
                    try replacing.run("save")
                    return replacing.changedRows > 0
                }
            }
        }
    }

    /// Raises the limits for rows of these sizes.
    private func expect(_ operations: [ByteBatch.Operation]) {
        for case .put(_, let key, let value) in operations {
            let (bytes, isTooMuch) = capacity.addingReportingOverflow(key.count + value.count)
            capacity = isTooMuch ? .max - 2 * Self.slack : bytes
        }
        database.limitRows(to: capacity + Self.slack)
    }

    /// Counts a batch that was committed.
    func count(_ operations: [ByteBatch.Operation]) throws(StorageError) {
        for case .put(.metadata, _, _) in operations {
            mark = try nextMark()
            return
        }
    }

    /// Returns the number of the next batch, without its marks.
    private func nextMark() throws(StorageError) -> StoredNumber {
        try (StoredNumber(mark.value | 3) ?? mark).next(of: "the last batch")
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

    /// The minimum size of a row beside key and value.
    private static let leastRow = 6

    borrowing func value(of key: [UInt8]) throws -> [UInt8]? {
        try key.withUnsafeBytes { bytes in
            defer { getting.reset() }
            try getting.bind(bytes, at: 1)
            guard try getting.step("read") else { return nil }
            return try [UInt8](getting.blob(0))
        }
    }

    /// - Parameter limit: the most bytes there can be. A damaged tree can lead to one page often.
    borrowing func scan(
        _ prefix: [UInt8], _ limit: Int,
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try prefix.withUnsafeBytes { bytes in
            defer { scanning.reset() }
            try scanning.bind(bytes, at: 1)
            var rest = limit
            while try scanning.step("read") {
                let key = try scanning.blob(0)
                guard key.starts(with: bytes) else { return }
                let value = try scanning.blob(1)
                rest -= Self.leastRow + key.count + value.count
                guard rest >= 0 else { throw SQLiteErrors.endless }
                try visit(key, value)
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
