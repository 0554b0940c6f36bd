/// Changes of bytes that a checksum does not notice, because a test computes that again.
public enum HostileBytes {
    /// Numbers at which calculations overflow.
    public static let numbers: [UInt64] = [
        0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0xFFFF_FFFF, 1 << 32, 1 << 40,
        (1 << 48) - 1, (1 << 55) - 1, (1 << 56) - 2, (1 << 56) - 1, 1 << 56, (1 << 57) + 1,
        (1 << 62) - 1, (1 << 63) - 2, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, .max - 1, .max,
    ]

    /// Changes the bytes in one place.
    public static func change(
        _ bytes: inout [UInt8], using generator: inout some RandomNumberGenerator
    ) {
        guard !bytes.isEmpty else { return bytes = [UInt8.random(in: 0...255, using: &generator)] }
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 2: bytes.removeSubrange(place...)
        case 3: bytes.removeSubrange(place..<min(bytes.count, place + 9))
        case 4: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
        case 5: overwrite(&bytes, place, with: varint(number(using: &generator)))
        default:
            let length = [1, 2, 4, 8, 8].randomElement(using: &generator) ?? 8
            let number = number(using: &generator)
            let littleEndian = (0..<length).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            overwrite(
                &bytes, place,
                with: Bool.random(using: &generator) ? littleEndian : littleEndian.reversed())
        }
    }

    private static func number(using generator: inout some RandomNumberGenerator) -> UInt64 {
        numbers.randomElement(using: &generator) ?? 0
    }

    /// Protobuf and LevelDB write numbers so: seven bits in a byte, the lowest first.
    public static func varint(_ number: UInt64) -> [UInt8] {
        var (rest, bytes) = (number, [UInt8]())
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    private static func overwrite(_ bytes: inout [UInt8], _ place: Int, with new: [UInt8]) {
        let end = min(bytes.count, place + new.count)
        bytes.replaceSubrange(place..<end, with: new.prefix(end - place))
    }
}
