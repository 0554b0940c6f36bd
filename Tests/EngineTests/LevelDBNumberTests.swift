import BrowserSessions
import Expectations
import StorageEngines
import TestSupport

@testable import LevelDBBackend

/// Numbers and places that no database of LevelDB's has, with right checksums or where none is. LevelDB
/// stops the process over most of them.
@Suite("LevelDB: numbers from the disk")
struct LevelDBNumberTests {
    /// A way to damage a database, and whether all its records are there all the same.
    struct Recipe: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isWhole: Bool
        let damage: @Sendable (LevelDBForge) throws -> Void

        init(
            _ name: String, isWhole: Bool = true,
            _ damage: @escaping @Sendable (LevelDBForge) throws -> Void
        ) {
            (testDescription, self.isWhole, self.damage) = (name, isWhole, damage)
        }
    }

    private static let greatest: [UInt64] = [.max, 1 << 63, (1 << 56) - 1, (1 << 56) - 2, 1 << 55]
    private static let key = [UInt8](repeating: 0x6D, count: 9) + LevelDBForge.little(1, 8)

    private static let edits: [Recipe] = greatest.flatMap { value in
        [(2, "log number"), (3, "next file"), (4, "last sequence"), (9, "previous log")].map {
            tag, name in
            Recipe("\(name) \(value)") {
                try $0.edit([[tag], LevelDBForge.number(value)])
            }
        } + [
            Recipe("table \(value)") {
                try $0.edit(table(level: 0, value, size: 10))
            },
            Recipe("size \(value)") {
                try $0.edit(table(level: 0, 4, size: value))
            },
            Recipe("sequence \(value)") {
                let batch = LevelDBForge.little(value, 8) + LevelDBForge.little(1, 4)
                try $0.add(
                    "009000.log", LevelDBForge.record(batch + [1] + [2, 0x6D, 7] + [1, 7]))
            },
            Recipe("names \(value)") {
                for ending in [".log", ".ldb", ".sst", ".log.kept"] {
                    try $0.add("\(value)\(ending)", [])
                }
                try $0.add("lasting-\(value)", [])
            },
            Recipe("current \(value)") {
                try $0.add("CURRENT", [UInt8]("MANIFEST-\(value)\n".utf8))
            },
        ]
    }

    private static func table(
        level: UInt8, _ number: UInt64, size: UInt64, _ smallest: [UInt8] = key,
        _ largest: [UInt8] = key
    ) -> [[UInt8]] {
        [
            [7, level], LevelDBForge.number(number), LevelDBForge.number(size),
            LevelDBForge.string(smallest), LevelDBForge.string(largest),
        ]
    }

    private static let others: [Recipe] = [
        Recipe("a next file that is there") { try $0.edit([[3, 1]]) },
        Recipe("a log beyond the next file") { try $0.edit([[2, 0x90, 0x4E]]) },
        Recipe("a table of level 7") { try $0.edit(table(level: 7, 4, size: 10)) },
        Recipe("a table with short keys") { try $0.edit(table(level: 0, 4, size: 10, [], [1])) },
        Recipe("a compaction with a short key") { try $0.edit([[5, 1, 1, 1]]) },
        Recipe("a table that goes from another level") { forge in
            let manifest = try LevelDBManifest(of: PosixDirectory(opening: forge.folder))
            let table = try require(manifest.tables.values.first)
            try forge.edit([[6, 6], LevelDBForge.number(table.number.value)])
        },
        Recipe("a table that is there twice, and overlaps itself") { forge in
            let manifest = try LevelDBManifest(of: PosixDirectory(opening: forge.folder))
            let table = try require(manifest.tables.values.first)
            let copy = try FileSystem.read("\(forge.folder)/\(table.name)")
            for number in [5000, 5001] as [UInt64] {
                try forge.add("00\(number).ldb", copy)
                try forge.edit(
                    Self.table(level: 1, number, size: UInt64(copy.count)) + [[3, 0x90, 0x4E]])
            }
        },
        Recipe("a log's name without zeros") { try $0.add("7.log", []) },
        Recipe("a size of 2^40 in a footer") { forge in
            try forge.change(".ldb") { bytes in
                let footer = LevelDBForge.number(1) + LevelDBForge.number(1 << 40)
                bytes.replaceSubrange(
                    bytes.count - 48..<bytes.count - 8,
                    with: footer + footer + [UInt8](repeating: 0, count: 40 - 2 * footer.count))
            }
        },
        Recipe("a block with a short key", isWhole: false) { forge in
            try forge.put(LevelDBForge.table([LevelDBForge.block(entries: [(0, [1], [1])])]))
        },
        Recipe("a block with restarts elsewhere", isWhole: false) { forge in
            let block = [UInt8](LevelDBForge.block([[1], [2], [3]]).dropLast(8))
            let restarts = [3, 9, 2].flatMap { LevelDBForge.little($0, 4) }
            try forge.put(LevelDBForge.table([block + restarts]))
        },
        Recipe("keys that go back", isWhole: false) { forge in
            let keys = [2, 1].map { [0x6D, $0] + LevelDBForge.little(1 << 8 | 1, 8) }
            try forge.put(
                LevelDBForge.table([LevelDBForge.block(entries: keys.map { (0, $0, [1]) })]))
        },
        Recipe("keys beyond those that the manifest names", isWhole: false) { forge in
            let key = [0x6D, 0xFF] + LevelDBForge.little(1 << 8 | 1, 8)
            try forge.put(LevelDBForge.table([LevelDBForge.block(entries: [(0, key, [1])])]))
        },
        Recipe("a sequence that the manifest does not know", isWhole: false) { forge in
            let key = [UInt8](repeating: 0x6D, count: 9) + LevelDBForge.little(1 << 40 | 1, 8)
            try forge.put(LevelDBForge.table([LevelDBForge.block(entries: [(0, key, [1])])]))
        },
        Recipe("a filter of 2^40 bytes", isWhole: false) { forge in
            let place = LevelDBForge.number(1 << 40) + LevelDBForge.number(1 << 40)
            try forge.put(
                LevelDBForge.table([LevelDBForge.block([[1]])]) { _ in
                    LevelDBForge.block([place])
                })
        },
    ]

    @Test("no number stops the process, and what is there comes back", arguments: edits + others)
    func numbers(recipe: Recipe) throws {
        for closed in [false, true] {
            let forge = LevelDBForge(try LevelDBForge.samples[closed ? 1 : 0].copy())
            try recipe.damage(forge)
            let found = try forge.use(wasClosed: closed)
            if recipe.isWhole { expect(found >= LevelDBForge.keysOfSample, "closed: \(closed)") }
        }
    }

    @Test("every bit of a footer is found, and costs nothing")
    func footers() throws {
        let sample = try LevelDBForge.samples[1].copy()
        let path = try LevelDBForge(sample).path(".ldb")
        let bytes = try FileSystem.read(path)
        let directory = try PosixDirectory(opening: LevelDBForge(sample).folder)
        var found = 0
        for bit in 0..<48 * 8 {
            var damaged = bytes
            damaged[bytes.count - 48 + bit / 8] ^= 1 << UInt8(bit % 8)
            try FileSystem.replace(path, with: damaged)
            do throws(StorageError) {
                try LevelDBInspection(of: directory).checkTables()
            } catch {
                expect(error.code, is: .corrupted)
                found += 1
            }
            guard bit % 16 == 3 else { continue }
            let forge = LevelDBForge(try TemporaryFolder(copying: sample.path))
            expect(try forge.use(wasClosed: true) >= LevelDBForge.keysOfSample, "bit \(bit)")
        }
        // Two places of three bytes or more, and the magic number; the rest is padding.
        expect(found >= 8 * 14)
    }
}
