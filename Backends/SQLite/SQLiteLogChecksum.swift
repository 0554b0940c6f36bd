/// The checksum that protects SQLite's log.
struct SQLiteLogChecksum {
    /// The byte order of the machine that began the log.
    var isBigEndian: Bool

    func continued(_ sum: (UInt32, UInt32), _ bytes: ArraySlice<UInt8>) -> (UInt32, UInt32) {
        var (first, second) = sum
        bytes.withUnsafeBytes { bytes in
            for place in stride(from: 0, to: bytes.count, by: 8) {
                let low = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                let high = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
                first &+= (isBigEndian ? low.bigEndian : low.littleEndian) &+ second
                second &+= (isBigEndian ? high.bigEndian : high.littleEndian) &+ first
            }
        }
        return (first, second)
    }
}
