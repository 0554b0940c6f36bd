import BrowserSessions
import Expectations
import LocalFiles
import StorageEngines
import TestSupport

/// What engines salvage of damaged files, and that an absent file is damage. What comes of damage in a
/// store is tried with the backends.
@Suite("Damage")
struct DamageTests {
    /// A store with removed, replaced and large records, in tables and pages as well as in a log.
    final class Sample {
        let scratch: TemporaryFolder
        private(set) var current: [Record: [UInt8]] = [:]
        private(set) var removed: Set<Record> = []

        struct Record: Hashable {
            var space: KeySpace
            var key: [UInt8]
        }

        init(_ engine: any SalvagingFileEngine, closed: Bool) throws {
            scratch = TemporaryFolder(inMemory: true)
            let original = TemporaryFolder(inMemory: true)
            var random = Seeded(11)
            var store = try engine.open(original.path)
            for step in 0..<120 {
                var batch = ByteBatch()
                for record in Self.records(step, &random) {
                    if step > 40, Int.random(in: 0..<6, using: &random) == 0 {
                        batch.remove(record.key, in: record.space)
                        if current.removeValue(forKey: record) != nil { removed.insert(record) }
                    } else {
                        let size = record.space == .state ? 9000 : 300
                        let count = Int.random(in: 0..<size, using: &random)
                        // As long as with the checksum of a record.
                        let value = random.bytes(count) + [1, 2, 3, 4]
                        batch.put(value, for: record.key, in: record.space)
                        current[record] = value
                        removed.remove(record)
                    }
                }
                try store.write(batch, durably: true)
                if step % 30 == 20 {
                    try store.close()
                    store = try engine.open(original.path)
                }
            }
            if closed { try store.close() }
            try scratch.fill(from: original.path)
            if !closed { try store.close() }
        }

        private static func records(_ step: Int, _ random: inout Seeded) -> [Record] {
            let number = UInt8.random(in: 0..<50, using: &random)
            return [
                Record(space: .metadata, key: [0x74, number, 0]),
                Record(space: .state, key: [number, 1]),
                Record(space: .metadata, key: [0x6D]),
            ]
        }

        var files: [String] {
            get throws { try TemporaryFolder.files(in: scratch.path) }
        }
    }

    private func flipBit(of path: String, _ random: inout Seeded) throws {
        var bytes = try FileSystem.read(path)
        guard !bytes.isEmpty else { return }
        bytes[Int.random(in: bytes.indices, using: &random)] ^=
            1 << UInt8.random(in: 0..<8, using: &random)
        try FileSystem.replace(path, with: bytes)
    }

    @Test(
        "Salvage of an undamaged store is complete and revives nothing",
        arguments: TestedEngine.all, [false, true])
    func completeSalvage(tested: TestedEngine, closed: Bool) throws {
        let sample = try Sample(tested.engine, closed: closed)
        var found: [Sample.Record: Set<[UInt8]>] = [:]
        let notes = try tested.engine.salvage(sample.scratch.path) { space, key, value in
            found[.init(space: space, key: [UInt8](key)), default: []].insert([UInt8](value))
        }
        expect(notes.isEmpty)
        for (record, value) in sample.current {
            expect(found[record]?.contains(value), is: true)
        }
        expect(sample.removed.isDisjoint(with: found.keys))
        expect(!sample.removed.isEmpty)
    }

    @Test("One flipped bit costs few records", arguments: TestedEngine.all, [false, true])
    func blastRadius(tested: TestedEngine, closed: Bool) throws {
        let sample = try Sample(tested.engine, closed: closed)
        var random = Seeded(7)
        var worst = 0
        for file in try sample.files {
            for _ in 0..<TestRun.amount(4, nightly: 10) {
                let copy = try TemporaryFolder(copying: sample.scratch.path)
                try flipBit(of: "\(copy.path)/\(file)", &random)
                var found: Set<Sample.Record> = []
                _ = try tested.engine.salvage(copy.path) { space, key, value in
                    let record = Sample.Record(space: space, key: [UInt8](key))
                    if sample.current[record] == [UInt8](value) { found.insert(record) }
                }
                worst = max(worst, sample.current.count - found.count)
            }
        }
        // A page or block of 4 KiB holds about as many.
        expect(worst <= 15)
    }

    @Test("A missing file is damage, never a new store", arguments: TestedEngine.all)
    func missingFiles(tested: TestedEngine) throws {
        var refused = 0
        for closed in [false, true] {
            let sample = try Sample(tested.engine, closed: closed)
            for file in try sample.files
            where !["LOG", "LOG.old", "LOCK", "sessions.db-wal"].contains(where: file.hasSuffix) {
                let copy = try TemporaryFolder(copying: sample.scratch.path)
                try FileSystem.remove("\(copy.path)/\(file)")
                // An empty directory is a new store, by contract.
                if try FileSystem.contents(of: copy.path).isEmpty { continue }
                do {
                    // A kill during a compaction leaves files that nothing needs.
                    let store = try tested.engine.open(copy.path)
                    for (record, value) in sample.current {
                        expect(try store.value(of: record.key, in: record.space) == value)
                    }
                    try store.close()
                } catch let error as StorageError {
                    expect(error.code, is: .corrupted, "\(file)")
                    refused += 1
                }
            }
        }
        expect(refused >= (tested.engine.name == "leveldb" ? 6 : 1))
    }
}
