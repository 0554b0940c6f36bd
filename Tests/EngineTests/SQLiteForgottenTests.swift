import BrowserSessions
import Expectations
import StorageConformance
import StorageEngines
import Synchronization
import TestSupport

@testable import SQLiteBackend

/// Syncs that fail where SQLite does not look, and disks that acknowledge a sync and forget the bytes.
@Suite("SQLite and forgotten bytes")
struct SQLiteForgottenTests {
    private let engine = SQLiteEngine()

    /// A directory in which the next sync may fail.
    private final class Failing: FileDirectoryDecorator {
        let base: any FileDirectory
        private let failures = Mutex(0)

        init(_ path: String) throws { base = try PosixDirectory(opening: path) }

        func failOnce() { failures.withLock { $0 = 1 } }

        func sync() throws(StorageError) {
            let fails = failures.withLock { count in
                defer { count = 0 }
                return count > 0
            }
            if fails { throw StorageError(.failed, "the sync failed") }
            try base.sync()
        }
    }

    @Test("No durable save is acknowledged before the name of the log is durable")
    func nameOfLog() throws {
        let scratch = TemporaryFolder(inMemory: true)
        try engine.open(scratch.path).close()
        let directory = try Failing(scratch.path)
        let store = try engine.open(OpenRequest(directory, wasClosed: true))
        try store.put([1], [1], durably: false)
        directory.failOnce()
        expect(throws: StorageError.self) { try store.put([2], [2]) }
        for durably in [true, false] {
            let error = expect(throws: StorageError.self) {
                try store.put([3], [3], durably: durably)
            }
            expect(error?.code, is: .durabilityLost)
        }
        expect(try store.keys(.metadata) == [[1]])
        try store.close()
        let again = try engine.open(OpenRequest(directory, wasClosed: false))
        expect(try again.keys(.metadata) == [[1]])
        try again.put([2], [2])
        // Once is enough.
        directory.failOnce()
        try again.put([4], [4])
        try again.close()
    }

    /// A store in which the log begins again with the last of its saves: its new database and its log before
    /// them, and the store after them.
    private func restartedLog(
        saves: Int = 1, durably: Bool = true
    ) throws -> (database: [UInt8], before: [UInt8], after: TemporaryFolder) {
        let original = TemporaryFolder(inMemory: true)
        try engine.open(original.path).close()
        let database = try FileSystem.read("\(original.path)/sessions.db")
        let store = try engine.open(original.path)
        var number = 0
        while !store.wantsMaintenance || number < 10 {
            try store.put([UInt8(number % 256)], [UInt8(number % 10)])
            try store.put([UInt8](repeating: 1, count: 400_000), [1], in: .state)
            number += 1
        }
        try store.maintain()
        let before = try FileSystem.read("\(original.path)/sessions.db-wal")
        for key in 0..<saves { try store.put([1, 2, 3], [77 + UInt8(key)], durably: durably) }
        let after = try TemporaryFolder(copying: original.path)
        try store.close()
        return (database, before, after)
    }

    /// Changes the log of a store.
    private func changeLog(
        of store: TemporaryFolder, _ change: (inout [UInt8]) throws -> Void
    ) throws {
        try FileSystem.change("\(store.path)/sessions.db-wal", change)
    }

    private func expectFound(_ keys: Int, in store: TemporaryFolder) throws {
        let error = expect(throws: StorageError.self) { try engine.open(store.path) }
        expect(error?.code, is: .corrupted)
        var found: Set<[UInt8]> = []
        _ = try engine.salvage(store.path) { _, key, _ in found.insert([UInt8](key)) }
        expect(found.count, is: keys)
    }

    @Test("A log without its new header is damage, and what stands behind it is found")
    func header() throws {
        let (_, before, after) = try restartedLog()
        try changeLog(of: after) { $0.replaceSubrange(0..<32, with: before[..<32]) }
        try expectFound(11, in: after)
    }

    @Test("A database that forgot what was brought into it is damage, and the log has it")
    func broughtIn() throws {
        let (database, before, after) = try restartedLog()
        // The new header was written, and no commit behind it.
        try changeLog(of: after) { $0.replaceSubrange(32..., with: before[32...]) }
        let whole = try TemporaryFolder(copying: after.path)
        let store = try engine.open(whole.path)
        expect(try store.keys(.metadata).count == 10)
        try store.close()
        try FileSystem.replace("\(after.path)/sessions.db", with: database)
        try expectFound(10, in: after)
    }

    @Test(
        "A torn write over what was brought into the database is no damage",
        arguments: [1, 150, 300, 600])
    func tornOver(frame: Int) throws {
        let (_, before, after) = try restartedLog()
        try changeLog(of: after) { bytes in
            bytes.replaceSubrange(32..., with: before[32...])
            // One sector of the new write, and no header of its frames.
            bytes[SQLiteLog.size(of: frame) + SQLiteLog.frameHeaderSize + 600] ^= 0x5A
        }
        let store = try engine.open(after.path)
        expect(try store.keys(.metadata).count == 10)
        try store.close()
    }

