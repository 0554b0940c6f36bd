import BrowserSessions
import Expectations
import SessionSamples
import StorageEngines
import TestSupport

@testable import LevelDBBackend

/// Changed bytes with checksums that were mended, so that they come to what reads them.
@Suite("LevelDB: mended damage")
struct LevelDBFuzzTests {
    @Test("opening, reading and salvage end with records or with damage", arguments: [false, true])
    func mended(closed: Bool) throws {
        var random = SeededGenerator(seed: closed ? 1 : 2)
        for round in 0..<TestRun.amount(60, nightly: 10_000) {
            let forge = LevelDBForge(try LevelDBForge.samples[closed ? 1 : 0].copy())
            let kind =
                ["MANIFEST-", ".log", ".ldb", ".ldb"].randomElement(using: &random) ?? ".log"
            try forge.change(kind) { bytes in
                guard !bytes.isEmpty else { return }
                let places = kind == ".ldb" ? Self.places(bytes) : []
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    Self.mutate(&bytes, &random)
                }
                places.forEach { Self.mend(&bytes, $0) }
                if kind != ".ldb" { Self.mendRecords(&bytes) }
            }
            do {
                try forge.use(wasClosed: closed)
            } catch {
                recordIssue("round \(round), \(kind): \(error)")
            }
        }
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        // Half of it is where the few numbers are.
        let end = min(bytes.count, 400)
        let range = Bool.random(using: &random) ? bytes.indices : bytes.count - end..<bytes.count
        let place = Int.random(in: range, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        case 2: bytes[place] = UInt8.random(in: 0...255, using: &random)
        default:
            // As many bits as a number can have.
            for index in place..<min(place + Int.random(in: 1...9, using: &random), bytes.count) {
                bytes[index] = 0xFF
            }
        }
    }

    private static func places(_ table: [UInt8]) -> [LevelDBBlock.Place] {
        guard let frame = LevelDBTableFrame(of: table) else { return [] }
        var places: [LevelDBBlock.Place] = []
        var offset = 0
        while let place = LevelDBTable(table).place(at: offset) {
            places.append(place)
            offset = place.end
        }
        return places + [frame.index]
    }

    private static func mend(_ table: inout [UInt8], _ place: LevelDBBlock.Place) {
        let end = place.offset + place.size + 1
        guard end + 4 <= table.count else { return }
        table.replaceSubrange(end..<end + 4, with: LevelDBForge.checksum(table[place.offset..<end]))
    }

    /// Each record that has a length.
    private static func mendRecords(_ bytes: inout [UInt8]) {
        var offset = 0
        while offset + 7 <= bytes.count {
            let rest = LevelDBLog.blockSize - offset % LevelDBLog.blockSize
            let end = offset + 7 + Int(bytes[offset + 4]) + Int(bytes[offset + 5]) << 8
            guard rest >= 7, end <= bytes.count, end <= offset + rest else {
                offset += rest
                continue
            }
            let crc = LevelDBForge.checksum(bytes[offset + 6..<end])
            bytes.replaceSubrange(offset..<offset + 4, with: crc)
            offset = end
        }
    }
}
