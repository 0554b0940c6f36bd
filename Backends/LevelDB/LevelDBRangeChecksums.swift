internal import StorageEngines

/// Checksums of any range of some bytes, each in the same time whatever its length. So searching
/// for a record at every offset takes no longer when every offset claims a long one.
struct LevelDBRangeChecksums {
    /// Checksums of the first bytes, by their number.
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
        CRC32C.combined(
            prefixes[range.lowerBound], with: prefixes[range.upperBound], byteCount: range.count)
    }
}