    @Test(
        "A durable save with a destroyed end is missed as soon as another has begun",
        arguments: [true, false])
    func destroyedEnd(durably: Bool) throws {
        let original = TemporaryFolder(inMemory: true)
        let store = try engine.open(original.path)
        try store.put([1], [1])
        try store.put([UInt8](repeating: 2, count: 6000), [2], durably: durably)
        let end = try endOfCommits(in: TemporaryFolder(copying: original.path))
        try store.put([UInt8](repeating: 3, count: 6000), [3])
        // The header alone of its first frame, the frame, and all of it.
        for rest in [SQLiteLog.frameHeaderSize, SQLiteLog.frameSize, .max] {
            let copy = try TemporaryFolder(copying: original.path)
            try changeLog(of: copy) { bytes in
                for place in end / 512 * 512 - 512..<end / 512 * 512 { bytes[place] ^= 0x5A }
                if rest < .max {
                    for place in (end + rest)..<bytes.count { bytes[place] = 0 }
                }
            }
            try copy.expectDestroyedEnd(behind: [[1]], isMissed: durably, by: engine)
        }
        try store.close()
    }

    @Test(
        "What follows misses a durable save with a destroyed end and a destroyed header behind it",
        arguments: [true, false])
    func destroyedHeader(durably: Bool) throws {
        let original = TemporaryFolder(inMemory: true)
        let store = try engine.open(original.path)
        try store.put([1], [1])
        try store.put([UInt8](repeating: 2, count: 6000), [2], durably: durably)
        let end = try endOfCommits(in: TemporaryFolder(copying: original.path))
        try store.put([3], [3])
        let copy = try TemporaryFolder(copying: original.path)
        try changeLog(of: copy) { bytes in
            for place in end - 400..<end + SQLiteLog.frameHeaderSize { bytes[place] ^= 0x5A }
        }
        try copy.expectDestroyedEnd(behind: [[1]], isMissed: durably, by: engine)
        try store.close()
    }

    @Test("An image of an earlier round behind a torn write says nothing of this one")
    func imageOfEarlierRound() throws {
        let (database, before, after) = try restartedLog()
        let size = SQLiteLog.frameSize
        // The last image of the metadata, which has records of durable batches.
        let count = (before.count - SQLiteLog.headerSize) / size
        let frames = (0..<count).map { before[SQLiteLog.size(of: $0)..<SQLiteLog.size(of: $0 + 1)] }
        let metadata = try require(frames.last { $0.prefix(4) == [0, 0, 0, 2] })
        try changeLog(of: after) { bytes in
            bytes[SQLiteLog.size(of: 0) + 600] ^= 0x5A
            bytes.replaceSubrange(SQLiteLog.size(of: 1)..., with: metadata)
        }
        expect(try FileSystem.read("\(after.path)/sessions.db-wal").count == 32 + 2 * size)
        try FileSystem.replace("\(after.path)/sessions.db", with: database)
        let store = try engine.open(after.path)
        expect(try store.keys(.metadata) == [])
        try store.close()
    }

    @Test("A header that was being written ends no commit, whatever is old in it")
    func tornHeader() throws {
        let original = TemporaryFolder(inMemory: true)
        let store = try engine.open(original.path)
        try store.put([1], [1])
        let end = try endOfCommits(in: TemporaryFolder(copying: original.path))
        try store.put([UInt8](repeating: 2, count: 20_000), [2])
        for frame in 0..<3 {
            let copy = try TemporaryFolder(copying: original.path)
            try changeLog(of: copy) { bytes in
                let header = end + frame * SQLiteLog.frameSize
                // As of a frame that ended a commit there before: the pages of the database, and some of
                // its sum.
                bytes[header + 7] = 9
                bytes[header + 20] ^= 0x5A
            }
            try copy.expectDestroyedEnd(behind: [[1]], isMissed: false, by: engine)
        }
        try store.close()
    }

    @Test("A torn write over writes that had not ended is no damage")
    func tornOverUnfinished() throws {
        let (_, _, first) = try restartedLog(saves: 3, durably: false)
        let page = SQLiteLog.size(of: 0) + SQLiteLog.frameHeaderSize
        // Of these writes none counts after the cut, but all behind the first are whole.
        try changeLog(of: first) { bytes in
            bytes[page] ^= 0x5A
            // A larger log is emptied by the opening.
            bytes.removeSubrange(SQLiteLog.size(of: 20)...)
        }
        let store = try engine.open(first.path)
        try store.put([9], [9])
        let second = try TemporaryFolder(copying: first.path)
        try store.close()
        // The next cut comes while that is synced.
        try changeLog(of: second) { $0[page + 600] ^= 0x5A }
        let keys = (0..<10).map { [UInt8($0)] }
        try second.expectDestroyedEnd(behind: keys, isMissed: false, by: engine)
    }

    @Test("What looks like columns in a torn page is no row unless it fills the payload")
    func tornRow() {
        // A key of ten bytes, the batch, and a value of 36.
        let payload = [4, 32, 1, 84] + [UInt8](repeating: 0, count: 10) + [0x17]
        let bytes = payload + [UInt8](repeating: 0, count: 49)
        for (size, number) in [(51, 5), (50, nil), (64, nil)] as [(Int, UInt64?)] {
            let cell = SQLiteRecords.Cell(size: size, local: bytes[..<size], overflow: 0)
            expect(SQLiteRecords.batch(of: cell)?.number, is: number, "\(size)")
        }
    }

    private func endOfCommits(in store: TemporaryFolder) throws -> Int {
        let log = try PosixDirectory(opening: store.path).open("sessions.db-wal", mode: .read)
        return SQLiteLog.size(of: try SQLiteLog(log, of: nil).committedCount)
    }
}
