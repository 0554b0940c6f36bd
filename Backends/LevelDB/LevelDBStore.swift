internal import BrowserSessions
internal import CLevelDB
internal import StorageEngines

/// An open database.
final class LevelDBStore: OrderedByteStore {
    private(set) var openingNotes: [String] = []
    private let settings: LevelDBSettings
    private var database: LevelDBDatabase?
    private var batch = LevelDBBatch()
    /// The copy that is open while the disk has no space.
    private var memoryCopy: PrivateFolder?
    private var directory: LevelDBDirectory
    /// The sequence number of the last operation.
    private var sequence: UInt64 = 0
    /// Bytes written since the log last became a table.
    private var logBytes = 0
    /// Whether everything before the next batch is durable, and no batch says so yet.
    private var needsMark = true
    private var hasUnsyncedWrites = false
    private var needsReopening = false
    private var isBroken = false
    private var isClosed = false

    /// The log size in bytes at which the store asks for maintenance: opening replays the log.
    private static let maintenanceBytes = 4 << 20
    private static let closingBytes = 1 << 20

    /// - Parameter inspection: what was found in the files; `nil` if they are still to be examined.
    init(
        _ directory: LevelDBDirectory, _ settings: LevelDBSettings,
        _ inspection: LevelDBInspection? = nil
    ) throws {
        self.settings = settings
        self.directory = directory
        try openDatabase(inspection)
    }

    func value(of key: [UInt8], in space: KeySpace) throws -> [UInt8]? {
        try requireOpen()
        return try LevelDBFormat.withKey(key, in: space) { key throws(StorageError) in
            try database?.value(of: key)
        }
    }

    func scan(
        _ space: KeySpace,
        prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try requireOpen()
        try LevelDBFormat.withKey(prefix, in: space) { prefix in
            try database?.scan(prefix) { key, value in
                try visit(UnsafeRawBufferPointer(rebasing: key.dropFirst()), value)
            }
        }
    }

    func write(_ batch: ByteBatch, durably: Bool) throws {
        if isBroken { throw LevelDBErrors.durabilityLost }
        if isClosed { throw LevelDBErrors.closed }
        if needsReopening { try reopen() }
        encode(batch)
        defer { self.batch.clear() }
        let logSize = durably ? directory.logSize : nil
        do {
            try database?.write(self.batch, durably: durably)
        } catch {
            throw examine(error)
        }
        sequence += self.batch.count
        logBytes += self.batch.bytes
        needsMark = false
        guard durably else {
            hasUnsyncedWrites = true
            return
        }
        if directory.logTook(self.batch.bytes, after: logSize) {
            // All unsynced writes are in the same log, before this one.
            noteSync()
        } else {
            try syncNames()
        }
    }

    func requirePresence() throws {
        guard let change = directory.change() else { return }
        isBroken = true
        throw change
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
        if directory.hasNewLog { try syncNames() } else { noteSync() }
    }

    var wantsMaintenance: Bool {
        logBytes >= Self.maintenanceBytes && !isBroken && !needsReopening
    }

    func maintain() throws {
        guard wantsMaintenance else { return }
        writeTables()
        if hasUnsyncedWrites {
            // A caller that never syncs does not have to wait for it.
            directory.releaseLog()
        } else {
            // So that the next save need not.
            try syncNames()
        }
    }

    func verify() throws -> [String] {
        try requireOpen()
        do {
            try database?.scan(UnsafeRawBufferPointer(start: nil, count: 0)) { _, _ in }
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
        if logBytes >= Self.closingBytes, !needsReopening { writeTables() }
        try sync()
        // The manifest may name a new log, which would count as damage of a closed store if it were
        // missing.
        if directory.hasNewLog { try syncNames() }
        database = nil
        try directory.makeFilesPrivate()
        if let manifest = try? LevelDBManifest(of: directory.files) {
            LevelDBCheckedTables(in: directory.files).note(Array(manifest.tables.values))
        }
    }
}

extension LevelDBStore {
    /// Writes the log to a table, and drops replaced metadata. State is read one by one, and its
    /// tables are large: LevelDB merges these in its own time.
    private func writeTables() {
        database?.flush()
        database?.merge(KeySpace.metadata.rawValue)
        logBytes = 0
    }

    private func encode(_ new: ByteBatch) {
        if needsMark { batch.remove(LevelDBFormat.mark) }
        for operation in new.operations {
            switch operation {
            case .put(let space, let key, let value):
                LevelDBFormat.withKey(key, in: space) { batch.put(value, for: $0) }
            case .remove(let space, let key):
                LevelDBFormat.withKey(key, in: space) { batch.remove($0) }
            }
        }
    }

    /// Makes the names durable that LevelDB leaves out, after what was written is synced.
    private func syncNames() throws(StorageError) {
        do {
            try directory.syncNames(syncingLogs: hasUnsyncedWrites)
        } catch {
            isBroken = true
            throw error.with(.indeterminate)
        }
        noteSync()
    }

    /// Notes that everything that was written is durable.
    private func noteSync() {
        hasUnsyncedWrites = false
        needsMark = true
    }

    /// Finds out what a failed write left in the log. If it is not there as a whole, it can be cut
    /// off, and saving continues when the cause is gone. Otherwise it is unknown what is durable.
    private func examine(_ error: StorageError) -> StorageError {
        if let found = try? LevelDBInspection(of: directory.files),
            found.lastSequence.value <= sequence
        {
            needsReopening = true
            return error
        }
        isBroken = true
        return error.with(.indeterminate)
    }

    private func openDatabase(_ found: LevelDBInspection? = nil) throws(StorageError) {
        let inspection: LevelDBInspection
        if let found {
            inspection = found
        } else {
            inspection = try LevelDBInspection(of: directory.files)
            try inspection.checkTables()
        }
        try inspection.cutUnfinishedWrites()
        sequence = inspection.lastSequence.value
        openingNotes += inspection.notes
        do {
            let kept = try LevelDBKeptLogs(inspection.logs, in: directory.files)
            let opened = try LevelDBDatabase(opening: directory.files, settings)
            let isRestored = try kept.restore(into: opened)
            try kept.release()
            if isRestored {
                openingNotes.append("LevelDB passed over logs that are there: they were read again")
            } else {
                database = consume opened
            }
            needsReopening = false
        } catch  where error.code == .outOfSpace {
            let copy = try LevelDBMemoryCopy.make(of: directory.files, because: error)
            database = try LevelDBDatabase(opening: copy.directory, settings)
            memoryCopy = copy
            needsReopening = true
            openingNotes.append("the disk is full; a copy in memory was opened for reading")
        }
        if database == nil { return try openDatabase() }
        // LevelDB has moved what the logs held into a table that is synced.
        hasUnsyncedWrites = false
        try syncNames()
        directory.names.look()
    }

    /// Reopens the database after a failed write, because LevelDB would continue writing after the
    /// broken record. It stays open for reading until there is enough space to open it.
    private func reopen() throws {
        try LevelDBSpace.check(in: directory.files)
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
