import BrowserSessions
import StorageEngines

/// The state that results from reading the files of a store.
struct Replay {
    let directory: any FileDirectory
    var metadata = SortedTable()
    var blobs: [[UInt8]: BlobLocation] = [:]
    /// The bytes of live blobs by the number of their log.
    private(set) var liveBytes: [Int: Int] = [:]
    /// The bytes of all live blobs.
    private(set) var allLiveBytes = 0
    /// The numbers of the existing files, ascending.
    private(set) var logs: [Int] = []
    private(set) var snapshots: [Int] = []
    /// The bytes of the newest snapshot; those of the logs read after it come next.
    private(set) var snapshotBytes = 0
    private(set) var logBytes = 0
    /// The bytes of live blobs in the logs after the snapshot.
    private(set) var liveBytesOnTop = 0
    /// The logs after the snapshot.
    private(set) var readLogs: [Int] = []
    private(set) var notes: [String] = []
    /// How many bytes of the newest log are certainly durable.
    private(set) var durableEnd = LogHeader.wholeFile
    /// The records of the newest log after that.
    private(set) var inherited: [LogRecord] = []
    /// Whether the newest log has bytes that do not count, and nothing says so yet.
    private(set) var hasDiscardedEnd = false
    /// Files that never got their names.
    private var unfinished: [String] = []

    init(_ directory: any FileDirectory) { self.directory = directory }

    enum Kind: String { case log, snapshot }

