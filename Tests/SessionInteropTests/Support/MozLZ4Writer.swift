import CLZ4

/// The compressed form of a Firefox session file.
func mozLZ4(_ text: [UInt8], claiming size: UInt32? = nil) -> [UInt8] {
    var block = [CChar](repeating: 0, count: Int(LZ4_compressBound(Int32(text.count))))
    let count = text.withUnsafeBytes { source in
        LZ4_compress_default(
            source.baseAddress?.assumingMemoryBound(to: CChar.self), &block,
            Int32(text.count), Int32(block.count))
    }
    var bytes = Array("mozLz40\0".utf8)
    withUnsafeBytes(of: (size ?? UInt32(text.count)).littleEndian) { bytes.append(contentsOf: $0) }
    return bytes + block.prefix(Int(count)).map { UInt8(bitPattern: $0) }
}
