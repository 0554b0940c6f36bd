import BrowserSessions
import DirectoryBackend
import Expectations
import Foundation
import LevelDBBackend
import SQLiteBackend
import StorageEngines
import TestSupport

/// Files as no process of ours leaves them.
@Suite("Strange files")
struct StrangeFileTests {
    /// A store that was killed with 20 records, one after the other, in its newest log.
    private func killed(_ engine: any SalvagingFileEngine, durably: Bool = true) throws -> (
        TemporaryFolder, String
    ) {
        let original = TemporaryFolder(inMemory: true)
        let store = try engine.open(original.path)
        for number in UInt8(1)...20 {
            let bytes = [UInt8](repeating: number, count: 1000)
            try store.put(bytes, [number], durably: durably)
        }
        let copy = try TemporaryFolder(copying: original.path)
        try store.close()
        let logs = try TemporaryFolder.files(in: copy.path).filter {
            $0.hasSuffix(".log") || $0.hasSuffix("-wal")
        }
        return (copy, "\(copy.path)/\(try require(logs.last))")
    }

    private func salvaged(_ engine: any SalvagingFileEngine, _ scratch: TemporaryFolder) throws
        -> Int
    {
        var keys: Set<[UInt8]> = []
        _ = try engine.salvage(scratch.path) { _, key, _ in keys.insert([UInt8](key)) }
        return keys.count
    }

    @Test(
        "a log of 200 GB that is almost all hole is opened and salvaged, and not kept in memory",
        .timeLimit(.minutes(10)), arguments: TestedEngine.withDirectory)
    func sparse(tested: TestedEngine) throws {
        let (scratch, log) = try killed(tested.engine)
        let file = try PosixFile(opening: log, flags: 1)
        try file.truncate(to: 200 << 30)
        expect(try salvaged(tested.engine, scratch) == 20)
        let store = try tested.engine.open(scratch.path)
        expect(try store.keys(.metadata).count == 20)
        try store.put([1], [21])
        try store.close()
        let again = try tested.engine.open(scratch.path)
        expect(try again.keys(.metadata).count == 21)
        try again.close()
    }

    @Test(
        "a block that stands twice in a log is damage, and costs what it hits",
        arguments: TestedEngine.withDirectory)
    func doubled(tested: TestedEngine) throws {
        let (scratch, log) = try killed(tested.engine)
        var bytes = try FileSystem.read(log)
        let middle = bytes.count / 2 & ~4095
        bytes.insert(contentsOf: bytes[middle - 4096..<middle], at: middle)
        try FileSystem.replace(log, with: bytes)
        let error = expect(throws: StorageError.self) { try tested.engine.open(scratch.path) }
        expect(error?.code, is: .corrupted)
        expect(try salvaged(tested.engine, scratch) >= 17)
    }

    @Test(
        "a log of zeros is damage or a discarded end, never an unused log",
        arguments: TestedEngine.withDirectory)
    func zeros(tested: TestedEngine) throws {
        for start in [0, 64] {
            let (scratch, log) = try killed(tested.engine)
            var bytes = try FileSystem.read(log)
            for index in bytes.indices.dropFirst(start) { bytes[index] = 0 }
            try FileSystem.replace(log, with: bytes)
            do {
                let store = try tested.engine.open(scratch.path)
                expect(store.openingNotes != [], "\(start)")
                try store.close()
            } catch let error as StorageError {
                expect(error.code, is: .corrupted)
            }
        }
    }

    @Test("a LevelDB batch without a sequence number is no trap")
    func sequenceZero() throws {
        let (scratch, log) = try killed(LevelDBEngine())
        for count in [0, 1] as [UInt8] {
            // The checksum of a whole record of type 1 with a batch of sequence 0.
            let batch = [UInt8](repeating: 0, count: 8) + [count, 0, 0, 0]
            let crc = CRC32C.masked(CRC32C.checksum([1] + batch))
            var record: [UInt8] = []
            withUnsafeBytes(of: crc.littleEndian) { record.append(contentsOf: $0) }
            record += [UInt8(batch.count), 0, 1] + batch
            try FileSystem.replace(log, with: record)
            _ = try salvaged(LevelDBEngine(), scratch)
            if let store = try? LevelDBEngine().open(scratch.path) { try store.close() }
        }
    }
}
