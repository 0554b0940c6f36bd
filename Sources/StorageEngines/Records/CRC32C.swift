import CPlatform

/// The CRC-32C (Castagnoli) checksum, with the processor's instruction where there is one.
public enum CRC32C {
    /// The checksum of the bytes; pass the result back as `crc` to continue with more bytes.
    public static func checksum(_ bytes: UnsafeRawBufferPointer, continuing crc: UInt32 = 0)
        -> UInt32
    {
        platform_crc32c(crc, bytes.baseAddress, bytes.count)
    }

    /// The checksum of an array.
    public static func checksum(_ bytes: [UInt8], continuing crc: UInt32 = 0) -> UInt32 {
        bytes.withUnsafeBytes { checksum($0, continuing: crc) }
    }

    /// The checksum of an array in portable code; equal to ``checksum(_:continuing:)-([UInt8],_)``.
    static func portableChecksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { platform_crc32c_portable(0, $0.baseAddress, $0.count) }
    }

    /// A checksum as it is stored: rotated and offset, so that a run of zeros does not validate and
    /// a checksum of data that holds checksums stays strong.
    public static func masked(_ crc: UInt32) -> UInt32 {
        (crc >> 15 | crc << 17) &+ 0xA282_EAD8
    }
}
