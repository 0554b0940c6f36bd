internal import BrowserSessions
internal import StorageEngines

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Copies the database and its log while another opener has them.
///
/// The database changes only when the log is copied into it, which the shared lock prevents; see
/// ``SQLiteReaders``. So the database is what it was when copying began, and any sound beginning of the
/// log that is read after that leads to a state that was saved. Frames are written in order, so the
/// ones that were there when the log was first looked at are sound once it is read.
///
/// A log that became too long is copied in spite of the lock. It then begins again, with another header:
/// a header that is still the same shows that whatever came into the database is also in the copy of the
/// log. A log that was replaced or removed shows the same of its name.
struct SQLiteLiveCopy {
    private let source: any FileDirectory

    /// A log may begin again once without being copied meanwhile, because it was copied before.
    private static let mostAttempts = 3
    private static let framesAtOnce = 256

    init(_ source: any FileDirectory) { self.source = source }

    func run(to target: any FileDirectory) throws(StorageError) {
        try share()
        defer { source.unlock() }
        for _ in 0..<Self.mostAttempts {
            for name in [SQLiteFormat.fileName, SQLiteFormat.logName] {
                try target.removeEntry(name)
            }
            let log = try openLog()
            let header = try log?.read(SQLiteLog.headerSize, at: 0) ?? []
            try copyDatabase(to: target)
            if let log, header.count == SQLiteLog.headerSize {
                try copy(log, header, to: target)
            }
            if try isStill(log, header) { return }
        }
        throw LiveStoreCopy.changed("the log began again")
    }

    /// Takes the lock, which is taken only while a log is copied into the database.
    private func share() throws(StorageError) {
        for _ in 0..<2500 {
            if try source.lockShared() { return }
            // waits: for a checkpoint of the owner, which takes milliseconds, and 2.5 s at most
            usleep(1000)
        }
        throw StorageError(
            .unavailable, "its owner has been copying the log into the database for seconds",
            operation: "copy")
    }

    private func openLog() throws(StorageError) -> (any OpenFile)? {
        do throws(StorageError) {
            return try source.open(SQLiteFormat.logName, mode: .read)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    private func isStill(_ log: (any OpenFile)?, _ header: [UInt8]) throws(StorageError) -> Bool {
        guard let log else { return try !source.has(SQLiteFormat.logName) }
        guard try !log.isRemoved() else { return false }
        return try log.read(SQLiteLog.headerSize, at: 0) == header
    }

    private func copyDatabase(to target: any FileDirectory) throws(StorageError) {
        let name = SQLiteFormat.fileName
        guard try source.has(name) else {
            throw StorageError(.notFound, "'\(source.path(of: name))' is gone", operation: "copy")
        }
        var file = try SQLiteFile(name, in: source)
        try file.copy(to: name, in: target)
    }

    /// Copies the sound beginning of the log. If it does not reach as far as the log did, copies the
    /// rest too: the inspection of the copy distinguishes unfinished writes from damage.
    private func copy(
        _ log: any OpenFile, _ header: [UInt8], to target: any FileDirectory
    ) throws(StorageError) {
        let name = SQLiteFormat.logName
        let size = try log.size()
        let last = try lastFrame(of: log, size, header)
        _ = try target.open(name, mode: .new)
        let copy = try target.open(name, mode: .append)
        try copy.write(header)
        let end = try copyFrames(of: log, header, to: copy)
        guard end < last else { return }
        for start in stride(from: end, to: size, by: 1 << 20) {
            try copy.write(try log.read(min(1 << 20, size - start), at: start))
        }
    }

    /// Copies frames up to the first one that is not sound; returns where that is.
    private func copyFrames(
        of log: any OpenFile, _ header: [UInt8], to copy: any OpenFile
    ) throws(StorageError) -> Int {
        var chain = SQLiteLogChain(header, isBigEndian: header[3] & 1 == 1)
        var end = SQLiteLog.headerSize
        guard chain.isUnbroken else { return end }
        let step = Self.framesAtOnce * SQLiteLog.frameSize
        // waits: for no more turns than the log has frames
        while true {
            let piece = try log.read(step, at: end)
            var sound = 0
            while sound + SQLiteLog.frameSize <= piece.count {
                _ = chain.take([UInt8](piece[sound..<sound + SQLiteLog.frameSize]))
                guard chain.isUnbroken else { break }
                sound += SQLiteLog.frameSize
            }
            try copy.write([UInt8](piece[..<sound]))
            end += sound
            if sound < step { return end }
        }
    }

    /// Returns the offset of the last frame of this run of the log, whether it is whole or not.
    private func lastFrame(
        of log: any OpenFile, _ size: Int, _ header: [UInt8]
    ) throws(StorageError) -> Int {
        let salt = header.pair(at: 16)
        let step = Self.framesAtOnce * SQLiteLog.frameSize
        var last = 0
        for start in stride(from: SQLiteLog.headerSize, to: size, by: step) {
            let piece = try log.read(min(step, size - start), at: start)
            for frame in stride(from: 0, to: piece.count - 16, by: SQLiteLog.frameSize)
            where piece.pair(at: frame + 8) == salt { last = start + frame }
        }
        return last
    }
}
