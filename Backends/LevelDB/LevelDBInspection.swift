internal import BrowserSessions
internal import StorageEngines

/// Looks at the files before LevelDB does, because LevelDB takes a lost log or the lost end of a
/// manifest for a state of the past, and changes files by opening them.
///
/// It also tells damage from writes that a power cut left unfinished. Where a log has a gap, or
/// lacks sequence numbers, and a later batch is marked (see ``LevelDBFormat``), a durable write was
/// lost: that is damage. Otherwise only writes that nobody was promised are behind the gap. They
/// are cut off, all of them, so that no later write survives without the earlier ones.
///
/// It must not run on files of a store that is open. The adapter's own lock sees to that.
struct LevelDBInspection {
    private(set) var notes: [String] = []
    /// The sequence number of the last operation.
    private(set) var lastSequence: UInt64
    private let directory: any FileDirectory
    /// The batches that count of each log.
    private(set) var logs: [(name: String, batches: [LevelDBBatchRecord])] = []
    /// Files to cut, in the order that leaves the same gap if only some are cut.
    private var cuts: [(name: String, size: Int)] = []

    /// Whether there is no database in a store's directory.
    static func isUnused(_ directory: any FileDirectory) throws(StorageError) -> Bool {
        try !directory.has(LevelDBFormat.directoryName)
    }

    init(of directory: any FileDirectory) throws(StorageError) {
        self.directory = directory
        let manifest = try LevelDBManifest(of: directory)
        lastSequence = manifest.lastSequence
        let names = try directory.names()
        try Self.checkFiles(of: manifest, names, in: directory)
        let logs = names.compactMap { LevelDBFormat.number(of: $0, ".log") }
            .filter { $0 >= manifest.firstLog }
        try readLogs(logs.sorted().map { LevelDBFormat.fileName($0, ".log") })
        let size = try directory.status(of: manifest.name)?.size ?? 0
        if manifest.size < size { cuts.append((manifest.name, manifest.size)) }
    }

    /// Throws if a file that the manifest lists is missing or has another size.
    static func checkFiles(
        of manifest: LevelDBManifest, _ names: [String], in directory: any FileDirectory
    ) throws(StorageError) {
        for (number, size) in manifest.tables {
            let name = LevelDBFormat.fileName(number, ".ldb")
            guard let status = try directory.status(of: name) else {
                throw LevelDBErrors.corrupted("\(name) is missing")
            }
            guard UInt64(status.size) == size else {
                throw LevelDBErrors.corrupted("\(name) has \(status.size) bytes, not \(size)")
            }
        }
        let log = LevelDBFormat.fileName(manifest.firstLog, ".log")
        guard manifest.firstLog == 0 || names.contains(log) else {
            throw LevelDBErrors.corrupted("\(log) is missing")
        }
    }

    /// Finds the first gap in the logs, in their order, and what is behind it.
    private mutating func readLogs(_ names: [String]) throws(StorageError) {
        var expected: UInt64?
        var gap: (index: Int, offset: Int)?
        var sizes: [Int] = []
        for (index, name) in names.enumerated() {
            let bytes = try directory.readDatabaseFile(name)
            sizes.append(try directory.status(of: name)?.size ?? bytes.count)
            logs.append((name, []))
            for item in LevelDBLog(bytes).items {
                guard case .record(let offset, let payload) = item,
                    let batch = LevelDBBatchRecord(payload)
                else {
                    gap = gap ?? (index, item.offset)
                    continue
                }
                // The manifest may know a later sequence number than the log begins with.
                let follows = expected.map { $0 == batch.sequence }
                if !(follows ?? (batch.sequence <= lastSequence + 1)) {
                    gap = gap ?? (index, offset)
                }
                if gap == nil {
                    expected = batch.next
                    logs[index].batches.append(batch)
                } else if batch.isMarked {
                    throw LevelDBErrors.corrupted("\(name): durable writes before it are lost")
                }
            }
        }
        if let expected, expected > 0 { lastSequence = max(lastSequence, expected - 1) }
        if let gap { planCuts(names, sizes, gap) }
    }

    private mutating func planCuts(
        _ names: [String], _ sizes: [Int], _ gap: (index: Int, offset: Int)
    ) {
        for index in names.indices.reversed() where index >= gap.index {
            let size = index == gap.index ? gap.offset : 0
            if size < sizes[index] { cuts.append((names[index], size)) }
        }
        let dropped = sizes[gap.index...].reduce(-gap.offset, +)
        notes.append("left out \(dropped) bytes of writes that were not durable when it ended")
    }

    /// Throws if something would be cut off: in a database that was closed, it is damage.
    func requireNoUnfinishedWrites() throws(StorageError) {
        guard let cut = cuts.first else { return }
        throw LevelDBErrors.corrupted("\(cut.name): the end of a closed log is damaged")
    }

    /// Removes what is behind the first gap. Interrupted, it can be done again.
    func cutUnfinishedWrites() throws(StorageError) {
        for cut in cuts {
            let file = try directory.open(cut.name, .overwrite)
            try file.truncate(to: cut.size)
            try file.syncData()
        }
    }
}
