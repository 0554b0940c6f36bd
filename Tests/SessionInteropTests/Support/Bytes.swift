/// Bytes from hexadecimal digits.
func hex(_ digits: String) -> [UInt8] {
    let values = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
}

/// The bytes with one bit changed.
func flipping(_ bit: Int, of bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    return bytes
}
