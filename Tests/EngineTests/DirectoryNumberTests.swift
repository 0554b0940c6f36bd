import BrowserSessions
import Expectations
import StorageEngines
import TestSupport

@testable import DirectoryBackend

/// Numbers that no store gets to by counting, in names and in files with right checksums.
@Suite("Numbers in the files of the directory engine")
struct DirectoryNumberTests {
    private let engine = DirectoryEngine()
    private static let last = (1 << 56) - 1
    private static let kept: [[UInt8]: [UInt8]] = [[1]: [1], [2]: [2], [3]: [3]]

    private func store() throws -> TemporaryFolder {
        let original = TemporaryFolder(inMemory: true)
        let store = try engine.open(original.path)
        for (key, value) in Self.kept { try store.put(value, key) }
        return try TemporaryFolder(copying: original.path)
    }

    private func salvaged(_ scratch: TemporaryFolder) throws -> [[UInt8]: [UInt8]] {
        var found: [[UInt8]: [UInt8]] = [:]
        _ = try engine.salvage(scratch.path) { _, key, value in found[[UInt8](key)] = [UInt8](value)
        }
        return found
    }

    /// A snapshot with the operations of a record, which it ends.
    private func snapshot(
        _ number: Int, header: (inout LogHeader) -> Void = { _ in },
        _ fill: (inout RecordBuilder) -> Void
    ) -> [UInt8] {
        var header = LogHeader(number: number, salt: 7)
        header.before = LogHeader.wholeFile
        var file = LogFile(header)
        var record = RecordBuilder()
        fill(&record)
        record.end(after: record.operations)
        file.append(&record)
        return file.bytes
    }

    private func snapshotOfKept(_ number: Int) -> [UInt8] {
        snapshot(number) { for (key, value) in Self.kept { _ = $0.put(.metadata, key, value) } }
    }

    @Test(
        "a file with a number that no store has is none of ours, and stays as it is",
        arguments: ["log", "snapshot", "log.new", "snapshot.new"],
        ["9223372036854775807", "9223372036854775808", "18446744073709551616", "72057594037927936"])
    func strangeNames(kind: String, number: String) throws {
        let scratch = try store()
        let name = "\(number).\(kind)"
        try FileSystem.replace("\(scratch.path)/\(name)", with: [1, 2, 3])
        let opened = try engine.open(scratch.path)
        expect(try opened.contents(.metadata) == Self.kept)
        try opened.put([4], [4])
        expect(try opened.verify() == [])
        try opened.close()
        expect(try engine.open(scratch.path, wasClosed: true).keys(.metadata).count == 4)
        expect(try salvaged(scratch).count == 4)
        expect(try FileSystem.read("\(scratch.path)/\(name)") == [1, 2, 3])
    }

    @Test("the last number that a file can have is damage, which costs nothing")
    func lastNumber() throws {
        for kind in [Replay.Kind.log, .snapshot] {
            let scratch = try store()
            let name = Replay.name(Self.last, kind)
            try FileSystem.replace(
                "\(scratch.path)/\(name)", with: kind == .log ? [1, 2] : snapshotOfKept(Self.last))
            let error = expect(throws: StorageError.self) { try engine.open(scratch.path) }
            expect(error?.code, is: .corrupted)
            expect(try salvaged(scratch) == Self.kept)
        }
    }

    @Test("a store that gets to the last number says so, and all that it took can be read")
    func endOfNumbers() throws {
        let scratch = TemporaryFolder(inMemory: true)
        let first = Self.last - 2
        try FileSystem.replace(
            "\(scratch.path)/\(Replay.name(first, .snapshot))", with: snapshotOfKept(first))
        var expected = Self.kept
        var codes: [StorageError.Code] = []
        for number in UInt8(10)..<15 {
            do {
                // Let go as by a kill: each begins a new log.
                let store = try engine.open(scratch.path)
                try store.put([number], [number])
                expected[[number]] = [number]
                // A snapshot takes a number, too.
                if number == 11 { try store.close() }
            } catch let error as StorageError { codes.append(error.code) }
        }
        expect(expected.count > Self.kept.count)
        expect(codes.first == .corrupted || codes.first == .tooLarge)
        expect(try salvaged(scratch) == expected)
    }

    @Test(
        "numbers of a header and of places are damage where they are impossible",
        arguments: [
            0, 1, 39, 41, 1 << 31, 1 << 32, (1 << 56) - 1, 1 << 56, 1 << 62, UInt64(Int64.max) - 1,
            UInt64(Int64.max), 1 << 63, .max - 1, .max,
        ] as [UInt64])
    func impossible(number: UInt64) throws {
        for place in [20, 28] {
            let scratch = try store()
            for name in try FileSystem.contents(of: scratch.path) {
                var bytes = try FileSystem.read("\(scratch.path)/\(name)")
                ResealedFile.setHeader(&bytes, number, at: place)
                try FileSystem.replace("\(scratch.path)/\(name)", with: bytes)
            }
            try expectOpenOrCorrupted(scratch)
            expect(try salvaged(scratch).filter { $0.key != [4] } == Self.kept)
        }
        for place in 0..<4 {
            let scratch = TemporaryFolder(inMemory: true)
            var fields: [UInt64] = [1, 40, 10, 1]
            fields[place] = number
            var body = [LogFormat.Tag.location, 1, 9]
            for field in fields.dropLast() { body += HostileBytes.varint(field) }
            body.append(LogFormat.Tag.end)
            body += HostileBytes.varint(fields[3])
            let file = snapshot(2) { $0.copy(body) }
            try FileSystem.replace("\(scratch.path)/00000002.snapshot", with: file)
            try expectOpenOrCorrupted(scratch)
            // A state without bytes lies nowhere, so the store opens, and takes another.
            let isEmptyState = place == 2 && number == 0
            expect(try salvaged(scratch) == (isEmptyState ? [[9]: [], [4]: [4]] : [:]))
        }
    }

    private func expectOpenOrCorrupted(_ scratch: TemporaryFolder) throws {
        do {
            let store = try engine.open(scratch.path)
            _ = try store.contents(.state)
            try store.put([4], [4])
        } catch let error as StorageError { expect(error.code, is: .corrupted) }
    }
}
