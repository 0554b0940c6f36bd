import BrowserSessions
import Expectations
import SessionSamples
import StorageEngines
import TestSupport

@testable import SQLiteBackend

/// Databases that somebody prepared for the programs that open them.
@Suite("Hostile SQLite databases", .timeLimit(.minutes(10)))
struct SQLiteHostileTests {
    private let engine = SQLiteEngine()

    private func store(_ count: UInt8 = 10) throws -> TemporaryFolder {
        let scratch = TemporaryFolder(inMemory: true)
        let store = try engine.open(scratch.path)
        for number in 0..<count { try store.put([number, 7], [number]) }
        try store.close()
        return scratch
    }

    private func run(_ sql: String, in store: TemporaryFolder) throws {
        let database = try SQLiteDatabase(opening: "\(store.path)/sessions.db")
        try database.execute(sql, "prepare")
    }

    private func salvaged(_ store: TemporaryFolder) throws -> [[UInt8]: [UInt8]] {
        var found: [[UInt8]: [UInt8]] = [:]
        _ = try engine.salvage(store.path) { _, key, value in found[[UInt8](key)] = [UInt8](value) }
        return found
    }

    private func expectRefused(_ store: TemporaryFolder) throws {
        let error = expect(throws: StorageError.self) { try engine.open(store.path) }
        expect(error?.code, is: .corrupted)
    }

    private static let endless =
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c"

    private static let schemas = [
        "CREATE TRIGGER t AFTER INSERT ON metadata BEGIN \(endless); END",
        "CREATE TRIGGER t BEFORE DELETE ON state BEGIN \(endless); END",
        "CREATE VIEW more AS \(endless)",
        "DROP VIEW readable_tabs",
        "DROP VIEW readable_tabs; CREATE VIEW readable_tabs AS \(endless)",
        "CREATE INDEX i ON metadata(length(hex(randomblob(9 + length(key)))))",
        "CREATE INDEX i ON metadata(batch) WHERE length(value) > 3",
        "CREATE TABLE other(x)",
        "ALTER TABLE state ADD COLUMN more GENERATED ALWAYS AS (hex(value)) VIRTUAL",
        "ALTER TABLE state ADD COLUMN more DEFAULT 7",
        "CREATE VIRTUAL TABLE v USING fts5(x)",
        "ANALYZE",
        """
        PRAGMA ignore_check_constraints = 1;
        CREATE TABLE m(key BLOB PRIMARY KEY, batch INTEGER NOT NULL, value BLOB NOT NULL
            CHECK(length(hex(zeroblob(400000000))) > 7)) WITHOUT ROWID;
        INSERT INTO m SELECT * FROM metadata; DROP TABLE metadata;
        ALTER TABLE m RENAME TO metadata
        """,
        "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = sql || ' ' WHERE rowid = 1",
        "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'state'",
        "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET rootpage = 1 WHERE rowid = 1",
        "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = zeroblob(3000000)",
        "PRAGMA writable_schema = 1; DELETE FROM sqlite_schema WHERE type = 'index'",
        "PRAGMA auto_vacuum = FULL; PRAGMA journal_mode = DELETE; VACUUM; PRAGMA journal_mode = WAL",
        "PRAGMA journal_mode = DELETE",
    ]

    @Test("Any other schema is damage, and what is there is read without SQL", arguments: schemas)
    func schema(sql: String) throws {
        for isInLog in [false, true] {
            let original = try store()
            let before = try salvaged(original)
            let copy: TemporaryFolder
            do {
                let database = try SQLiteDatabase(opening: "\(original.path)/sessions.db")
                // Some systems have SQLite without some of its modules.
                guard (try? database.execute(sql, "prepare")) != nil else { continue }
                copy = try TemporaryFolder(copying: original.path)
            }
            let hostile = isInLog ? copy : original
            try expectRefused(hostile)
            let found = try salvaged(hostile)
            expect(before.allSatisfy { found[$0.key] == $0.value } && before.count == 10)
        }
    }

