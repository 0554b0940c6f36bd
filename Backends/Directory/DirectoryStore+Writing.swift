import BrowserSessions
import StorageEngines

extension DirectoryStore {
    /// Appends the batch to a log as one record, and then changes the content.
    func write(_ batch: ByteBatch, durably: Bool) throws {
        if let failure { throw failure }
        guard !batch.isEmpty else {
            if durably { try sync() }
            return
        }
        let log = try writableLog()
        let start = log.end
        var record = RecordBuilder(
            capacity: LogFormat.recordHeaderLength + batch.byteCount + 12 * batch.operations.count)
        var stateOffsets: [Int] = []
        for operation in batch.operations {
            switch operation {
            case .put(let space, let key, let value):
                let offset = record.put(space, key, value)
                if space == .state { stateOffsets.append(offset) }
            case .remove(let space, let key): record.remove(space, key)
            }
        }
        guard record.bytes.count <= LogFormat.maximumBody else {
            throw StorageError(
                .tooLarge, "a change set of \(record.bytes.count) bytes is over the limit of 1 GiB")
        }
        let bytes = record.seal(salt: log.salt, offset: start, durable: log.durable)
        do {
            try log.file.write(bytes)
        } catch {
            // Cuts off what the write left; if that fails too, it stays after the end.
            do { try log.file.truncate(to: start) } catch { log.isLeft = true }
            throw error
        }
        log.end += bytes.count
        bytesSinceSnapshot += bytes.count
        if durably { try sync() }
        apply(batch, log.number, stateOffsets, from: start)
        if isBehind { catchUp() }
    }

    func requirePresence() throws {
        failure = failure ?? names.change { $0.filter { Replay.number(of: $0) != nil } }
        if let failure { throw failure }
    }

    /// - Parameter start: the offset of the record in the log.
    private func apply(_ batch: ByteBatch, _ log: Int, _ stateOffsets: [Int], from start: Int) {
        var statesDone = 0
        for operation in batch.operations {
            switch operation {
            case .put(.metadata, let key, let value): content.metadata.put(value, for: key)
            case .put(.state, let key, let value):
                let offset = start + stateOffsets[statesDone]
                statesDone += 1
                content.setBlob(
                    key, BlobLocation(log: log, offset: offset, length: value.count))
            case .remove(.metadata, let key): content.metadata.remove(key)
            case .remove(.state, let key): content.setBlob(key, nil)
            }
        }
    }

    /// Returns the log to append to; begins a new file if there is none or the current one is full.
    /// Everything in the previous one is then durable.
    private func writableLog() throws -> OpenLog {
        if let current, hasRoom(current) { return current }
        // Begins a log if there are records to begin it with.
        try sync()
        if let current, hasRoom(current) { return current }
        return try beginLog(behind: current?.end ?? endBefore)
    }

    private func hasRoom(_ log: OpenLog) -> Bool { log.end < settings.segmentBytes && !log.isLeft }

    /// Begins a log with the inherited records. If that fails, nothing has changed.
    private func beginLog(behind end: Int) throws -> OpenLog {
        let number = try nextNumber()
        var header = LogHeader(
            number: number, before: number == 1 ? 0 : end, salt: makeSalt())
        var start = LogFile(header)
        var moves: [(from: LogRecord, to: Int)] = []
        for record in inherited {
            var copy = RecordBuilder(capacity: record.bytes.count + LogFormat.recordHeaderLength)
            copy.copy(record.bytes)
            moves.append((record, start.bytes.count + LogFormat.recordHeaderLength))
            start.append(&copy)
        }
        header.synced = start.bytes.count
        start.replaceHeader(header)
        try create(number, .log, start.bytes)
        for (record, place) in moves {
            try content.moveBlobs(of: record, from: number - 1, to: number, place)
        }
        inherited = []
        hasDiscardedEnd = false
        lastNumber = StoredNumber(number) ?? lastNumber
        content.noteLog(number)
        endBefore = start.bytes.count
        current = nil
        let log = try OpenLog(
            number, salt: header.salt, in: directory, .append)
        log.end = endBefore
        log.durable = endBefore
        current = log
        return log
    }

    /// Makes a file of the store. If that fails and the file may exist, nothing can be written any
    /// more: the next opening would skip what came before it.
    func create(_ number: Int, _ kind: Replay.Kind, _ bytes: [UInt8]) throws {
        let name = Replay.name(number, kind)
        // Also at opening, in maintenance and at closing.
        try willChange()
        do {
            try directory.create(name, with: bytes)
        } catch {
            if (try? directory.has(name)) != false {
                failure = StorageError(
                    .durabilityLost,
                    "'\(name)' may have been made in part; close the store and open it again",
                    underlying: error)
            }
            throw error
        }
    }

    /// Usually costs one `fdatasync`.
    func sync() throws {
        if let failure { throw failure }
        guard let current else {
            if !inherited.isEmpty || hasDiscardedEnd { _ = try beginLog(behind: endBefore) }
            return
        }
        guard current.durable < current.end else { return }
        do {
            try current.file.syncData()
            current.durable = current.end
        } catch {
            // The kernel may have dropped the bytes, and would report a second sync as a success.
            failure = StorageError(
                .durabilityLost, "an earlier sync failed; close the store and open it again",
                underlying: error)
            throw error.with(.indeterminate)
        }
    }

    func close() throws {
        defer {
            current = nil
            readers = [:]
        }
        guard failure == nil else { return }
        try sync()
        if let current, current.isLeft { _ = try beginLog(behind: current.end) }
        // The logs hold everything; a snapshot only makes the next opening faster.
        if bytesSinceSnapshot > 0 { try? writeSnapshot() }
    }
}
