import BrowserSessions

/// What the files of a store amount to: the state that reading them builds up.
struct Replay {
    let directory: String
    var metadata = SortedTable()
    var blobs: [[UInt8]: BlobLocation] = [:]
    /// Bytes of live blobs by the number of their log.
    private(set) var liveBytes: [Int: Int] = [:]
    /// The numbers of the files that are there, ascending.
    private(set) var logs: [Int] = []
    private(set) var snapshots: [Int] = []
    /// Bytes of the newest snapshot, and of the logs that were read on top of it.
    private(set) var snapshotBytes = 0
    private(set) var logBytes = 0
    /// Bytes of live blobs in the logs on top of the snapshot.
    private(set) var liveBytesOnTop = 0
    /// The logs on top of the snapshot.
    private(set) var readLogs: [Int] = []
    private(set) var notes: [String] = []
    /// How many bytes of the newest log are certain to be durable.
    private(set) var durableEnd = LogHeader.wholeFile
    /// The records of the newest log behind that.
    private(set) var inherited: [LogRecord] = []
    /// Whether the newest log has bytes that do not count, and nothing says so yet.
    private(set) var hasDiscardedEnd = false
    /// Files that never got their names.
    private var unfinished: [String] = []

    init(_ directory: String) { self.directory = directory }

    enum Kind: String { case log, snapshot }

    static func name(_ number: Int, _ kind: Kind) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits + "."
            + kind.rawValue
    }

    /// Sizes of the logs that nothing is appended to any more and that a snapshot covers.
    private(set) var sealedLogs: [Int: Int] = [:]

    func path(_ number: Int, _ kind: Kind) -> String { "\(directory)/\(Self.name(number, kind))" }

    mutating func findFiles() throws {
        for name in try FileSystem.contents(of: directory) {
            let parts = name.split(separator: ".")
            if parts.count == 3, parts[2] == "new", Kind(rawValue: String(parts[1])) != nil {
                unfinished.append(name)
            }
            guard parts.count == 2, let number = Int(parts[0]), number > 0 else { continue }
            switch Kind(rawValue: String(parts[1])) {
            case .log: logs.append(number)
            case .snapshot: snapshots.append(number)
            case nil: continue
            }
        }
        logs.sort()
        snapshots.sort()
    }

    /// Removes files that never got their names.
    mutating func sweep() throws {
        for name in unfinished { try FileSystem.remove("\(directory)/\(name)") }
        unfinished = []
    }

    /// Reads the newest snapshot and the logs on top of it. Throws ``StorageError/Code/corrupted`` for
    /// anything but an end that was not durable.
    ///
    /// - Parameter wasClosed: whether the store was closed in order, so that everything is durable.
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
        guard later == Array(first..<first + later.count) else {
            throw damage("a log file is missing between \(Self.name(first, .log)) and the newest")
        }
        for number in later {
            // The next one says how much of this one counts.
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
    }

    private mutating func loadSnapshot(_ number: Int) throws {
        let file = try FileSystem.read(path(number, .snapshot))
        guard applySnapshot(file, number) else {
            throw damage("\(Self.name(number, .snapshot)) is damaged")
        }
        snapshotBytes = file.count
    }

    /// `false` if the snapshot is not complete and sound; then some of it was applied.
    mutating func applySnapshot(_ file: [UInt8], _ number: Int) -> Bool {
        guard var reader = LogReader(file, number: number) else { return false }
        var count = 0
        var isComplete = false
        while let record = reader.next() {
            var operations = OperationReader(file, record.body)
            while let operation = try? operations.next() {
                if case .end(let total) = operation {
                    isComplete = total == count
                } else {
                    apply(operation, file, log: number)
                    count += 1
                }
            }
        }
        return isComplete && reader.isAtEnd
    }

    /// The header of a log that is there; `nil` if it is damaged.
    func header(of number: Int) throws -> LogHeader? {
        let file = try FileDescriptor(opening: path(number, .log), 0)
        return LogHeader(try file.read(LogHeader.length, at: 0), number: number)
    }

    /// - Parameter end: how many of its bytes count, all of them durable, if the next one says so.
    private mutating func loadLog(_ number: Int, end: Int?, isLast: Bool, wasClosed: Bool) throws {
        let name = Self.name(number, .log)
        let file = try FileSystem.read(path(number, .log))
        guard var reader = LogReader(file, number: number, end: end) else {
            throw damage("the header of \(name) is damaged")
        }
        readLogs.append(number)
        var records: [LogRecord] = []
        while let record = reader.next() {
            var operations = OperationReader(file, record.body)
            do {
                while let operation = try operations.next() { apply(operation, file, log: number) }
            } catch { throw damage("\(name) holds a malformed record") }
            if isLast { records.append(record) }
        }
        logBytes += reader.position
        let stop = reader.position
        if let end, end != LogHeader.wholeFile, stop < end {
            throw damage("\(name) ends before byte \(end)")
        }
        let mustBeWhole = !isLast || wasClosed
        let durable = max(reader.durableBytes, records.map(\.durable).max() ?? 0)
        if durable > stop || (mustBeWhole && !reader.isAtEnd) {
            throw damage("\(name) is damaged at byte \(stop)")
        }
        guard isLast else { return }
        durableEnd = wasClosed ? stop : durable
        inherited = records.filter { $0.start >= durableEnd }
        let rest = file.count - stop
        hasDiscardedEnd = rest > 0
        if rest > 0 { notes.append("\(rest) bytes of unfinished writes end \(name)") }
    }

    /// The blobs of a record that was copied to another log lie there now.
    ///
    /// - Parameter place: where its operations begin in the file of the other log.
    mutating func moveBlobs(
        of record: LogRecord, in file: [UInt8], from log: Int, to other: Int, _ place: Int
    ) throws {
        var operations = OperationReader(file, place..<place + record.body.count)
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

    mutating func apply(_ operation: LogOperation, _ file: [UInt8], log: Int) {
        switch operation {
        case .put(.metadata, let key, let value):
            metadata.put([UInt8](file[value]), for: key)
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
        if log >= snapshots.last ?? 0 { liveBytesOnTop += live }
    }

    /// A snapshot of this content was written: the logs that were read are covered by it.
    mutating func noteSnapshot(_ number: Int) {
        snapshots.append(number)
        readLogs = []
        liveBytesOnTop = 0
        noteSealedLogs(below: number)
    }

    /// Sizes of the closed logs, to see how much of them is live.
    private mutating func noteSealedLogs(below number: Int) {
        for log in liveBytes.keys where log < number && sealedLogs[log] == nil {
            sealedLogs[log] = (try? FileSystem.status(path(log, .log)))??.size
        }
    }

    mutating func forgetLog(_ number: Int) {
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
        liveBytesOnTop = 0
    }

    private func damage(_ what: String) -> StorageError {
        StorageError(.corrupted, "the store's files are damaged: \(what)")
    }
}
