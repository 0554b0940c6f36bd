import BrowserSessions
import Expectations
import StorageEngines
import TestSupport

@testable import DirectoryBackend

/// What of the logs counts after a process that did not close them.
@Suite("Logs of the directory engine")
struct DirectoryLogTests {
    private let engine = DirectoryEngine()

    private func put(_ numbers: ClosedRange<UInt8>, durably: Bool, in store: any OrderedByteStore)
        throws
    {
        for number in numbers {
            try store.put([UInt8](repeating: number, count: 100), [number], durably: durably)
            try store.put([number, number], [number % 4], in: .state, durably: durably)
        }
    }

    /// What a process leaves that was killed when it had written these numbers.
    ///
    /// - Parameter number: the number before the one with the damaged record.
    private func killed(
        durable: ClosedRange<UInt8>? = nil, unsynced: ClosedRange<UInt8>? = nil,
        damaged number: Int? = nil
    ) throws -> TemporaryFolder {
        let original = TemporaryFolder(inMemory: true)
        let store = try engine.open(original.path)
        if let durable { try put(durable, durably: true, in: store) }
        if let unsynced { try put(unsynced, durably: false, in: store) }
        let copy = try TemporaryFolder(copying: original.path)
        if let number { try damage(number, in: "\(copy.path)/00000001.log") }
        return copy
    }

    private func reader(_ bytes: [UInt8], number: Int) throws -> LogReader {
        let reader = try LogReader(LogSource(bytes), number: number)
        return try require(reader)
    }

    /// Changes a byte in the record of a batch, which all are alike; two for each number.
    private func damage(_ number: Int, in log: String) throws {
        var bytes = try FileSystem.read(log)
        var reader = try reader(bytes, number: 1)
        for _ in 0..<2 * number { _ = try reader.next() }
        bytes[reader.position + LogFormat.recordHeaderLength + 2] ^= 1
        try FileSystem.replace(log, with: bytes)
    }

    @Test(
        "what a killed process did not sync begins the next log, which is durable before it is there"
    )
    func inherited() throws {
        let copy = try killed(durable: 1...5, unsynced: 6...9)
        let store = try engine.open(copy.path)
        expect(store.openingNotes, is: [])
        try store.put([9], [9], durably: false)
        expect(try FileSystem.contents(of: copy.path) == ["00000001.log", "00000002.log"])
        let bytes = try FileSystem.read("\(copy.path)/00000002.log")
        let header = try require(LogHeader(bytes, number: 2))
        expect(header.synced < bytes.count)
        var reader = try reader(bytes, number: 2)
        var copied = 0
        while try reader.next() != nil { copied += 1 }
        expect(copied, is: 9)
        // The old log is of no use any more behind that.
        var old = try FileSystem.read("\(copy.path)/00000001.log")
        for index in header.before..<old.count { old[index] = 0 }
        try FileSystem.replace("\(copy.path)/00000001.log", with: old)
        let short = try TemporaryFolder(copying: copy.path)
        try FileSystem.replace(
            "\(short.path)/00000002.log", with: [UInt8](bytes.prefix(LogHeader.length)))
        expect(throws: StorageError.self) { try engine.open(short.path) }
        let again = try engine.open(copy.path)
        expect(try again.keys(.metadata) == (UInt8(1)...9).map { [$0] })
        expect(try again.value(of: [9], in: .metadata) == [9])
        expect(
            try again.contents(.state) == [[0]: [8, 8], [1]: [9, 9], [2]: [6, 6], [3]: [7, 7]])
        expect(try again.verify() == [])
        try again.close()
    }

