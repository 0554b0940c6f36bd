import CPlatform

/// The CRC-32C (Castagnoli) checksum, with the processor's instruction where there is one.
public enum CRC32C {
    /// Returns the checksum of the bytes; pass the result as `crc` to continue with more bytes.
    public static func checksum(_ bytes: UnsafeRawBufferPointer, continuing crc: UInt32 = 0)
        -> UInt32
    {
        platform_crc32c(crc, bytes.baseAddress, bytes.count)
    }

    /// Returns the checksum of an array.
    public static func checksum(_ bytes: [UInt8], continuing crc: UInt32 = 0) -> UInt32 {
        bytes.withUnsafeBytes { checksum($0, continuing: crc) }
    }

    /// Returns the checksum of two pieces of bytes together, from the checksum of each.
    ///
    /// - Parameter first: the checksum of the first piece.
    /// - Parameter second: the checksum of the second piece.
    /// - Parameter count: the length of the second piece, in bytes.
    public static func combined(
        _ first: UInt32, with second: UInt32, byteCount count: Int
    ) -> UInt32 {
        var (shifted, rest, power) = (first, count, 0)
        while rest > 0 {
            if rest & 1 == 1 { shifted = product(shifted, powers[power]) }
            rest >>= 1
            power += 1
        }
        return shifted ^ second
    }

    /// The factors that 1, 2, 4, 8 ... more bytes apply to a checksum.
    private static let powers: [UInt32] = {
        var powers: [UInt32] = [1 << 23]
        for index in 1..<Int.bitWidth {
            powers.append(product(powers[index - 1], powers[index - 1]))
        }
        return powers
    }()

    /// Returns the product of polynomials, with the highest coefficient in the lowest bit, modulo
    /// that of the checksum.
    private static func product(_ left: UInt32, _ right: UInt32) -> UInt32 {
        var (product, left, right): (UInt32, UInt32, UInt32) = (0, left, right)
        while left != 0 {
            if left >> 31 == 1 { product ^= right }
            left <<= 1
            right = right & 1 == 1 ? right >> 1 ^ 0x82F6_3B78 : right >> 1
        }
        return product
    }

    /// Returns the checksum of an array in portable code; equal to
    /// ``checksum(_:continuing:)-([UInt8],_)``.
    static func portableChecksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { platform_crc32c_portable(0, $0.baseAddress, $0.count) }
    }

    /// Returns the position of a single changed byte that explains a different checksum, and its
    /// changed bits; `nil` if more than one byte changed.
    ///
    /// - Parameter count: the number of bytes.
    static func changedByte(among count: Int, from noted: UInt32, to found: UInt32)
        -> (place: Int, bits: UInt8)?
    {
        // The difference of two checksums comes from the changed bits alone. Going back over the
        // bytes behind them leaves only those bits.
        var rest = noted ^ found
        for place in (0..<count).reversed() {
            for _ in 0..<8 { rest = rest >> 31 == 1 ? (rest ^ 0x82F6_3B78) << 1 | 1 : rest << 1 }
            if let bits = UInt8(exactly: rest) { return (place, bits) }
        }
        return nil
    }

    /// Returns a checksum as it is stored: rotated and offset, so that a run of zeros does not
    /// validate and a checksum of data that contains checksums stays strong.
    public static func masked(_ crc: UInt32) -> UInt32 {
        (crc >> 15 | crc << 17) &+ 0xA282_EAD8
    }
}
