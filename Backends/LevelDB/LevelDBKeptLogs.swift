internal import BrowserSessions
internal import StorageEngines

/// Second names for the logs of a database while LevelDB opens it.
///
/// LevelDB finds its logs by listing the directory, and takes an error for the end of the list. It
/// then continues without them, and removes them. So after opening, this type searches for what
/// LevelDB should have read, and writes what is missing again. The second names are removed,
/// durably, before anything else is written: a log that a kill during opening left is always the
/// latest.
struct LevelDBKeptLogs {
    static let suffix = ".kept"

    private let files: any FileDirectory
    /// Their batches, by the names of the logs, in order.
    private var logs: [(name: String, batches: [LevelDBBatchRecord])]

    /// Keeps the logs that LevelDB will read.
    init(_ logs: [(name: String, batches: [LevelDBBatchRecord])], in files: any FileDirectory)
        throws(StorageError)
    {
        self.files = files
        self.logs = logs
        let names = try files.names()
        for name in names where name.hasSuffix(Self.suffix) {
            let log = String(name.dropLast(Self.suffix.count))
            if names.contains(log) {
                try files.removeEntry(name)
            } else {
                try addLeft(name, log)
            }
        }
        for log in logs where !log.batches.isEmpty {
            do throws(StorageError) {
                try files.link(log.name, as: log.name + Self.suffix)
            } catch {
                // Without second names LevelDB is trusted.
                guard error.code == .unsupported else { throw error }
                return
            }
        }
    }

    /// Adds a log that a killed opening left: LevelDB has read it then, or should have. LevelDB has
    /// read what its manifest counts. A power cut may have taken the end of that, so that the rest
    /// of the log is older than the tables.
    private mutating func addLeft(_ name: String, _ log: String) throws(StorageError) {
        var batches: [LevelDBBatchRecord] = []
        for item in LevelDBLog(try files.readDatabaseFile(name)).items {
            guard case .record(_, let bytes) = item, let batch = LevelDBBatchRecord(bytes),
                batch.next != nil
            else { break }
            batches.append(batch)
        }
        let known = try LevelDBManifest(of: files).lastSequence
        guard let next = batches.last?.next, next.value > known.value + 1 else {
            return try files.removeEntry(name)
        }
        logs.insert((log, batches), at: 0)
    }

    /// Writes again what LevelDB has not read: everything or, after a kill, nothing. Returns
    /// whether anything was missing.
    func restore(into database: borrowing LevelDBDatabase) throws(StorageError) -> Bool {
        guard let first = try firstMissing(in: database) else { return false }
        var batch = LevelDBBatch()
        for operation in logs[first...].lazy.flatMap(\.batches).flatMap(\.operations) {
            operation.key.withUnsafeBytes { key in
                if let value = operation.value {
                    batch.put([UInt8](value), for: key)
                } else {
                    batch.remove(key)
                }
            }
        }
        try database.write(batch, durably: true)
        return true
    }

    /// Returns the first log that was not read: its last operation that no later log undoes is
    /// missing.
    private func firstMissing(in database: borrowing LevelDBDatabase) throws(StorageError) -> Int? {
        var later: Set<[UInt8]> = []
        var missing: Int?
        for (index, log) in logs.enumerated().reversed() {
            let operations = log.batches.reversed().lazy.flatMap { $0.operations.reversed() }
            let last = operations.first { !later.contains([UInt8]($0.key)) }
            if let last, let space = last.key.first.flatMap(KeySpace.init) {
                let value = try LevelDBFormat.withKey([UInt8](last.key.dropFirst()), in: space) {
                    key throws(StorageError) in try database.value(of: key)
                }
                if value != last.value.map({ [UInt8]($0) }) { missing = index }
            }
            if index > 0 { later.formUnion(operations.map { [UInt8]($0.key) }) }
        }
        return missing
    }

    /// Removes the second names. That is durable when the directory is synced.
    func release() throws(StorageError) {
        for (name, _) in logs { try files.removeEntry(name + Self.suffix) }
    }
}
