import BrowserSessions
import Expectations
import StorageEngines
import TestSupport

@testable import LevelDBBackend

/// What a power cut leaves between two steps of LevelDB, and damage that looks like it.
@Suite("LevelDB: what a cut leaves")
struct LevelDBCutTests {
    private let engine = LevelDBEngine()

    /// A database without a sync, killed when LevelDB had just begun a log that its manifest names.
    private func atNewLog() throws -> TemporaryFolder {
        let original = TemporaryFolder(inMemory: true)
        let store = try engine.open(original.path)
        for number in UInt8(0)..<5 {
            try store.put([UInt8](repeating: number, count: 1 << 20), [number], durably: false)
        }
        try store.maintain()
        let copy = try TemporaryFolder(copying: original.path)
        try store.close()
        return copy
    }

    private func named(_ scratch: TemporaryFolder) throws -> String {
        let manifest = try LevelDBManifest(of: PosixDirectory(opening: "\(scratch.path)/db"))
        return "\(scratch.path)/db/\(LevelDBFormat.fileName(manifest.firstLog, ".log"))"
    }

    @Test("a log can be absent if its name was not durable yet, unless the store was closed")
    func absentLog() throws {
        let scratch = try atNewLog()
        try FileSystem.remove(named(scratch))
        let closed = try TemporaryFolder(copying: scratch.path)
        let error = expect(throws: StorageError.self) {
            try engine.open(closed.path, wasClosed: true)
        }
        expect(error?.code, is: .corrupted)
        let store = try engine.open(scratch.path)
        expect(try store.keys(.metadata) == (0..<5).map { [$0] })
        expect(store.openingNotes, is: [])
        try store.close()
    }

    @Test("a log that had a durable name is missing")
    func missingLog() throws {
        let original = TemporaryFolder(inMemory: true)
        let store = try engine.open(original.path)
        try store.put([1], [1])
        let scratch = try TemporaryFolder(copying: original.path)
        try store.close()
        try FileSystem.remove(named(scratch))
        let error = expect(throws: StorageError.self) { try engine.open(scratch.path) }
        expect(error?.code, is: .corrupted)
    }

    @Test("where a later log is there, the one that the manifest names is missing")
    func missingBeforeLater() throws {
        let scratch = try atNewLog()
        try FileSystem.remove(named(scratch))
        try FileSystem.replace("\(scratch.path)/db/000900.log", with: [])
        let error = expect(throws: StorageError.self) { try engine.open(scratch.path) }
        expect(error?.code, is: .corrupted)
    }

    @Test("a closed database has the log that its manifest names, durably")
    func closedWithNewLog() throws {
        let scratch = TemporaryFolder(inMemory: true)
        let store = try engine.open(scratch.path)
        try store.put([UInt8](repeating: 1, count: 2 << 20), [1])
        try store.close()
        let names = LevelDBFileNames(try FileSystem.contents(of: "\(scratch.path)/db"))
        let log = try LevelDBManifest(of: PosixDirectory(opening: "\(scratch.path)/db")).firstLog
        expect(names.lastingLog, is: log)
        expect(names.lastingNames.count, is: 1)
    }

    @Test("an edit of the manifest that ends early costs nothing", arguments: [false, true])
    func tornManifest(closed: Bool) throws {
        let forge = LevelDBForge(try LevelDBForge.samples[closed ? 1 : 0].copy())
        try forge.change("MANIFEST-") { $0 += [UInt8](repeating: 0, count: 126) }
        let store = try engine.open(forge.scratch.path, wasClosed: closed)
        expect(try store.keys(.metadata).count == LevelDBForge.keysOfSample)
        try store.close()
    }

    @Test("nothing of a closed database changes before its mark is gone")
    func markFirst() throws {
        let scratch = try LevelDBForge.samples[1].copy()
        let before = try files(scratch)
        let request = OpenRequest(try PosixDirectory(opening: scratch.path), wasClosed: true) {
            () throws(StorageError) in throw StorageError(.failed, "the power is gone")
        }
        expect(expect(throws: StorageError.self) { try engine.open(request) }?.code, is: .failed)
        expect(try files(scratch) == before)
    }

    /// But for the list of tables that were looked at.
    private func files(_ scratch: TemporaryFolder) throws -> [String: [UInt8]] {
        try FileSystem.files(in: scratch.path).filter { !$0.key.hasSuffix("/checked") }
    }

    @Test("tables are looked at once, and again when somebody wrote to them")
    func checkedTables() throws {
        let forge = LevelDBForge(try LevelDBForge.samples[1].copy())
        let directory = try PosixDirectory(opening: forge.folder)
        try LevelDBInspection(of: directory).checkTables()
        let list = try FileSystem.read("\(forge.folder)/checked")
        expect(!list.isEmpty)
        let table = LevelDBForge.table([LevelDBForge.block(entries: [(0, [1], [1])])])
        try forge.put(table)
        let error = expect(throws: StorageError.self) {
            try LevelDBInspection(of: directory).checkTables()
        }
        expect(error?.code, is: .corrupted)
        expect(try FileSystem.read("\(forge.folder)/checked") == list)
    }
}
