internal import BrowserSessions
internal import StorageEngines

/// Reads what can be read of a damaged database, file by file and without LevelDB, because
/// LevelDB's own repair brings removed records back.
struct LevelDBSalvage {
    /// `nil` if it is missing.
    private let directory: (any FileDirectory)?
    private var tables: [String] = []
    private var logs: [String] = []
    private var notes: [String] = []

    init(_ store: any FileDirectory) throws {
        guard try store.has(LevelDBFormat.directoryName) else {
            directory = nil
            notes.append("the database is missing")
            return
        }
        let directory = try store.directory(LevelDBFormat.directoryName)
        self.directory = directory
        let all = try directory.names()
        tables = all.filter { $0.hasSuffix(".ldb") || $0.hasSuffix(".sst") }
        logs = all.filter { $0.hasSuffix(".log") }
        do {
            let manifest = try LevelDBManifest(of: directory)
            let names = LevelDBFileNames(all)
            try LevelDBInspection.checkFiles(of: manifest, names, in: directory)
            tables = manifest.tables.values.map(\.name).sorted()
            logs = names.logs(from: manifest.firstLog).map { LevelDBFormat.fileName($0, ".log") }
        } catch {
            guard error.code == .corrupted else { throw error }
            notes.append("\(error.message), so removed records may be among those that were read")
        }
    }

    mutating func run(_ visit: RecordVisitor) throws -> [String] {
        // The sequence number of the latest removal of a key.
        var removals: [[UInt8]: UInt64] = [:]
        // Tables hold the versions of a key in another order than that of writing.
        var metadata: [LevelDBTable.Entry] = []
        let damaged = try visitEntries { entry in
            if entry.value == nil {
                let key = [UInt8](entry.key)
                removals[key] = max(removals[key] ?? 0, entry.sequence)
            } else if entry.key.first == KeySpace.metadata.rawValue {
                // Copied, so that the state in the same file is not kept.
                metadata.append(
                    .init(
                        key: Array(entry.key)[...], sequence: entry.sequence,
                        value: entry.value.map { Array($0)[...] }))
            }
        }
        func visitPut(_ entry: LevelDBTable.Entry, _ space: KeySpace) throws {
            guard let value = entry.value, entry.sequence > removals[[UInt8](entry.key)] ?? 0
            else { return }
            try entry.key.dropFirst().withUnsafeBytes { key in
                try value.withUnsafeBytes { value in try visit(space, key, value) }
            }
        }
        metadata.sort { $0.sequence < $1.sequence }
        for entry in metadata { try visitPut(entry, .metadata) }
        metadata = []
        _ = try visitEntries { entry in
            if entry.key.first == KeySpace.state.rawValue { try visitPut(entry, .state) }
        }
        if damaged > 0 { notes.append("\(damaged) parts of files could not be read") }
        return notes
    }

    /// Visits the entries of all files. Returns how many parts of files are damaged.
    private func visitEntries(_ body: (LevelDBTable.Entry) throws -> Void) throws -> Int {
        var damaged = 0
        guard let directory else { return 0 }
        for name in tables {
            guard let bytes = try read(name, in: directory) else {
                damaged += 1
                continue
            }
            damaged += try LevelDBTable(bytes).visit(body)
        }
        for name in logs {
            guard let bytes = try read(name, in: directory) else {
                damaged += 1
                continue
            }
            let log = LevelDBLog(bytes)
            for item in log.items {
                if case .record(_, let bytes) = item, let batch = LevelDBBatchRecord(bytes) {
                    try visit(batch, body)
                } else {
                    damaged += 1
                }
            }
            // One damaged byte need not cost a whole batch: each of its values has a checksum.
            for batch in log.doubtful.compactMap(LevelDBBatchRecord.init) { try visit(batch, body) }
        }
        return damaged
    }

    /// Returns `nil` if the file claims more than was ever written.
    private func read(_ name: String, in directory: any FileDirectory) throws -> [UInt8]? {
        do throws(StorageError) {
            return try directory.readDatabaseFile(name)
        } catch {
            guard error.code == .corrupted else { throw error }
            return nil
        }
    }

    private func visit(
        _ batch: LevelDBBatchRecord, _ body: (LevelDBTable.Entry) throws -> Void
    ) throws {
        for (index, operation) in batch.operations.enumerated() {
            let sequence = batch.sequence &+ UInt64(index)
            try body(.init(key: operation.key, sequence: sequence, value: operation.value))
        }
    }
}