    @Test("a log ends at the first place that is not sound, if nothing says that it was durable")
    func end() throws {
        let copy = try killed(durable: 1...3, unsynced: 4...9, damaged: 5)
        let store = try engine.open(copy.path)
        expect(try store.keys(.metadata) == (UInt8(1)...5).map { [$0] })
        expect(store.openingNotes.count, is: 1)
        try store.put([1], [99])
        // What was behind never comes back, not even as something that can be salvaged.
        var salvaged: Set<[UInt8]> = []
        _ = try engine.salvage(copy.path) { _, key, _ in salvaged.insert([UInt8](key)) }
        expect(salvaged.isDisjoint(with: [[6], [7], [8], [9]]))
        let again = try engine.open(copy.path)
        expect(try again.keys(.metadata) == [[1], [2], [3], [4], [5], [99]])
        try again.close()
    }

    @Test("what was left out is no damage once the store is closed, be it without a snapshot")
    func closedAfterEnd() throws {
        let copy = try killed(durable: 1...3, unsynced: 4...9, damaged: 3)
        let store = try engine.open(copy.path)
        try store.sync()
        let again = try engine.open(copy.path, wasClosed: true)
        expect(try again.keys(.metadata) == (UInt8(1)...3).map { [$0] })
    }

    @Test("it is damage if a later batch says that it was durable, or the store was closed")
    func damaged() throws {
        let durable = try killed(durable: 1...9, damaged: 5)
        expect(throws: StorageError.self) { try engine.open(durable.path) }
        var salvaged: Set<[UInt8]> = []
        _ = try engine.salvage(durable.path) { space, key, _ in
            if space == .metadata { salvaged.insert([UInt8](key)) }
        }
        expect(salvaged, is: Set((UInt8(1)...9).filter { $0 != 6 }.map { [$0] }))
        let copy = try killed(unsynced: 1...9, damaged: 5)
        expect(throws: StorageError.self) { try engine.open(copy.path, wasClosed: true) }
        _ = try engine.open(copy.path)
    }

    @Test("a file that never got its name is swept, one that has a name is never replaced")
    func names() throws {
        let scratch = TemporaryFolder(inMemory: true)
        try FileSystem.replace("\(scratch.path)/00000001.log.new", with: [1, 2, 3])
        let store = try engine.open(scratch.path)
        expect(try FileSystem.contents(of: scratch.path) == [])
        // As if a listing had not shown it.
        try FileSystem.replace("\(scratch.path)/00000001.log", with: [1, 2, 3])
        let error = expect(throws: StorageError.self) { try store.put([1], [1]) }
        expect(error?.effect, is: .notApplied)
        expect(try FileSystem.read("\(scratch.path)/00000001.log") == [1, 2, 3])
        let later = expect(throws: StorageError.self) { try store.put([1], [1]) }
        expect(later?.code, is: .durabilityLost)
        expect(throws: StorageError.self) { try engine.open(scratch.path) }
    }

    @Test(
        "places that no file can have are damage", arguments: [(1 << 62, 1 << 62), (40, 1 << 40)])
    func impossiblePlaces(offset: Int, length: Int) throws {
        let scratch = TemporaryFolder(inMemory: true)
        var file = LogFile(LogHeader(number: 1, before: 0, salt: 7))
        var record = RecordBuilder()
        for key in UInt8(1)...3 {
            record.locate([key], BlobLocation(log: 1, offset: offset, length: length))
        }
        file.append(&record)
        try FileSystem.replace("\(scratch.path)/00000001.log", with: file.bytes)
        let error = expect(throws: StorageError.self) {
            let store = try engine.open(scratch.path)
            _ = try store.value(of: [1], in: .state)
        }
        expect(error?.code, is: .corrupted)
        var salvaged = 0
        _ = try engine.salvage(scratch.path) { _, _, _ in salvaged += 1 }
        expect(salvaged, is: 0)
    }

    @Test("a count that no file has allocates nothing")
    func impossibleCount() throws {
        let scratch = TemporaryFolder(inMemory: true)
        try FileSystem.replace("\(scratch.path)/file", with: [1, 2, 3])
        let file = try PosixFile(opening: "\(scratch.path)/file", flags: 0)
        expect(try file.read(1 << 50, at: 1) == [2, 3])
        expect(try file.read(1 << 50, at: 1 << 50) == [])
    }
}
