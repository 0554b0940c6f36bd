import BrowserSessions

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension DirectoryStore {
    func write(_ batch: ByteBatch, durably: Bool) throws {
        if let failure { throw failure }
        guard !batch.isEmpty else {
            if durably { try sync() }
            return
        }
        let log = try writableLog()
        let start = log.end
        let stateOffsets = try append(batch, to: log)
        if durably { try sync() }
        apply(batch, log.number, stateOffsets, from: start)
    }

    /// Writes the batch as one record; returns where in it the values of state begin.
    private func append(_ batch: ByteBatch, to log: OpenLog) throws -> [Int] {
        var record = RecordBuilder(
            capacity: LogFormat.recordHeaderLength + batch.byteCount + 12 * batch.operations.count)
        var offsets: [Int] = []
        for operation in batch.operations {
            switch operation {
            case .put(let space, let key, let value):
                let offset = record.put(space, key, value)
                if space == .state { offsets.append(offset) }
            case .remove(let space, let key): record.remove(space, key)
            }
        }
        guard record.bytes.count <= LogFormat.maximumBody else {
            throw StorageError(
                .tooLarge, "a change set of \(record.bytes.count) bytes is over the limit of 1 GiB")
        }
        let bytes = record.seal(salt: log.salt, offset: log.end)
        do {
            try log.file.write(bytes)
        } catch {
            // What the write left is cut off; if even that fails, it stays behind as the torn end
            // of a log that nothing is appended to any more.
            do { try log.file.truncate(to: log.end) } catch { leaveCurrentLog() }
            throw error
        }
        log.isUnsynced = true
        log.end += bytes.count
        bytesSinceSnapshot += bytes.count
        return offsets
    }

    /// - Parameter start: where in the log the record begins.
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

    /// The log to append to; begins a new file if there is none or the present one is full.
    private func writableLog() throws -> OpenLog {
        if let current, current.end < segmentBytes { return current }
        let path = content.path(nextNumber, .log)
        var generator = SystemRandomNumberGenerator()
        let salt = UInt32(truncatingIfNeeded: generator.next())
        if content.unusedLog == nextNumber { try FileSystem.remove(path) }
        do {
            let log = try OpenLog(
                nextNumber, salt: salt, opening: path, O_RDWR | O_CREAT | O_EXCL | O_APPEND)
            let header = LogFormat.header(number: nextNumber, salt: salt)
            try log.file.write(header)
            log.end = header.count
            log.isUnsynced = true
            directoryIsDirty = true
            nextNumber += 1
            leaveCurrentLog()
            current = log
            return log
        } catch {
            try? FileSystem.remove(path)
            throw error
        }
    }

    /// Nothing is appended to the current log any more.
    func leaveCurrentLog() {
        if let current, current.isUnsynced { unsynced.insert(current.number) }
        current = nil
    }

    /// One `fdatasync` as a rule; more after a new file was made or an earlier run left off.
    func sync() throws {
        if let failure { throw failure }
        do {
            for number in unsynced.sorted() {
                let file = try FileDescriptor(opening: content.path(number, .log), O_RDONLY)
                try file.syncData()
            }
            unsynced.removeAll(keepingCapacity: true)
            if let current, current.isUnsynced {
                try current.file.syncData()
                current.isUnsynced = false
            }
            if directoryIsDirty { try FileSystem.syncDirectory(directory) }
            directoryIsDirty = false
        } catch {
            // The kernel may have dropped the bytes, and would call a second sync a success.
            failure = StorageError(
                .durabilityLost, "an earlier sync failed; close the store and open it again",
                underlying: error)
            var error = error
            error.effect = .indeterminate
            throw error
        }
    }

    func close() throws {
        defer {
            current = nil
            readers = [:]
        }
        guard failure == nil else { return }
        try sync()
        // The logs hold everything; a snapshot only makes the next opening faster.
        if bytesSinceSnapshot > 0 { try? writeSnapshot() }
    }
}
