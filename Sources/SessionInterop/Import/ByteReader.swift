/// A reader of little-endian values. It never reads past its bytes: a read beyond the end is `nil`.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private(set) var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var remaining: Int { bytes.endIndex - position }

    mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value? {
        let size = Value.bitWidth / 8
        guard remaining >= size else { return nil }
        var value: Value = 0
        for index in (0..<size).reversed() {
            value = value << 8 | Value(truncatingIfNeeded: bytes[position + index])
        }
        position += size
        return value
    }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= remaining else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Skips at most this many bytes.
    mutating func skip(_ count: Int) { position += min(max(count, 0), remaining) }
}
