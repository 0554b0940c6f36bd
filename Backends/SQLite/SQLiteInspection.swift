internal import BrowserSessions
internal import StorageEngines

/// Examines the files before SQLite does, because SQLite takes some damage for an empty database
/// and changes files by opening them.
///
/// Closing any descriptor of a file drops the locks that this process has on it, so this must not
/// run on files of an open store. The adapter's own lock prevents that.
enum SQLiteInspection {
    /// Returns whether the directory has nothing of this engine, apart from an unfinished draft.
    static func isUnused(_ directory: any FileDirectory) throws(StorageError) -> Bool {
        let name = SQLiteFormat.fileName
        let names = try directory.names()
        if names.contains(name) { return false }
        let draft = name + ".new"
        guard let rest = names.first(where: { $0.hasPrefix(name) && !$0.hasPrefix(draft) }) else {
            return true
        }
        throw SQLiteErrors.corrupted("the file is missing, but \(rest) is there")
    }

    /// The findings in sound files.
    struct Findings {
        /// For the report.
        var notes: [String] = []
        /// The size of the log, and then how much of it SQLite uses, in bytes.
        var logSize = 0
        var committedLogSize = 0
        /// Whether the log has frames of writes that had not ended.
        var hasUnfinishedWrites = false
        /// The amount of data in the files, in bytes.
        var storedBytes = 0
        var hasLog = false
    }

    /// Checks the database's header and its log.
    static func inspect(_ directory: any FileDirectory) throws -> Findings {
        if try directory.has(SQLiteFormat.journalName) {
            throw SQLiteErrors.corrupted("a journal is there that was not written with it")
        }
        let file = try directory.open(SQLiteFormat.fileName, mode: .read)
        guard try directory.has(SQLiteFormat.logName) else {
            try checkHeader(of: file)
            return Findings(storedBytes: try file.writtenBytes())
        }
        let logFile = try directory.open(SQLiteFormat.logName, mode: .read)
        let log = try SQLiteLog(logFile, of: file)
        if let loss = log.loss { throw SQLiteErrors.corrupted(loss) }
        // A cut while the log is copied into the database leaves anything there; the log has it.
        // But SQLite discards the log of an empty database.
        if let frame = log.frames[..<log.committedCount].last(where: { $0.page == 1 }),
            try file.size() > 0
        {
            try checkHeader(try logFile.read(SQLiteFormat.pageSize, at: frame.offset))
        } else {
            try checkHeader(of: file)
        }
        if log.isDisplaced {
            throw SQLiteErrors.corrupted("a part of the log is not where it was written")
        }
        if try losesDurableCommits(log, logFile, file) {
            throw SQLiteErrors.corrupted("durable commits are behind a break in the log")
        }
        let count = log.frames.count - log.committedCount
        let note = "left out \(count) pages of writes that had not ended"
        var notes = count == 0 ? [] : [note]
        let size = try logFile.size()
        if log.frames.isEmpty, size > SQLiteLog.headerSize {
            notes.append("left out \(size) bytes of a log in which no write is whole")
        }
        return Findings(
            notes: notes, logSize: size, committedLogSize: SQLiteLog.size(of: log.committedCount),
            hasUnfinishedWrites: count > 0,
            storedBytes: try file.writtenBytes() + logFile.writtenBytes(), hasLog: true)
    }

    // MARK: The header

    /// The bytes at certain offsets in the header of each of our databases.
    private static let constants: [(place: Int, bytes: [UInt8])] = [
        (0, [UInt8]("SQLite format 3\0".utf8)),
        (16, [0x10, 0]),  // page size
        (18, [2, 2]),  // a write-ahead log
        (20, [0, 64, 32, 32]),  // nothing reserved; constants
        (44, [0, 0, 0, 4]),  // the format of the schema
        (52, [0, 0, 0, 0]),  // no pages that lead back
        (56, [0, 0, 0, 1]),  // UTF-8
    ]

    private static func checkHeader(of file: any OpenFile) throws {
        try checkHeader(try file.read(8 * SQLiteFormat.pageSize, at: 0))
    }

    private static func checkHeader(_ start: [UInt8]) throws {
        for (place, bytes) in constants where !start.dropFirst(place).starts(with: bytes) {
            throw SQLiteErrors.corrupted("the header is damaged")
        }
        do {
            guard number(start, at: 68) == SQLiteFormat.applicationID else {
                throw SQLiteErrors.incompatible("made by another application")
            }
            try check(version: number(start, at: 60))
        } catch  where String(decoding: start, as: UTF8.self).contains(SQLiteFormat.signature) {
            throw SQLiteErrors.corrupted("the header is damaged")
        }
        guard SQLiteSchema.isWhole(inFirstPage: [UInt8](start.prefix(SQLiteFormat.pageSize)))
        else { throw SQLiteErrors.otherSchema }
    }

    static func check(version: Int) throws(StorageError) {
        if version == SQLiteFormat.version { return }
        throw SQLiteErrors.incompatible(
            "format \(version), but this version of the package knows \(SQLiteFormat.version)")
    }

    private static func number(_ bytes: [UInt8], at place: Int) -> Int {
        bytes.dropFirst(place).prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }

    // MARK: The log

    /// Returns whether SQLite would leave out a durable commit. A break alone does not show that:
    /// unsynced commits at a power cut leave one too. The first batch after the break shows it if
    /// it had to be durable before another one began, and a later one if everything before it was
    /// durable.
    private static func losesDurableCommits(
        _ log: SQLiteLog, _ logFile: any OpenFile, _ file: any OpenFile
    ) throws(StorageError) -> Bool {
        if log.frames.count == log.committedCount { return false }
        let (commits, stranded) = (log.strandedCommits, log.stranded)
        var later: [SQLiteRecords.Batch] = []
        for offset in stranded.map(\.offset) + [log.nextImage].compactMap(\.self) {
            later += try batches(logFile, offset).filter(\.isAfterDurable)
        }
        if commits.isEmpty, later.isEmpty { return false }
        let last = try lastBatch(of: log, logFile, file)
        // A damaged page may show it: nothing older has its number.
        for frame in commits {
            for batch in try batches(logFile, frame.offset)
            where batch.isDurable && batch.number == last + 1 {
                return true
            }
        }
        return later.contains { $0.number > last + 1 }
    }

    /// Returns the number of the last batch that SQLite uses.
    private static func lastBatch(
        of log: SQLiteLog, _ logFile: any OpenFile, _ file: any OpenFile
    ) throws(StorageError) -> UInt64 {
        var last: UInt64 = 0
        for frame in log.frames[..<log.committedCount] {
            last = max(last, try batches(logFile, frame.offset).map(\.number).max() ?? 0)
        }
        if last > 0 { return last }
        var place = 0
        while let offset = try file.nextWritten(from: place) {
            let start = offset / SQLiteFormat.pageSize * SQLiteFormat.pageSize
            last = max(last, try batches(file, start).map(\.number).max() ?? 0)
            place = start + SQLiteFormat.pageSize
        }
        return last
    }

    /// Returns the batches that put the records of a metadata page.
    private static func batches(
        _ file: any OpenFile, _ offset: Int
    ) throws(StorageError) -> [SQLiteRecords.Batch] {
        let page = SQLiteRecords(page: try file.read(SQLiteFormat.pageSize, at: offset))
        return page.cells(isFirstPage: false, limit: .max).compactMap {
            SQLiteRecords.batch(of: $0)
        }
    }
}
