/// The bytes with one bit changed.
func flipping(_ bit: Int, of bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    return bytes
}
