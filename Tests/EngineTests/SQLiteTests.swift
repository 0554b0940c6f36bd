import BrowserSessions
import Expectations
import StorageEngines
import TestSupport

@testable import SQLiteBackend

/// What SQLite alone gets wrong, and the engine puts right.
@Suite("SQLite engine")
struct SQLiteTests {
    private let engine = SQLiteEngine()

    @Test("Salvage reads what is behind a break in the log", arguments: [0, 3, 8, 9])
    func salvageBehindBreak(commit: Int) throws {
        let copy = try engine.killedStore(10, durably: true)
        try breakLog(of: copy, at: commit)
        var found: Set<UInt8> = []
        _ = try engine.salvage(copy.path) { _, key, value in
            if value.count == 100 { found.insert(key[0]) }
        }
        // The last commit alone may be one that never ended.
        expect(found, is: Set(0..<(commit == 9 ? 9 : 10)))
    }

    @Test(
        "Salvage visits the version of a record that was written last after the others",
        arguments: [3, 8])
    func salvageInOrder(commit: Int) throws {
        let copy = try engine.killedStore(10, durably: true, keys: 1)
        try breakLog(of: copy, at: commit)
        var found: [UInt8] = []
        _ = try engine.salvage(copy.path) { _, _, value in
            if let number = value.first, value.count == 100 { found.append(number) }
        }
        expect(found.count > 1 && found == found.sorted() && found.last == 9)
    }

    @Test("Only a copy that need not survive a power cut is opened without syncs")
    func temporary() throws {
        let store = try engine.killedStore(1)
        let directory = try PosixDirectory(opening: store.path)
        for (place, level) in [
            (directory as any FileDirectory, "2"), (directory.asTemporary(), "0"),
        ] {
            let database = try engine.connect(to: place)
            expect(try database.texts("PRAGMA synchronous") == [level])
        }
    }

    /// Flips a bit; every commit is one page here.
    private func breakLog(of store: TemporaryFolder, at commit: Int) throws {
        let log = "\(store.path)/sessions.db-wal"
        try FileSystem.change(log) { $0[32 + 4120 * commit + 2000] ^= 1 }
    }

    @Test("A lost durable commit is damage, and nothing is changed", arguments: [0, 4, 8])
    func lostDurableCommit(commit: Int) throws {
        let copy = try engine.killedStore(10, durably: true)
        try breakLog(of: copy, at: commit)
        let before = try FileSystem.read("\(copy.path)/sessions.db-wal")
        let error = expect(throws: StorageError.self) { try engine.open(copy.path) }
        expect(error?.code, is: .corrupted)
        expect(try FileSystem.read("\(copy.path)/sessions.db-wal") == before)
    }

    @Test("A torn last commit is left out with a note", arguments: [true, false])
    func tornTail(durably: Bool) throws {
        let copy = try engine.killedStore(10, durably: durably)
        try breakLog(of: copy, at: 9)
        let store = try engine.open(copy.path)
        expect(store.openingNotes.count, is: 1)
        expect(try store.keys(.metadata) == (0..<9).map { [$0] })
        try store.close()
    }

    @Test("Of unsynced commits a prefix survives", arguments: [0, 4, 8])
    func lostUnsyncedCommit(commit: Int) throws {
        let copy = try engine.killedStore(10, durably: false)
        try breakLog(of: copy, at: commit)
        let store = try engine.open(copy.path)
        expect(store.openingNotes.count, is: 1)
        expect(try store.keys(.metadata) == (0..<UInt8(commit)).map { [$0] })
        try store.close()
    }

    @Test("A commit of many pages may be torn anywhere", arguments: 0..<6)
    func tornLargeCommit(page: Int) throws {
        let original = TemporaryFolder(inMemory: true)
        let store = try engine.open(original.path)
        try store.put([1], [1])
        let start = 32 + 4120
        var batch = ByteBatch()
        for number in UInt8(2)..<30 {
            batch.put([UInt8](repeating: number, count: 900), for: [number], in: .metadata)
        }
        try store.write(batch, durably: true)
        let copy = try TemporaryFolder(copying: original.path)
        try store.close()
        try FileSystem.change("\(copy.path)/sessions.db-wal") { $0[start + 4120 * page + 100] ^= 1 }
        let revived = try engine.open(copy.path)
        expect(try revived.keys(.metadata) == [[1]])
        try revived.close()
    }

    /// Killed with its first page in the log.
    private func grownStore() throws -> TemporaryFolder {
        let original = try engine.killedStore(10, durably: true)
        let store = try engine.open(original.path)
        try store.put([UInt8](repeating: 1, count: 3_000_000), [99], in: .state)
        let copy = try TemporaryFolder(copying: original.path)
        try store.close()
        return copy
    }

    @Test("A first page that was torn while the log was brought in is in the log")
    func tornFirstPage() throws {
        let copy = try grownStore()
        try FileSystem.change("\(copy.path)/sessions.db") { bytes in
            for index in 0..<512 { bytes[index] = 0 }
        }
        let again = try engine.open(copy.path)
        expect(try again.keys(.metadata) == (0..<10).map { [$0] })
        try again.close()
    }

    @Test("An emptied database is damage, whatever its log has")
    func emptied() throws {
        let copy = try grownStore()
        try FileSystem.replace("\(copy.path)/sessions.db", with: [])
        let error = expect(throws: StorageError.self) { try engine.open(copy.path) }
        expect(error?.code, is: .corrupted)
    }

    @Test("Databases of others and of the future are refused", arguments: [60, 68])
    func foreign(place: Int) throws {
        let scratch = TemporaryFolder(inMemory: true)
        try engine.open(scratch.path).close()
        let path = "\(scratch.path)/sessions.db"
        try FileSystem.change(path) { $0[place + 3] &+= 1 }
        let flipped = expect(throws: StorageError.self) { try engine.open(scratch.path) }
        expect(flipped?.code, is: .corrupted)
        do {
            let database = try SQLiteDatabase(opening: path)
            try database.execute("DROP TABLE metadata; VACUUM", "test")
        }
        let before = try FileSystem.read(path)
        let error = expect(throws: StorageError.self) { try engine.open(scratch.path) }
        expect(error?.code, is: .incompatibleFormat)
        expect(try FileSystem.read(path) == before)
    }

    @Test("An unfinished draft of a database is no database")
    func draft() throws {
        let scratch = TemporaryFolder(inMemory: true)
        try FileSystem.replace("\(scratch.path)/sessions.db.new", with: [1, 2, 3])
        let store = try engine.open(scratch.path)
        try store.put([1], [1])
        expect(
            try Set(FileSystem.contents(of: scratch.path)) == ["sessions.db", "sessions.db-wal"])
        try store.close()
        expect(try FileSystem.contents(of: scratch.path) == ["sessions.db"])
    }
}
