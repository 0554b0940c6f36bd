import BrowserSessions
import Expectations
import SessionSamples
import StorageEngines
import TestSupport

/// What engines salvage of sound files. What comes of damage is tried with the backends: RECOVERY-3, -6 and -18.
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
            var random = SeededGenerator(seed: 11)
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

        private static func records(_ step: Int, _ random: inout SeededGenerator) -> [Record] {
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
}