    static func name(_ number: Int, _ kind: Kind) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits + "."
            + kind.rawValue
    }

    /// Returns what a file is by its name, finished or not; `nil` if it is not a store's.
    static func number(of name: String) -> (Int, Kind)? {
        let finished = name.hasSuffix(".new") ? String(name.dropLast(4)) : name
        let parts = finished.split(separator: ".")
        guard parts.count == 2, let number = StoredNumber(decimal: parts[0]), number > .zero,
            let kind = Kind(rawValue: String(parts[1])), Self.name(number.index, kind) == finished
        else { return nil }
        return (number.index, kind)
    }

    /// The number of the newest log, or the one before the newest snapshot.
    var lastNumber: StoredNumber {
        StoredNumber(max(logs.last ?? 0, (snapshots.last ?? 1) - 1)) ?? .zero
    }

    /// The sizes of the logs that a snapshot covers and that are not appended to any more.
    private(set) var sealedLogs: [Int: Int] = [:]

    /// Opens a file for reading in pieces.
    func source(_ number: Int, _ kind: Kind) throws(StorageError) -> LogSource {
        try LogSource(directory.open(Self.name(number, kind), mode: .read))
    }

    mutating func findFiles() throws {
        for name in try directory.names() {
            guard let (number, kind) = Self.number(of: name) else { continue }
            if name != Self.name(number, kind) {
                unfinished.append(name)
            } else if kind == .log {
                logs.append(number)
            } else {
                snapshots.append(number)
            }
        }
        logs.sort()
        snapshots.sort()
    }

    /// Removes files that never got their names.
    mutating func sweep() throws {
        for name in unfinished { try directory.remove(name) }
        unfinished = []
    }

    /// Reads the newest snapshot and the logs after it. Throws ``StorageError/Code/corrupted`` for
    /// anything but an end that was not durable.
    ///
    /// - Parameter wasClosed: whether the store was closed cleanly, so that everything is durable.
    mutating func load(wasClosed: Bool) throws {
        try findFiles()
        let first: Int
        if let newest = snapshots.last {
            try loadSnapshot(newest)
            first = newest
        } else {
            first = 1
        }
        let later = logs.filter { $0 >= first }
        guard zip(later, first...).allSatisfy(==) else {
            throw damage("a log file is missing between \(Self.name(first, .log)) and the newest")
        }
        // No store counts that far. After a repair its files begin with number 1.
        guard StoredNumber(max(later.last ?? 0, first) + 1) != nil else {
            throw damage("there is no number behind that of its newest file")
        }
        for number in later {
            // The next log says how much of this one counts.
            var end: Int?
            if number != later.last {
                guard let next = try header(of: number + 1) else {
                    throw damage("the header of \(Self.name(number + 1, .log)) is damaged")
                }
                end = next.before
            }
            try loadLog(number, end: end, isLast: number == later.last, wasClosed: wasClosed)
        }
        noteSealedLogs(below: first)
        try requireOwnPlaces(among: later)
    }

    /// Each state has bytes of its own. If states shared them, few bytes could fill the memory.
    private func requireOwnPlaces(among logs: [Int]) throws {
        for (log, live) in liveBytes where live > 0 {
            let isRead = logs.first.map { log >= $0 && log < $0 + logs.count } ?? false
            let size = isRead ? try source(log, .log).size : sealedLogs[log]
            if let size, live > size {
                throw damage("\(live) bytes of states are said to lie in \(Self.name(log, .log))")
            }
        }
    }

    private mutating func loadSnapshot(_ number: Int) throws {
        let source = try source(number, .snapshot)
        guard try applySnapshot(source, number) else {
            throw damage("\(Self.name(number, .snapshot)) is damaged")
        }
        snapshotBytes = source.size
    }

    /// Returns `false` if the snapshot is not complete and sound; some of it was then applied.
    mutating func applySnapshot(_ source: LogSource, _ number: Int) throws(StorageError) -> Bool {
        guard var reader = try LogReader(source, number: number) else { return false }
        var count = 0
        var isComplete = false
        while let record = try reader.next() {
            var operations = OperationReader(record)
            while let operation = try? operations.next() {
                if case .end(let total) = operation {
                    isComplete = total == count
                } else {
                    // A snapshot holds no states.
                    if case .put(.state, _, _) = operation { return false }
                    apply(operation, record, log: number)
                    count += 1
                }
            }
        }
        return isComplete && reader.isAtEnd
    }

    /// Returns the header of an existing log; `nil` if it is damaged.
    func header(of number: Int) throws -> LogHeader? {
        LogHeader([UInt8](try source(number, .log).bytes(0..<LogHeader.length)), number: number)
    }

    /// - Parameter end: how many of its bytes count, all of them durable, if the next log says so.
    private mutating func loadLog(_ number: Int, end: Int?, isLast: Bool, wasClosed: Bool) throws {
        let name = Self.name(number, .log)
        let source = try source(number, .log)
        guard var reader = try LogReader(source, number: number, end: end) else {
            throw damage("the header of \(name) is damaged")
        }
        readLogs.append(number)
        var durable = reader.header?.synced ?? 0
        // The records that are not known to be durable.
        var records: [LogRecord] = []
        while let record = try reader.next() {
            var operations = OperationReader(record)
            do {
                while let operation = try operations.next() {
                    apply(operation, record, log: number)
                }
            } catch { throw damage("\(name) holds a malformed record") }
            guard isLast else { continue }
            records.append(record)
            guard record.durable > durable else { continue }
            durable = record.durable
            records.removeAll { $0.start < durable }
        }
        logBytes += reader.position
        let stop = reader.position
        if let end, end != LogHeader.wholeFile, stop < end {
            throw damage("\(name) ends before byte \(end)")
        }
        let mustBeWhole = !isLast || wasClosed
        durable = max(durable, try reader.durableBytes)
        if durable > stop || (mustBeWhole && !reader.isAtEnd) {
            throw damage("\(name) is damaged at byte \(stop)")
        }
        guard isLast else { return }
        durableEnd = wasClosed ? stop : durable
        inherited = records.filter { $0.start >= durableEnd }
        let rest = (try directory.status(of: name)?.size ?? source.size) - stop
        hasDiscardedEnd = rest > 0
        if rest > 0 { notes.append("\(rest) bytes of unfinished writes end \(name)") }
    }

    /// Updates the blob locations of a record that was copied to another log.
    ///
    /// - Parameter place: the offset of its operations in the other log.
    mutating func moveBlobs(of record: LogRecord, from log: Int, to other: Int, _ place: Int) throws
    {
        var operations = OperationReader(record.bytes, at: place)
        while case .some(let operation) = try operations.next() {
            guard case .put(.state, let key, let value) = operation else { continue }
            let before = value.lowerBound - place + record.body.lowerBound
            guard blobs[key] == BlobLocation(log: log, offset: before, length: value.count) else {
                continue
            }
            setBlob(
                key, BlobLocation(log: other, offset: value.lowerBound, length: value.count))
        }
    }

    mutating func apply(_ operation: LogOperation, _ record: LogRecord, log: Int) {
        switch operation {
        case .put(.metadata, let key, let value):
            metadata.put([UInt8](record[value]), for: key)
        case .remove(.metadata, let key): metadata.remove(key)
        case .put(.state, let key, let value):
            setBlob(key, BlobLocation(log: log, offset: value.lowerBound, length: value.count))
        case .remove(.state, let key): setBlob(key, nil)
        case .locate(let key, let location): setBlob(key, location)
        case .end: break
        }
    }

    mutating func setBlob(_ key: [UInt8], _ new: BlobLocation?) {
        let old = blobs[key]
        if let old { count(-old.length, in: old.log) }
        if let new { count(new.length, in: new.log) }
        if old != new { blobs[key] = new }
    }

    private mutating func count(_ live: Int, in log: Int) {
        liveBytes[log, default: 0] += live
        allLiveBytes += live
        if log >= snapshots.last ?? 0 { liveBytesOnTop += live }
    }

    /// Notes a snapshot of this content, which covers the logs that were read.
    mutating func noteSnapshot(_ number: Int) {
        snapshots.append(number)
        readLogs = []
        liveBytesOnTop = 0
        noteSealedLogs(below: number)
    }

    mutating func noteLog(_ number: Int) { logs.append(number) }

    /// Notes the sizes of closed logs, to see how much of them is live.
    private mutating func noteSealedLogs(below number: Int) {
        for log in logs where log < number && sealedLogs[log] == nil {
            sealedLogs[log] = try? source(log, .log).size
        }
    }

    mutating func forgetLog(_ number: Int) {
        logs.removeAll { $0 == number }
        liveBytes[number] = nil
        sealedLogs[number] = nil
    }

    mutating func forgetSnapshots(below number: Int) {
        snapshots.removeAll { $0 < number }
    }

    mutating func forgetEverything() {
        metadata = SortedTable()
        blobs = [:]
        liveBytes = [:]
        allLiveBytes = 0
        liveBytesOnTop = 0
    }

    private func damage(_ what: String) -> StorageError {
        StorageError(.corrupted, "the store's files are damaged: \(what)")
    }
}
