internal import StorageEngines

/// The checksums of all parts of some bytes, each in the same time whatever its length: so that looking
/// for a record at every place takes no longer where every place names a long one.
struct LevelDBRangeChecksums {
    /// Of the first bytes, by their number.
    private var prefixes: [UInt32] = [0]

    init(_ bytes: UnsafeRawBufferPointer) {
        prefixes.reserveCapacity(bytes.count + 1)
        var crc: UInt32 = 0
        for index in bytes.indices {
            crc = CRC32C.checksum(
                UnsafeRawBufferPointer(rebasing: bytes[index...index]), continuing: crc)
            prefixes.append(crc)
        }
    }

    func checksum(of range: Range<Int>) -> UInt32 {
        // What the bytes before it leave behind it is taken away.
        prefixes[range.upperBound]
            ^ Self.product(prefixes[range.lowerBound], Self.powers[range.count])
    }

    /// How many bytes a part may have: those of a block of a log.
    private static let longest = 32768

    /// What a checksum is multiplied by for so many more bytes, up to a block: x to the power of their bits.
    private static let powers: [UInt32] = {
        var powers: [UInt32] = [1 << 31]
        for _ in 0..<longest {
            powers.append((0..<8).reduce(powers[powers.count - 1]) { power, _ in timesX(power) })
        }
        return powers
    }()

    /// A polynomial, its lowest power in the highest bit, times x, modulo that of CRC-32C.
    private static func timesX(_ polynomial: UInt32) -> UInt32 {
        polynomial & 1 == 1 ? polynomial >> 1 ^ 0x82F6_3B78 : polynomial >> 1
    }

    private static func product(_ left: UInt32, _ right: UInt32) -> UInt32 {
        var (result, rest, power) = (0 as UInt32, left, right)
        while rest != 0 {
            if rest >> 31 == 1 { result ^= power }
            rest <<= 1
            power = timesX(power)
        }
        return result
    }
}
