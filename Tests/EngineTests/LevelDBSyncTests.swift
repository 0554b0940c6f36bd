import BrowserSessions
import Expectations
import StorageEngines
import Synchronization
import TestSupport

@testable import LevelDBBackend

/// When the directory of a database is synced: LevelDB's own syncs do not reach the name of a log.
@Suite("LevelDB directory syncs")
struct LevelDBSyncTests {
    /// What stood in the directory at each sync of it.
    private final class Witness: Sendable {
        private let seen = Mutex<[[String]]>([])

        var count: Int { seen.withLock { $0.count } }
        var lastNames: [String] { seen.withLock { $0.last ?? [] } }

        func directory(_ path: String) throws -> LevelDBDirectory {
            LevelDBDirectory(try PosixDirectory(opening: path)) { files throws(StorageError) in
                let names = try files.names()
                try files.sync()
                self.seen.withLock { $0.append(names) }
            }
        }
    }

    private let scratch = TemporaryFolder(inMemory: true)
    private let witness = Witness()
    private let store: LevelDBStore

    init() throws {
        try LevelDBEngine().open(scratch.path).close()
        store = try LevelDBStore(witness.directory("\(scratch.path)/db"), LevelDBSettings())
    }

    private func newestLog() throws -> String {
        let names = try FileSystem.contents(of: "\(scratch.path)/db")
        return try require(names.last { $0.hasSuffix(".log") })
    }

    /// More than LevelDB keeps in memory, so that it begins new logs and makes tables behind the
    /// saves.
    private static let burst = UInt8(0)..<40
    private static func value(_ number: UInt8) -> [UInt8] {
        [UInt8](repeating: number, count: 1 << 20)
    }

    @Test("A durable save is not answered before the name of its log is durable")
    func newLogs() throws {
        var logs: Set<String> = []
        for number in Self.burst {
            try store.put(Self.value(number), [number], in: .state)
            let log = try newestLog()
            logs.insert(log)
            expect(witness.lastNames.contains(log))
        }
        expect(logs.count >= 3)
        // Not one more often: every other save takes only the sync of its log.
        expect(witness.count, is: logs.count)
        try store.close()
    }

    @Test("Durable saves survive the loss of logs with names that were not synced")
    func lostNames() throws {
        var known = try newestLog()
        var cuts = 0
        for number in Self.burst {
            // Unsynced ones are between them, so that they begin logs too.
            try store.put(Self.value(number), [number], in: .state, durably: number % 2 == 0)
            guard number % 2 == 0, try newestLog() != known else { continue }
            known = try newestLog()
            cuts += 1
            let copy = try TemporaryFolder(copying: scratch.path)
            for name in try FileSystem.contents(of: "\(copy.path)/db")
            where name.hasSuffix(".log") && !witness.lastNames.contains(name) {
                try FileSystem.remove("\(copy.path)/db/\(name)")
            }
            let survivor = try LevelDBEngine().open(copy.path)
            expect(try survivor.keys(.state) == (0...number).map { [$0] })
            try survivor.close()
        }
        expect(cuts >= 2)
        try store.close()
    }

    @Test("Nor is a durable save after unsynced ones that began the log")
    func newLogsOfUnsyncedSaves() throws {
        for number in Self.burst {
            try store.put(Self.value(number), [number], in: .state, durably: false)
        }
        expect(witness.count, is: 1)
        expect(try !witness.lastNames.contains(newestLog()))
        try store.put([1], [1])
        expect(try witness.lastNames.contains(newestLog()))
        expect(witness.count, is: 2)
        try store.close()
    }

    @Test("Nor is a sync without a save")
    func syncWithoutSave() throws {
        try store.put([1], [1], durably: false)
        try store.sync()
        expect(witness.count, is: 1)
        for number in Self.burst {
            try store.put(Self.value(number), [number], in: .state, durably: false)
        }
        try store.sync()
        expect(try witness.lastNames.contains(newestLog()))
        expect(witness.count, is: 2)
        try store.close()
    }

    @Test("Saves after opening and after maintenance need no sync of the directory")
    func quietDirectory() throws {
        expect(witness.count, is: 1)
        for number in UInt8(0)..<20 { try store.put([number], [number]) }
        expect(witness.count, is: 1)
        for number in UInt8(0)..<5 { try store.put(Self.value(number), [number], in: .state) }
        try store.maintain()
        expect(witness.count, is: 2)
        expect(try witness.lastNames.contains(newestLog()))
        for number in UInt8(0)..<20 { try store.put([number], [number], durably: number % 2 == 0) }
        expect(witness.count, is: 2)
        // After saves without a sync, maintenance does not sync; the next durable save makes up for it.
        for number in UInt8(0)..<5 {
            try store.put(Self.value(number), [number], in: .state, durably: false)
        }
        try store.maintain()
        expect(witness.count, is: 2)
        try store.put([1], [1])
        expect(witness.count, is: 3)
        expect(try witness.lastNames.contains(newestLog()))
        try store.close()
    }

    @Test("Tables that were made behind the saves are private when the store is closed")
    func privateFiles() throws {
        for number in Self.burst { try store.put(Self.value(number), [number], in: .state) }
        try store.close()
        for name in try FileSystem.contents(of: "\(scratch.path)/db") {
            let status = try FileSystem.status("\(scratch.path)/db/\(name)")
            expect(status?.permissions, is: 0o600, "\(name)")
        }
    }
}