    @Test("A store with a hostile database is read, repaired and removed")
    func wholeStore() throws {
        let scratch = TemporaryFolder(inMemory: true)
        var configuration = StorageConfiguration(location: "\(scratch.path)/store")
        let backend = StorageBackend.sqlite
        let filled = try require(try backend.openBlocking(configuration) as? OrderedSessionStorage)
        var random = SeededGenerator(seed: 4)
        let session = SessionID(window: .random(using: &random), kind: .regular)
        var changes = SessionChanges()
        changes.put(
            TabMetadata(id: .random(using: &random), place: .between(nil, and: nil), url: "a:b"),
            in: session)
        _ = try filled.saveBlocking(changes)
        let expected = try filled.restoreBlocking([session])
        try filled.closeBlocking()
        let database = try SQLiteDatabase(
            opening: "\(configuration.location)/regular/sessions.db")
        try database.execute(Self.schemas[0], "prepare")
        for (access, quarantined) in [("readOnly", 0), ("readWrite", 1), ("readWrite", 1)] {
            configuration.options["access"] = .text(access)
            let store = try require(
                try backend.openBlocking(configuration) as? OrderedSessionStorage)
            expect(try store.restoreBlocking([session]).map(\.tabs) == expected.map(\.tabs))
            let report = try store.checkBlocking()
            expect(report.losses == [] && report.quarantined.count == quarantined)
            if access == "readWrite" { _ = try store.checkBlocking(.repair) }
            try store.closeBlocking()
        }
        expect(try backend.removeBlocking(configuration))
    }

    @Test("What people do with a database does no harm")
    func people() throws {
        let original = try store()
        try run("SELECT count(*) FROM readable_tabs; VACUUM; REINDEX", in: original)
        let store = try engine.open(original.path)
        expect(try store.keys(.metadata).count == 10)
        expect(try store.verify().isEmpty)
        try store.close()
    }

    @Test("A journal is not brought into the database")
    func journal() throws {
        let original = try store()
        // Its header says that page 1 is zeros.
        var bytes: [UInt8] = [
            0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7, 0xFF, 0xFF, 0xFF, 0xFF,
        ]
        bytes += [UInt8](repeating: 0, count: 512 + 4096)
        try FileSystem.replace("\(original.path)/sessions.db-journal", with: bytes)
        let before = try FileSystem.read("\(original.path)/sessions.db")
        try expectRefused(original)
        expect(try FileSystem.contents(of: original.path).count == 2)
        expect(try FileSystem.read("\(original.path)/sessions.db") == before)
        expect(try salvaged(original).count == 10)
    }

    @Test("A connection can neither run what a file brings along nor change its schema")
    func connection() throws {
        let scratch = try store()
        try run("CREATE TABLE n(x); CREATE VIEW w AS SELECT 1", in: scratch)
        try run(
            "CREATE TRIGGER t AFTER INSERT ON metadata BEGIN INSERT INTO n VALUES(1); END",
            in: scratch)
        let database = try SQLiteDatabase(opening: "\(scratch.path)/sessions.db")
        try SQLiteOptions.apply(to: database)
        try database.execute("INSERT INTO metadata VALUES(x'77', 2, x'00')", "test")
        expect(try database.numbers("SELECT count(*) FROM n").map(\.value) == [0])
        for sql in [
            "SELECT * FROM w", "ATTACH ':memory:' AS other", "SELECT load_extension('x')",
            "PRAGMA writable_schema = 1; DELETE FROM sqlite_schema",
            "SELECT 1 UNION SELECT 2 UNION SELECT 3",
            "SELECT \(String(repeating: "(", count: 200))1",
        ] {
            expect(throws: StorageError.self, "\(sql)") { try database.execute(sql, "test") }
        }
    }

    private static let batches = [
        "9223372036854775807", "-9223372036854775808", "-1", "72057594037927936", "'text'", "''",
        "x'00'", "zeroblob(100000)", "1e300", "-0.5", "'9e999'",
    ]

    @Test("Numbers of batches that are none of ours are damage", arguments: batches)
    func batch(value: String) throws {
        let scratch = try store()
        let database = try SQLiteDatabase(opening: "\(scratch.path)/sessions.db")
        try database.execute("UPDATE metadata SET batch = \(value) WHERE key = x'03'", "test")
        let killed = try TemporaryFolder(copying: scratch.path)
        let before = try FileSystem.read("\(killed.path)/sessions.db-wal")
        for _ in 1...2 { try expectRefused(killed) }
        // Nothing was brought into the database.
        expect(try FileSystem.read("\(killed.path)/sessions.db-wal").starts(with: before))
        expect(try salvaged(killed).count == 10)
    }

    @Test("The largest number of a batch can be read, and no batch follows it")
    func largestBatch() throws {
        let scratch = try store()
        try run("UPDATE metadata SET batch = 72057594037927935 WHERE key = x'03'", in: scratch)
        let store = try engine.open(scratch.path)
        expect(try store.keys(.metadata).count == 10)
        expect(expect(throws: StorageError.self) { try store.put([1], [1]) }?.code, is: .tooLarge)
        expect(try store.value(of: [1], in: .metadata) == [1, 7])
        try store.close()
    }
}
