internal import BrowserSessions
internal import StorageEngines

/// Examines the files before LevelDB does, because LevelDB takes a lost log or the lost end of a
/// manifest for an earlier state, and changes files by opening them.
///
/// It also distinguishes damage from writes that a power cut left unfinished. If a log has a gap,
/// or lacks sequence numbers, and a later batch is marked (see ``LevelDBFormat``), a durable write
/// was lost: that is damage. Otherwise the gap is followed only by writes that were never promised.
/// All of them are cut off, so that no later write survives without the earlier ones.
///
/// It must not run on files of an open store. The adapter's own lock prevents that.
struct LevelDBInspection {
    private(set) var notes: [String] = []
    /// The sequence number of the last operation.
    private(set) var lastSequence: StoredNumber
    private let directory: any FileDirectory
    /// The valid batches of each log.
    private(set) var logs: [(name: String, batches: [LevelDBBatchRecord])] = []
    private let tables: [LevelDBManifest.Table]
    private let tableSequence: StoredNumber
    /// Files to cut, in the order that leaves the same gap if only some are cut.
    private var cuts: [(name: String, size: Int)] = []
    /// What only a power cut leaves like this.
    private var unfinished: String?

    /// Returns whether there is no database in a store's directory.
    static func isUnused(_ directory: any FileDirectory) throws(StorageError) -> Bool {
        try !directory.has(LevelDBFormat.directoryName)
    }

    init(of directory: any FileDirectory) throws(StorageError) {
        self.directory = directory
        let manifest = try LevelDBManifest(of: directory)
        lastSequence = manifest.lastSequence
        let names = try LevelDBFileNames(directory.names())
        try names.requireSound()
        try Self.checkFiles(of: manifest, names, in: directory)
        (tables, tableSequence) = (Array(manifest.tables.values), manifest.lastSequence)
        if manifest.absentLog(names) != nil { unfinished = "its log is missing" }
        let logs = names.logs(from: manifest.firstLog)
        try readLogs(logs.map { LevelDBFormat.fileName($0, ".log") })
        // Everything that its end could name exists without it: what an edit replaces is removed
        // only later.
        let size = try directory.status(of: manifest.name)?.size ?? 0
        if manifest.size < size { cuts.append((manifest.name, manifest.size)) }
    }

    /// Throws if a file that the manifest lists is missing or has another size.
    static func checkFiles(
        of manifest: LevelDBManifest, _ names: LevelDBFileNames, in directory: any FileDirectory
    ) throws(StorageError) {
        for table in manifest.tables.values {
            guard let status = try directory.status(of: table.name) else {
                throw LevelDBErrors.corrupted("\(table.name) is missing")
            }
            guard status.size == table.size.index else {
                throw LevelDBErrors.corrupted(
                    "\(table.name) has \(status.size) bytes, not \(table.size)")
            }
        }
        guard let log = manifest.absentLog(names), !names.mayLack(log) else { return }
        throw LevelDBErrors.corrupted("\(LevelDBFormat.fileName(log, ".log")) is missing")
    }

    /// Finds the first gap in the logs, in their order, and what follows it.
    private mutating func readLogs(_ names: [String]) throws(StorageError) {
        var expected: StoredNumber?
        var gap: (index: Int, offset: Int)?
        var sizes: [(file: Int, written: Int)] = []
        for (index, name) in names.enumerated() {
            let bytes = try directory.readDatabaseFile(name)
            sizes.append((try directory.status(of: name)?.size ?? bytes.count, bytes.count))
            logs.append((name, []))
            for item in LevelDBLog(bytes).items {
                let offset = item.offset
                guard case .record(_, let payload) = item else {
                    if gap != nil, item.isMarkedBeginning { throw Self.lostWrites(before: name) }
                    gap = gap ?? (index, offset)
                    continue
                }
                guard let batch = LevelDBBatchRecord(payload), let next = batch.next else {
                    throw LevelDBErrors.corrupted("\(name): what was written is no batch")
                }
                // The manifest may know a later sequence number than the first one of the log.
                let follows = expected.map { $0.value == batch.sequence }
                if !(follows ?? (batch.sequence <= lastSequence.value + 1)) {
                    gap = gap ?? (index, offset)
                }
                if gap == nil {
                    expected = next
                    logs[index].batches.append(batch)
                } else if batch.isMarked {
                    throw Self.lostWrites(before: name)
                }
            }
        }
        if let last = expected?.adding(-1) { lastSequence = max(lastSequence, last) }
        if let gap { planCuts(names, sizes, gap) }
    }

    private static func lostWrites(before name: String) -> StorageError {
        LevelDBErrors.corrupted("\(name): durable writes before it are lost")
    }

    private mutating func planCuts(
        _ names: [String], _ sizes: [(file: Int, written: Int)], _ gap: (index: Int, offset: Int)
    ) {
        for index in names.indices.reversed() where index >= gap.index {
            let size = index == gap.index ? gap.offset : 0
            if size < sizes[index].file { cuts.append((names[index], size)) }
        }
        let dropped = sizes[gap.index...].reduce(-gap.offset) { $0 + $1.written }
        unfinished = "the end of \(names[gap.index]) is damaged"
        notes.append("left out \(dropped) bytes of writes that were not durable when it ended")
    }

    /// Throws if a table has content that would stop LevelDB.
    func checkTables() throws(StorageError) {
        let checked = LevelDBCheckedTables(in: directory)
        try checked.check(tables, upTo: tableSequence)
        checked.note(tables)
    }

    /// Throws if writes are unfinished, which is damage in a closed database.
    func requireNoUnfinishedWrites() throws(StorageError) {
        guard let unfinished else { return }
        throw LevelDBErrors.corrupted("the database was closed, and \(unfinished)")
    }

    /// Removes what follows the first gap. It can be repeated after an interruption.
    func cutUnfinishedWrites() throws(StorageError) {
        for cut in cuts {
            let file = try directory.open(cut.name, mode: .overwrite)
            try file.truncate(to: cut.size)
            try file.syncData()
        }
    }
}

extension LevelDBLog.Item {
    /// Whether only the beginning of a marked batch exists.
    fileprivate var isMarkedBeginning: Bool {
        guard case .gap(_, let beginning?) = self else { return false }
        return LevelDBBatchRecord.isMarked(beginning)
    }
}
