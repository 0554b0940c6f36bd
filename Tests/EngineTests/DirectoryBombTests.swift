import BrowserSessions
import Expectations
import SessionSamples
import StorageEngines
import TestSupport

@testable import DirectoryBackend

/// Few bytes that ask for much work or memory.
@Suite("Bombs in the files of the directory engine")
struct DirectoryBombTests {
    private let engine = DirectoryEngine()

    /// A file in which every word is a salt, the length of a record and how its operations begin.
    ///
    /// - Parameter quiet: zeros in front of and behind those words.
    private func bomb(_ words: Int, length: UInt32 = 0x6D01, quiet: Int = 0) -> [UInt8] {
        let word = length & ~0xFFFF | 0x6D01
        var bytes = LogHeader(number: 1, before: 0, salt: word).bytes
        bytes += [UInt8](repeating: 0, count: quiet)
        for _ in 0..<words { LogFormat.append(word, to: &bytes) }
        return bytes + [UInt8](repeating: 0, count: quiet)
    }

    /// The work of looking for records in all of a file.
    private func work(_ source: LogSource, salvaging: Bool) throws -> Int {
        var reader = try salvaging ? LogReader(salvaging: source) : LogReader(source, number: 1)
        expect(reader == nil || salvaging == false)
        // waits: for the last record
        while try reader?.next() != nil {}
        expect(try reader?.resynchronize() != true)
        _ = try reader?.durableBytes
        return source.work
    }

    @Test(
        "the work for a file grows with its size, whatever its words are", arguments: [false, true])
    func linear(salvaging: Bool) throws {
        func work(_ words: Int) throws -> Int {
            try self.work(LogSource(bomb(words)), salvaging: salvaging)
        }
        let (one, two) = (try work(16 << 10), try work(32 << 10))
        expect(one < 1000 * (64 << 10))
        expect(two < 4 * one)
    }

    @Test("a file that is not in memory is not read again for each word")
    func readingPieces() throws {
        let scratch = TemporaryFolder(inMemory: true)
        let bytes = bomb(8 << 10, length: 1 << 20, quiet: 3 << 19)
        try FileSystem.replace("\(scratch.path)/bomb", with: bytes)
        let source = try LogSource(PosixFile(opening: "\(scratch.path)/bomb", flags: 0))
        expect(try work(source, salvaging: false) < 24 * bytes.count)
    }

    @Test("records behind such words are found")
    func found() throws {
        var bytes = bomb(2000)
        let end = bytes.count
        var record = RecordBuilder()
        _ = record.put(.metadata, [1], [2, 3])
        bytes += record.seal(salt: 0x6D01, offset: end, durable: end)
        var reader = try require(try LogReader(LogSource(bytes), number: 1))
        expect(try reader.next() == nil)
        expect(try reader.resynchronize())
        expect(try reader.next()?.start == end)
        var salvaging = try require(try LogReader(salvaging: LogSource(bytes)))
        expect(try salvaging.next()?.start == end)
    }

    @Test("checksums of ranges are those of their bytes, in memory and in a file")
    func ranges() throws {
        var random = SeededGenerator(seed: 3)
        let bytes = random.bytes(3 << 20)
        let scratch = TemporaryFolder(inMemory: true)
        try FileSystem.replace("\(scratch.path)/file", with: bytes)
        let sources = [
            LogSource(bytes), try LogSource(PosixFile(opening: "\(scratch.path)/file", flags: 0)),
        ]
        for _ in 0..<40 {
            let places = [
                Int.random(in: 0...bytes.count, using: &random),
                Int.random(in: 0...bytes.count, using: &random),
            ]
            let range = places[0] < places[1] ? places[0]..<places[1] : places[1]..<places[0]
            let expected = CRC32C.checksum([UInt8](bytes[range]), continuing: 99)
            for source in sources {
                expect(try source.checksum(of: range, continuing: 99) == expected)
            }
        }
    }

    @Test("many states in one place are damage, and come out no larger than their log")
    func sharedPlace() throws {
        let scratch = TemporaryFolder(inMemory: true)
        let store = try engine.open(scratch.path)
        let blob = [UInt8](repeating: 5, count: 100_000)
        try store.put(blob, [0, 0], in: .state)
        let killed = try TemporaryFolder(copying: scratch.path)
        var file = LogFile(LogHeader(number: 2, salt: 7))
        var record = RecordBuilder()
        let place = BlobLocation(log: 1, offset: 100, length: 90_000)
        for number in 0..<UInt8(200) { record.locate([1, number], place) }
        record.end(after: 200)
        file.append(&record)
        try FileSystem.replace("\(killed.path)/00000002.snapshot", with: file.bytes)
        let error = expect(throws: StorageError.self) { try engine.open(killed.path) }
        expect(error?.code, is: .corrupted)
        var bytes = 0
        let notes = try engine.salvage(killed.path) { _, _, value in bytes += value.count }
        expect(bytes, is: 90_000)
        expect(notes.contains { $0.hasPrefix("199 states") })
    }
}
