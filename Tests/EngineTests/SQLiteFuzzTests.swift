import BrowserSessions
import Expectations
import SessionSamples
import StorageEngines
import TestSupport

@testable import SQLiteBackend

/// Changed bytes with checksums that are right again: what no checksum finds must do no harm.
@Suite("SQLite files with any numbers", .timeLimit(.minutes(10)))
struct SQLiteFuzzTests {
    private let engine = SQLiteEngine()

    private struct Files {
        var database: [UInt8]
        var log: [UInt8]
    }

    private func files() throws -> Files {
        let scratch = TemporaryFolder(inMemory: true)
        var store = try engine.open(scratch.path)
        for number in UInt8(0)..<40 { try store.put([number, 7], [number]) }
        try store.put([UInt8](repeating: 1, count: 9000), [1], in: .state)
        try store.close()
        store = try engine.open(scratch.path)
        for number in UInt8(0)..<6 {
            try store.put([UInt8](repeating: 1, count: 5000), [number], in: .state)
            try store.put([number], [number], durably: number % 2 == 0)
        }
        let log = try FileSystem.read("\(scratch.path)/sessions.db-wal")
        // Without the zeros behind it.
        let used = SQLiteLog.size(of: (log.lastIndex { $0 != 0 } ?? 0) / SQLiteLog.frameSize + 1)
        let files = Files(
            database: try FileSystem.read("\(scratch.path)/sessions.db"), log: [UInt8](log[..<used])
        )
        try store.close()
        return files
    }

    private static let words: [UInt32] = [
        0, 1, 2, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000,
        0xFFFF_FFFE, .max,
    ]

    /// Changes a bit, a byte or a number at a place that has a meaning more often than not.
    private func change(_ bytes: inout [UInt8], _ page: Range<Int>, _ random: inout SeededGenerator)
    {
        let heads = [0..<16, 16..<100, 100..<140, 0..<page.count]
        let span = heads[Int.random(in: 0..<heads.count, using: &random)].clamped(
            to: 0..<page.count)
        guard !span.isEmpty else { return }
        let place = page.lowerBound + Int.random(in: span, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[place] = .random(in: 0...255, using: &random)
        default:
            let word = Self.words[Int.random(in: 0..<Self.words.count, using: &random)]
            let size = Bool.random(using: &random) ? 4 : 2
            for index in 0..<size where place + index < page.upperBound {
                bytes[place + index] = UInt8(truncatingIfNeeded: word >> (8 * (size - 1 - index)))
            }
        }
    }

    /// Makes all checksums of a log right.
    private func seal(_ log: inout [UInt8]) {
        func put(_ sum: (UInt32, UInt32), at place: Int) {
            for index in 0..<4 {
                log[place + index] = UInt8(truncatingIfNeeded: sum.0 >> (24 - 8 * index))
                log[place + 4 + index] = UInt8(truncatingIfNeeded: sum.1 >> (24 - 8 * index))
            }
        }
        let checksum = SQLiteLogChecksum(isBigEndian: log[3] & 1 == 1)
        var sum = checksum.continued((0, 0), log[..<24])
        put(sum, at: 24)
        for start in stride(
            from: 32, through: log.count - SQLiteLog.frameSize, by: SQLiteLog.frameSize)
        where log[start + 8..<start + 16].contains(where: { $0 != 0 }) {
            sum = checksum.continued(sum, log[start..<start + 8])
            sum = checksum.continued(sum, log[start + 24..<start + SQLiteLog.frameSize])
            put(sum, at: start + 16)
        }
    }

    private func mutated(_ files: Files, _ random: inout SeededGenerator) -> Files {
        var files = files
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            if Bool.random(using: &random) {
                let page = Int.random(in: 0..<files.database.count / 4096, using: &random) * 4096
                change(&files.database, page..<page + 4096, &random)
            } else {
                let frame = Int.random(
                    in: -2..<files.log.count / SQLiteLog.frameSize, using: &random)
                let start = frame < 0 ? 0 : 32 + frame * SQLiteLog.frameSize
                let end = frame < 0 ? 32 : start + SQLiteLog.frameSize
                // Its header, or the page that it holds.
                let isPage = frame >= 0 && Bool.random(using: &random)
                change(&files.log, (isPage ? start + 24 : start)..<end, &random)
            }
        }
        if Int.random(in: 0..<4, using: &random) > 0 { seal(&files.log) }
        return files
    }

    /// Does all that a store does with its files. Any answer is right but a trap or no answer.
    private func use(_ files: Files) throws {
        let scratch = TemporaryFolder(inMemory: true)
        try FileSystem.replace("\(scratch.path)/sessions.db", with: files.database)
        try FileSystem.replace("\(scratch.path)/sessions.db-wal", with: files.log)
        var visited = 0
        _ = try engine.salvage(scratch.path) { visited += $1.count + $2.count }
        expect(visited < 8 * (files.database.count + files.log.count))
        do {
            let store = try engine.open(scratch.path)
            defer { try? store.close() }
            _ = try store.verify()
            _ = try store.contents(.metadata)
            _ = try store.contents(.state)
            try store.put([9], [9])
            try store.put([UInt8](repeating: 3, count: 9000), [1], in: .state)
        } catch let error as StorageError {
            let codes: [StorageError.Code] = [.corrupted, .incompatibleFormat, .tooLarge]
            expect(codes.contains(error.code), "\(error)")
        }
    }

    @Test("no number traps and none is waited for")
    func numbers() throws {
        let files = try files()
        var resealed = files.log
        seal(&resealed)
        expect(resealed, is: files.log)
        var random = SeededGenerator(
            seed: UInt64(TestRun.amount(11, nightly: Int.random(in: 0...1 << 40))))
        for _ in 0..<TestRun.amount(100, nightly: 20_000) { try use(mutated(files, &random)) }
    }
}
