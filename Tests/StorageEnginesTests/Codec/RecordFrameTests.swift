import Expectations

@testable import BrowserSessions
@testable import StorageEngines

struct RecordFrameTests {
    let key = RecordKey.session(SessionID(window: WindowID(high: 1, low: 2))).bytes
    let payload = [UInt8]("a payload of a few words".utf8)

    func open(_ bytes: [UInt8], _ key: [UInt8]) throws -> (UInt8, StoredNumber, [UInt8], UInt32) {
        try bytes.withUnsafeBytes { bytes in
            try key.withUnsafeBytes { key in
                let frame = try RecordFrame(bytes, key: key)
                return (frame.kind, frame.sequence, [UInt8](frame.payload), frame.checksum)
            }
        }
    }

    @Test(arguments: [[], [0], Array(repeating: 0xA5, count: 70_000)] as [[UInt8]])
    func roundTrip(payload: [UInt8]) throws {
        for sequence: StoredNumber in [0, 1, 0x0002_0304_0506_0708, 0x00FF_FFFF_FFFF_FFFF] {
            let sealed = RecordFrame.seal(.tab, sequence, payload, key: key)
            expect(sealed.bytes.count, is: payload.count + RecordFrame.overhead)
            let (kind, number, content, checksum) = try open(sealed.bytes, key)
            expect(kind, is: RecordFrame.Kind.tab.rawValue)
            expect(number, is: sequence)
            expect(content, is: payload)
            expect(checksum, is: sealed.stamp.checksum)
            expect(RecordStamp(checksum: checksum, sequence: number), is: sealed.stamp)
        }
    }

    /// The layout is for ever: stores in the field have it.
    @Test func layout() {
        let sealed = RecordFrame.seal(.state, 0x0102, [0xAA, 0xBB], key: [])
        expect(
            sealed.bytes.dropLast(4), is: [2, 4, 2, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0xAA, 0xBB])
        let crc = CRC32C.masked(CRC32C.checksum([UInt8](sealed.bytes.dropLast(4))))
        expect(sealed.stamp.checksum, is: crc)
        expect(Array(sealed.bytes.suffix(4)), is: withUnsafeBytes(of: crc.littleEndian, Array.init))
    }

    @Test func everyBitFlipOfTheFrameAndOfTheKeyIsFound() {
        let bytes = RecordFrame.seal(.session, 7, payload, key: key).bytes
        for bit in 0..<(bytes.count + key.count) * 8 {
            var damaged = bytes + key
            damaged[bit / 8] ^= 1 << (bit % 8)
            let (frame, other) = (Array(damaged[..<bytes.count]), Array(damaged[bytes.count...]))
            expect(throws: RecordFrame.Problem.damaged) { try open(frame, other) }
        }
    }

    @Test func everyOtherLengthIsFound() {
        let bytes = RecordFrame.seal(.session, 7, payload, key: key).bytes
        for length in 0..<bytes.count {
            expect(throws: RecordFrame.Problem.damaged) { try open(Array(bytes[..<length]), key) }
        }
        for extra in [[0], [0, 0, 0, 0], bytes] as [[UInt8]] {
            expect(throws: RecordFrame.Problem.damaged) { try open(bytes + extra, key) }
        }
    }

    /// Bytes with a sound checksum over whatever they hold.
    func sealed(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var bytes = [UInt8](RecordFrame.seal(.session, 7, payload, key: key).bytes.dropLast(4))
        change(&bytes)
        let crc = CRC32C.masked(CRC32C.checksum(bytes, continuing: CRC32C.checksum(key)))
        return bytes + withUnsafeBytes(of: crc.littleEndian, Array.init)
    }

    @Test func anotherVersionIsNotTakenForDamage() throws {
        expect(throws: Never.self) { try open(sealed { _ in }, key) }
        let newer = sealed { $0[0] = 3 }
        expect(throws: RecordFrame.Problem.otherVersion) { try open(newer, key) }
        let longerHeader = sealed {
            $0.insert(contentsOf: [1, 2, 3], at: 14); $0[0] = 9
        }
        expect(throws: RecordFrame.Problem.otherVersion) { try open(longerHeader, key) }
        var damaged = newer
        damaged[20] ^= 1
        expect(throws: RecordFrame.Problem.damaged) { try open(damaged, key) }
    }

    @Test func aLengthThatDoesNotFitIsDamage() {
        for length: UInt8 in [0, UInt8(payload.count) - 1, UInt8(payload.count) + 1, 255] {
            let bytes = sealed { $0[10] = length }
            expect(throws: RecordFrame.Problem.damaged) { try open(bytes, key) }
        }
    }

    @Test("The same payload under another number or key has another fingerprint")
    func fingerprints() {
        var seen: Set<UInt64> = []
        for sequence in (0..<100).compactMap(StoredNumber.init) {
            for key in [key, Array(key.dropLast())] {
                seen.insert(RecordFrame.seal(.tab, sequence, payload, key: key).stamp.fingerprint)
            }
        }
        expect(seen.count, is: 200)
    }
}
