import Expectations
import SessionSamples

@testable import BrowserSessions
@testable import StorageEngines

struct CRC32CTests {
    static let vectors: [([UInt8], UInt32)] = [
        ([], 0),
        (Array(repeating: 0, count: 32), 0x8A91_36AA),
        (Array(repeating: 0xFF, count: 32), 0x62A8_AB43),
        (Array(0...31), 0x46DD_794E),
        (Array((0...31).reversed()), 0x113F_DB5C),
        (Array("123456789".utf8), 0xE306_9283),
    ]

    @Test("The vectors of RFC 3720", arguments: vectors)
    func knownVectors(bytes: [UInt8], checksum: UInt32) {
        expect(CRC32C.checksum(bytes), is: checksum)
        expect(CRC32C.portableChecksum(bytes), is: checksum)
    }

    @Test("The processor's instruction and the portable code agree at every length and alignment")
    func portable() {
        var generator = SeededGenerator(seed: 61)
        let bytes = (0..<400).map { _ in UInt8(generator.integer(in: 0...255)) }
        bytes.withUnsafeBytes { buffer in
            for start in 0..<16 {
                for length in 0...300 {
                    let part = UnsafeRawBufferPointer(rebasing: buffer[start..<start + length])
                    expect(CRC32C.checksum(part), is: CRC32C.portableChecksum([UInt8](part)))
                }
            }
        }
    }

    @Test("They agree about long bytes, which are summed in three stretches in parallel")
    func longBytes() {
        var generator = SeededGenerator(seed: 63)
        let bytes = (0..<20_000).map { _ in UInt8(generator.integer(in: 0...255)) }
        bytes.withUnsafeBytes { buffer in
            for length in [3071, 3072, 3073, 3080, 6143, 6144, 6150, 9216, 19_999] {
                for start in 0..<(length == 19_999 ? 1 : 9) {
                    let part = UnsafeRawBufferPointer(rebasing: buffer[start..<start + length])
                    expect(
                        CRC32C.checksum(part), is: CRC32C.portableChecksum([UInt8](part)),
                        "\(length) bytes")
                    let (first, rest) = (part[..<(start + 7)], part[(start + 7)...])
                    let continued = CRC32C.checksum(
                        UnsafeRawBufferPointer(rebasing: rest),
                        continuing: CRC32C.checksum(UnsafeRawBufferPointer(rebasing: first)))
                    expect(continued, is: CRC32C.portableChecksum([UInt8](part)), "\(length) bytes")
                }
            }
        }
    }

    @Test("Continuing gives the checksum of the whole, wherever it is cut")
    func continuing() {
        let bytes = [UInt8]("a checksum may be taken in parts".utf8)
        for cut in 0...bytes.count {
            let first = CRC32C.checksum(Array(bytes[..<cut]))
            expect(
                CRC32C.checksum(Array(bytes[cut...]), continuing: first), is: CRC32C.checksum(bytes)
            )
        }
    }

    @Test("Masking can be undone, and zeros do not validate")
    func masking() {
        expect(CRC32C.masked(0), is: 0xA282_EAD8)
        expect(CRC32C.masked(0xE306_9283), is: 0xC78A_B0E5)
        var generator = SeededGenerator(seed: 62)
        for _ in 0..<1000 {
            let crc = UInt32(truncatingIfNeeded: generator.next())
            let rotated = CRC32C.masked(crc) &- 0xA282_EAD8
            expect(rotated >> 17 | rotated << 15, is: crc)
        }
    }
}
