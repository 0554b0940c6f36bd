import BrowserSessions
import StorageEngines

extension DirectoryStore {
    /// The size that logs after the snapshot may reach, or twice the snapshot's.
    private static let leastLogBytes = 1 << 20
    /// The number of logs read at opening that may stay without a snapshot. A program that is
    /// killed again and again begins a log each time, and never closes the store, which would write
    /// a snapshot.
    private static let mostLogsWithoutSnapshot = 8
    /// The size of one snapshot record in bytes: what one damaged sector can cost.
    private static let snapshotRecordBytes = 32 << 10
    /// The minimum size of logs, in bytes, between two snapshots while saves never pause.
    private static let leastStepBytes = 8 << 20
    /// The bytes of blobs that one step of maintenance copies.
    private static let relocationBytes = 4 << 20

    var wantsMaintenance: Bool { failure == nil && (isSnapshotDue || hasWastefulLogs) }

    /// Live blobs in the logs do not count: a snapshot only names their locations. Replaced ones
    /// do, because a snapshot allows their logs to be removed.
    private var isSnapshotDue: Bool {
        isBehind
            || bytesSinceSnapshot - content.liveBytesOnTop
                > max(Self.leastLogBytes, 2 * snapshotBytes)
    }

    // MARK: Saves without a pause

    /// The bytes after which a save may have to do maintenance itself, at a lower cost than the
    /// saves had.
    private var stepBytes: Int { max(Self.leastStepBytes, 2 * snapshotBytes) }

    /// Whether maintenance was delayed too long because saves never paused.
    var isBehind: Bool {
        guard failure == nil, bytesSinceSnapshot >= max(stepBytes, triesAgainAt) else {
            return false
        }
        let live = content.allLiveBytes
        let garbage = content.sealedLogs.values.reduce(bytesSinceSnapshot, +) - live
        return garbage > max(stepBytes, live)
    }

    /// Does the maintenance of a step. A failure is left for the next step: the save is done.
    func catchUp() {
        do {
            try writeSnapshot()
            var rest = stepBytes
            while rest > 0, let log = wastefulLogs.first {
                let copied = try relocateBlobs(of: log)
                guard copied > 0 else { break }
                rest -= copied
            }
            hasWastefulLogs = !wastefulLogs.isEmpty
        } catch { triesAgainAt = bytesSinceSnapshot + stepBytes }
    }

    /// Writes a snapshot if opening had to read many logs. A failure is left for another time.
    func coverManyLogs() {
        if content.readLogs.count > Self.mostLogsWithoutSnapshot { try? writeSnapshot() }
    }

    func maintain() throws {
        if isSnapshotDue { try writeSnapshot() }
        if let log = wastefulLogs.first { _ = try relocateBlobs(of: log) }
        hasWastefulLogs = !wastefulLogs.isEmpty
    }

    func verify() throws -> [String] {
        var check = Replay(directory)
        do {
            try check.load(wasClosed: false)
        } catch let error as StorageError {
            guard error.code == .corrupted else { throw error }
            return [error.message]
        }
        let isEqual = check.metadata.count == content.metadata.count && check.blobs == content.blobs
        return isEqual ? [] : ["the files do not hold what the open store holds"]
    }

    // MARK: Snapshots

    /// Writes everything except the blobs to a new file; the next write begins a new log. After
    /// that, the files before the previous snapshot are not needed.
    func writeSnapshot() throws {
        try sync()
        let number = try nextNumber()
        let bytes = snapshotFile(number)
        try create(number, .snapshot, bytes)
        if let current { endBefore = current.end }
        current = nil
        snapshotBytes = bytes.count
        bytesSinceSnapshot = 0
        triesAgainAt = 0
        content.noteSnapshot(number)
        try removeUnneededFiles()
        hasWastefulLogs = !wastefulLogs.isEmpty
    }

    private func snapshotFile(_ number: Int) -> [UInt8] {
        var file = LogFile(LogHeader(number: number, salt: makeSalt()))
        var record = RecordBuilder()
        var count = 0
        func finishRecord() {
            count += record.operations
            file.append(&record)
            record = RecordBuilder()
        }
        content.metadata.scan(prefix: []) { key, value in
            _ = record.put(.metadata, [UInt8](key), [UInt8](value))
            if record.bytes.count > Self.snapshotRecordBytes { finishRecord() }
        }
        for (key, location) in content.blobs {
            record.locate(key, location)
            if record.bytes.count > Self.snapshotRecordBytes { finishRecord() }
        }
        if record.operations > 0 { finishRecord() }
        record.end(after: count)
        finishRecord()
        return file.bytes
    }

    /// Keeps the newest snapshot, the previous one with its logs, and logs with live blobs.
    private func removeUnneededFiles() throws {
        let kept = content.snapshots.suffix(2)
        let oldest = kept.count == 2 ? kept.first ?? 0 : 0
        for number in content.snapshots where number < oldest {
            names.forget(Replay.name(number, .snapshot))
            try directory.remove(Replay.name(number, .snapshot))
        }
        for name in try directory.names() {
            guard let (number, kind) = Replay.number(of: name), kind == .log, number < oldest,
                content.liveBytes[number, default: 0] == 0
            else { continue }
            readers[number] = nil
            content.forgetLog(number)
            names.forget(name)
            try directory.remove(name)
        }
        content.forgetSnapshots(below: oldest)
        try directory.sync()
    }

    // MARK: Blobs

    /// Closed logs below the snapshot that are less than half live, most wasteful first. Small ones
    /// count once they waste as much together as a large one.
    private var wastefulLogs: [Int] {
        let wasted = content.sealedLogs.compactMap {
            log, size -> (log: Int, size: Int, bytes: Int)? in
            let live = content.liveBytes[log] ?? 0
            return live > 0 && live < size / 2 ? (log, size, size - live) : nil
        }
        let small = wasted.filter { $0.size <= Self.leastLogBytes }
        let countsSmall = small.reduce(0) { $0 + $1.bytes } > Self.leastLogBytes
        return wasted.filter { countsSmall || $0.size > Self.leastLogBytes }
            .sorted { ($1.bytes, $0.log) < ($0.bytes, $1.log) }.map(\.log)
    }

    /// Copies live blobs to the end of the current log; a later snapshot removes the old log.
    /// Returns the number of bytes.
    private func relocateBlobs(of log: Int) throws -> Int {
        var batch = ByteBatch()
        var bytes = 0
        for (key, location) in content.blobs where location.log == log {
            guard let value = try value(of: key, in: .state) else { continue }
            batch.put(value, for: key, in: .state)
            bytes += value.count
            if bytes > Self.relocationBytes { break }
        }
        try write(batch, durably: false)
        return bytes
    }
}
