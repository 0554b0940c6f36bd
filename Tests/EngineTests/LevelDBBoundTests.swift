import BrowserSessions
import Expectations
import SessionSamples
import StorageEngines
import TestSupport

@testable import LevelDBBackend

/// Reading takes time and memory for the bytes that are there, not for what they say.
@Suite("LevelDB: bounds of reading")
struct LevelDBBoundTests {
    @Test("blocks that an index names again and again are read once")
    func sharedBlocks() throws {
        let values = (0..<100).map { [UInt8($0)] }
        let table = LevelDBForge.table([LevelDBForge.block(values)]) { places in
            LevelDBForge.block([[UInt8]](repeating: places[0], count: 1000))
        }
        var entries = 0
        let damaged = LevelDBTable(table).visit { _ in entries += 1 }
        expect(entries, is: 100)
        expect(damaged, is: 999)
    }

    @Test("keys that share everything with a long one are bounded by the bytes of their block")
    func sharedKeys() throws {
        let long = [UInt8](repeating: 0x6D, count: 30_000)
        var entries: [(shared: UInt64, key: [UInt8], value: [UInt8])] = [(0, long, [])]
        for _ in 0..<10_000 { entries.append((30_000, [], [])) }
        let block = LevelDBForge.block(entries: entries)
        var bytes = 0
        _ = LevelDBTable(LevelDBForge.table([block])).visit { bytes += $0.key.count }
        expect(bytes >= 30_000 && bytes < 100 * block.count)
    }

    @Test("the checksum of a part is the same whichever way it is found")
    func partChecksums() {
        var random = SeededGenerator(seed: 4)
        let bytes = random.bytes(LevelDBLog.blockSize)
        let checksums = bytes.withUnsafeBytes { LevelDBRangeChecksums($0) }
        for range in [0..<0, 0..<1, 0..<32768, 5..<5, 17..<4000, 32767..<32768, 100..<32768] {
            expect(checksums.checksum(of: range), is: CRC32C.checksum([UInt8](bytes[range])))
        }
    }

    /// Every second place of a log begins a record, of half a block or of one byte.
    @Test(
        "each byte of a damaged log goes into checksums a few times, whatever lengths stand there",
        arguments: [[1, 0x3F], [1, 1], [1, 0]] as [[UInt8]])
    func lengths(word: [UInt8]) {
        let bytes = word.repeated(to: 8 * LevelDBLog.blockSize)
        let log = LevelDBLog(bytes)
        expect(log.items.count, is: 8)
        expect(log.work <= 3 * bytes.count)
    }

    @Test(
        "a table or a log with a large hole is damage, and not read", arguments: [".ldb", ".log"])
    func holes(ending: String) throws {
        let forge = LevelDBForge(try LevelDBForge.samples[0].copy())
        let path = try forge.path(ending)
        let name = try require(path.split(separator: "/").last.map(String.init))
        try PosixFile(opening: path, flags: 1).truncate(to: 200 << 30)
        try PosixDirectory(opening: forge.folder).open(name, mode: .append).write([1, 2, 3])
        let error = expect(throws: StorageError.self) {
            try LevelDBEngine().open(forge.scratch.path)
        }
        expect(error?.code, is: .corrupted)
        let notes = try LevelDBEngine().salvage(forge.scratch.path) { _, _, _ in }
        expect(notes.contains { $0.hasSuffix("parts of files could not be read") })
    }
}
