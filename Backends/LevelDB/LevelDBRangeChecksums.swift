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
        CRC32C.combined(
            prefixes[range.lowerBound], prefixes[range.upperBound], behind: range.count)
    }
}
