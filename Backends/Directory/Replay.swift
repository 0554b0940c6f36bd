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
    /// The logs on top of the snapshot; they may not have been synced.
    private(set) var readLogs: [Int] = []
    private(set) var notes: [String] = []
    /// The newest log if it was begun and nothing was written to it; it does not count.
    private(set) var unusedLog: Int?

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

    /// Reads the newest snapshot and the logs on top of it. Throws
    /// ``StorageError/Code/corrupted`` for anything but a write that never ended.
    mutating func load() throws {
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
        for number in later { try loadLog(number, isLast: number == later.last) }
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
        while let body = reader.next() {
            var operations = OperationReader(file, body)
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

    private mutating func loadLog(_ number: Int, isLast: Bool) throws {
        let file = try FileSystem.read(path(number, .log))
        readLogs.append(number)
        guard var reader = LogReader(file, number: number) else {
            guard isLast, file.count < LogFormat.headerLength || !file.contains(where: { $0 != 0 })
            else { throw damage("the header of \(Self.name(number, .log)) is damaged") }
            notes.append("\(Self.name(number, .log)) was begun and never written")
            logs.removeLast()
            readLogs.removeLast()
            unusedLog = number
            return
        }
        while let body = reader.next() {
            var operations = OperationReader(file, body)
            do {
                while let operation = try operations.next() { apply(operation, file, log: number) }
            } catch { throw damage("\(Self.name(number, .log)) holds a malformed record") }
        }
        logBytes += reader.position
        guard !reader.isAtEnd else { return }
        let stop = reader.position
        if reader.resynchronize() {
            throw damage("\(Self.name(number, .log)) is damaged at byte \(stop)")
        }
        notes.append(
            "\(file.count - stop) bytes of an unfinished write end \(Self.name(number, .log))")
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
