internal import BrowserSessions
internal import CSQLite
internal import StorageEngines

/// An open database.
final class SQLiteStore: OrderedByteStore {
    let openingNotes: [String]
    private var session: SQLiteSession?
    private var syncsCommits = true
    private var hasUnsyncedCommits = false
    /// Whether a failure may have cost what was not durable, or affected pages that can still be read.
    /// Closing must not copy them into the database: the next opening first rewrites the log.
    private var isBroken = false
    /// What opening could not do, because the disk was full.
    private var delay: SQLiteDelay?
    /// Whether the log's name survives a power cut.
    private var isLogNamed = false
    private let directory: any FileDirectory
    private var names: NameWatch
    private let readers: SQLiteReaders
    private var space: SQLiteLogSpace

    init(
        _ session: SQLiteSession, in readers: SQLiteReaders, notes: [String], delay: SQLiteDelay?
    ) {
        openingNotes = notes
        self.delay = delay
        self.readers = readers
        directory = readers.directory
        names = NameWatch(directory)
        space = SQLiteLogSpace(in: directory)
        self.session = session
    }

    func value(of key: [UInt8], in space: KeySpace) throws -> [UInt8]? {
        try requireSession().withTable(space) { table in try table.value(of: key) }
    }

    func scan(
        _ space: KeySpace,
        prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try requireSession().scan(space, prefix: prefix, visit)
    }

    func write(_ batch: ByteBatch, durably: Bool) throws {
        try requireDurableLog()
        if durably { try requireNamedLog() }
        let session = try requireSession()
        try setSync(durably, in: session)
        let commits = session.database.logState.commits
        try transact(in: session) {
            try session.apply(
                batch.operations, durably: durably, afterDurable: !hasUnsyncedCommits)
        }
        try session.count(batch.operations)
        if session.database.logState.commits == commits {
            // Nothing differed from what is stored, so SQLite had nothing to sync.
            if durably { try sync() }
        } else {
            hasUnsyncedCommits = !durably
        }
        // This save has succeeded; the next one will report the problem.
        let frames = session.database.logState.frames
        if frames >= SQLiteOptions.largestLogFrames { _ = try? checkpoint() }
        if durably { space.extend(behind: frames) }
    }

    func sync() throws {
        try requireDurableLog()
        guard hasUnsyncedCommits, try !checkpoint() else { return }
        try requireNamedLog()
        try syncLog()
    }

    var wantsMaintenance: Bool {
        guard !isBroken, delay == nil, let session else { return false }
        return session.database.logState.frames >= SQLiteOptions.checkpointFrames
    }

    func maintain() throws {
        if wantsMaintenance { _ = try checkpoint() }
    }

    func verify() throws -> [String] {
        do {
            let findings = try requireSession().verify()
            return findings == ["ok"] ? [] : findings
        } catch  where error.code == .corrupted {
            return [error.message]
        }
    }

    func close() throws {
        defer { session = nil }
        if isBroken { return }
        if let delay {
            // A database without a log needs nothing more.
            guard delay.log != nil else { return }
            try requireDurableLog()
        }
        do {
            let frames = session?.database.logState.frames ?? 0
            let isEmptied = try readers.copyingLog(of: frames) {
                _ = try session?.database.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
                session?.database.keepLog(false)
                session = nil
            }
            if isEmptied { return }
            try requireNamedLog()
            try syncLog()
        } catch let error as StorageError {
            // A checkpoint begins with syncing the log, which keeps what cannot be copied.
            if error.code != .outOfSpace { throw error }
        }
    }
}

extension SQLiteStore {
    /// Runs the body in a transaction. After a failed commit it is unknown what a power cut would
    /// leave, even of earlier unsynced commits, so it is the store's last one.
    private func transact(in session: SQLiteSession, _ body: () throws -> Void) throws {
        try session.begin()
        do {
            try body()
        } catch {
            rollBack(session)
            throw error
        }
        do {
            try session.commit()
        } catch {
            rollBack(session)
            // Without space the commit's last page is incomplete: it does not count.
            if error.code == .outOfSpace, !isBroken { throw error }
            isBroken = true
            throw error.with(.indeterminate)
        }
    }

    private func rollBack(_ session: SQLiteSession) {
        // SQLite has rolled back by itself after some errors.
        guard session.database.isInTransaction else { return }
        do { try session.database.execute("ROLLBACK", "roll back") } catch { isBroken = true }
    }

    /// Nothing is acknowledged over a log that is not durable.
    private func requireDurableLog() throws {
        if isBroken { throw SQLiteErrors.durabilityLost }
        guard let delay else { return }
        try delay.log?.makeDurable()
        // Its connection has the old file, or none for writing.
        session = nil
        isBroken = true
        do {
            session = try delay.connect(false)
        } catch {
            guard error.code == .outOfSpace, delay.log == nil else { throw error }
            session = try delay.connect(true)
            isBroken = false
            throw error
        }
        (isBroken, syncsCommits) = (false, true)
        self.delay = nil
        names.look()
    }

    /// SQLite syncs the directory with the first commit to a log, and ignores a failure: a power
    /// cut could take the log's name, and with it everything that was acknowledged.
    private func requireNamedLog() throws(StorageError) {
        if isLogNamed { return }
        do {
            try directory.sync()
        } catch {
            isBroken = true
            throw error
        }
        isLogNamed = true
    }

    private func setSync(_ durably: Bool, in session: SQLiteSession) throws {
        if durably == syncsCommits { return }
        let level = durably ? "FULL" : "NORMAL"
        try session.database.execute("PRAGMA synchronous = \(level)", "set the sync level")
        syncsCommits = durably
    }

    /// Syncs the log, copies it into the database and syncs that; returns `false`, and has done
    /// nothing, while a reader copies the files. With one connection only an error can stop it halfway,
    /// and a failed sync cannot be repeated.
    private func checkpoint() throws -> Bool {
        let session = try requireSession()
        do {
            let isCopied = try readers.copyingLog(of: session.database.logState.frames) {
                _ = try session.database.checkpoint(SQLITE_CHECKPOINT_PASSIVE)
            }
            if isCopied { hasUnsyncedCommits = false }
            return isCopied
        } catch let error as StorageError where error.code == .outOfSpace {
            throw error
        } catch {
            isBroken = true
            throw error
        }
    }

    /// Makes the log durable where it cannot be copied now.
    private func syncLog() throws {
        do {
            try session?.database.syncLog()
            hasUnsyncedCommits = false
        } catch {
            isBroken = true
            throw error.with(.indeterminate)
        }
    }

    func requirePresence() throws {
        let files = [SQLiteFormat.fileName, SQLiteFormat.logName]
        guard let change = names.change(requiring: { $0.filter(files.contains) }) else { return }
        isBroken = true
        throw change
    }

    private func requireSession() throws(StorageError) -> SQLiteSession {
        guard let session else { throw SQLiteErrors.closed }
        return session
    }
}
