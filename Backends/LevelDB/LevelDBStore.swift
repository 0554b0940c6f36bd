internal import BrowserSessions
internal import CLevelDB

/// An open database.
final class LevelDBStore: OrderedByteStore {
    private(set) var openingNotes: [String] = []
    private let path: String
    private let compression: LevelDBCompression
    private var database: LevelDBDatabase?
    /// What is open while the disk has no space.
    private var memoryCopy: LevelDBMemoryCopy?
    private var directory: LevelDBDirectory
    /// The sequence number of the last operation.
    private var sequence: UInt64 = 0
    /// Bytes written since the log was last turned into a table.
    private var logBytes = 0
    /// Everything before the next batch is durable, and no batch says so yet.
    private var needsMark = true
    private var hasUnsyncedWrites = false
    private var needsReopening = false
    private var isBroken = false
    private var isClosed = false

    /// When the store asks for maintenance: opening replays the log.
    private static let maintenanceBytes = 4 << 20
    private static let closingBytes = 1 << 20

    init(_ path: String, compression: LevelDBCompression) throws {
        self.path = path
        self.compression = compression
        directory = LevelDBDirectory(path)
        try openDatabase()
    }

    func value(of key: [UInt8], in space: KeySpace) throws -> [UInt8]? {
        try requireOpen()
        return try database?.value(of: LevelDBFormat.key(key, in: space))
    }

    func scan(
        _ space: KeySpace,
        prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try requireOpen()
        try database?.scan(LevelDBFormat.key(prefix, in: space)) { key, value in
            try visit(UnsafeRawBufferPointer(rebasing: key.dropFirst()), value)
        }
    }

    func write(_ batch: ByteBatch, durably: Bool) throws {
        if isBroken { throw LevelDBErrors.durabilityLost }
        if isClosed { throw LevelDBErrors.closed }
        if needsReopening { try reopen() }
        let encoded = encode(batch)
        do {
            try database?.write(encoded, durably: durably)
        } catch {
            throw examine(error)
        }
        sequence += encoded.count
        logBytes += encoded.bytes
        needsMark = false
        if durably { try finishSync() } else { hasUnsyncedWrites = true }
    }

    func sync() throws {
        if isBroken { throw LevelDBErrors.durabilityLost }
        guard hasUnsyncedWrites else { return }
        do {
            try directory.syncLogs()
        } catch {
            isBroken = true
            throw error
        }
        hasUnsyncedWrites = false
        try finishSync()
    }

    var wantsMaintenance: Bool {
        logBytes >= Self.maintenanceBytes && !isBroken && !needsReopening
    }

    func maintain() throws {
        guard wantsMaintenance else { return }
        database?.flush()
        logBytes = 0
    }

    func verify() throws -> [String] {
        try requireOpen()
        do {
            try database?.scan([]) { _, _ in }
            return []
        } catch let error as StorageError where error.code == .corrupted {
            return [error.message]
        }
    }

    func close() throws {
        defer {
            isClosed = true
            database = nil
            memoryCopy = nil
        }
        if isBroken { return }
        if logBytes >= Self.closingBytes, !needsReopening { database?.flush() }
        try sync()
    }
}

extension LevelDBStore {
    private func encode(_ batch: ByteBatch) -> LevelDBBatch {
        var encoded = LevelDBBatch()
        if needsMark { encoded.remove(LevelDBFormat.mark) }
        for operation in batch.operations {
            switch operation {
            case .put(let space, let key, let value):
                encoded.put(value, for: LevelDBFormat.key(key, in: space))
            case .remove(let space, let key):
                encoded.remove(LevelDBFormat.key(key, in: space))
            }
        }
        return encoded
    }

    /// The write was synced; now what LevelDB leaves out.
    private func finishSync() throws {
        do {
            try directory.settle(syncingLogs: hasUnsyncedWrites)
        } catch {
            isBroken = true
            var failure = error
            failure.effect = .indeterminate
            throw failure
        }
        hasUnsyncedWrites = false
        needsMark = true
    }

    /// Finds out what a failed write left in the log. Without it being there as a whole, it can be
    /// cut off, and saving goes on when the cause is gone. Otherwise nobody knows what is durable.
    private func examine(_ error: StorageError) -> StorageError {
        if let found = try? LevelDBInspection(of: path), found.lastSequence <= sequence {
            needsReopening = true
            return error
        }
        isBroken = true
        var failure = error
        failure.effect = .indeterminate
        return failure
    }

    private func openDatabase() throws {
        let inspection = try LevelDBInspection(of: path)
        try inspection.cutUnfinishedWrites()
        sequence = inspection.lastSequence
        openingNotes += inspection.notes
        do {
            database = try LevelDBDatabase(opening: path, compression: compression)
            needsReopening = false
        } catch  where error.code == .outOfSpace {
            let copy = try LevelDBMemoryCopy(of: path, because: error)
            database = try LevelDBDatabase(opening: copy.path, compression: compression)
            memoryCopy = copy
            needsReopening = true
            openingNotes.append("the disk is full; a copy in memory was opened for reading")
        }
        // LevelDB has moved what the logs held into a table that is synced.
        hasUnsyncedWrites = false
        try finishSync()
    }

    /// Opens the database again after a failed write, because LevelDB would write on behind the
    /// broken record. It stays open for reading until there is the space that opening takes.
    private func reopen() throws {
        try LevelDBSpace.check(for: path)
        database = nil
        memoryCopy = nil
        try openDatabase()
        // The space may be gone again.
        if needsReopening { throw LevelDBErrors.outOfSpace }
    }

    private func requireOpen() throws {
        if isClosed { throw LevelDBErrors.closed }
        if database == nil { try openDatabase() }
    }
}
