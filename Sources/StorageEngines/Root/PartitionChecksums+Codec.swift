import BrowserSessions

/// The content of `regular.checksums`.
extension PartitionChecksums: WireRecord {
    init() {}

    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.records(1, &files)
    }

    var encoded: [UInt8] { encodedPayload() }

    /// Returns `nil` if the bytes are not checksums.
    init?(encoded: [UInt8]) {
        guard let found = try? encoded.withUnsafeBytes({ try Self(payload: $0) }) else {
            return nil
        }
        let areWhole = found.files.allSatisfy {
            $0.blocks.count == ($0.length + Self.blockSize - 1) / Self.blockSize
        }
        guard areWhole else { return nil }
        self = found
    }
}

extension PartitionChecksums.File: WireRecord {
    init() { self.init(path: "", length: 0) }

    /// The checksums of the blocks are four bytes each.
    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.text(1, &path)
        var stored = StoredNumber(length) ?? .zero
        try visitor.stored(2, &stored)
        length = stored.index
        var bytes = blocks.flatMap { block in
            withUnsafeBytes(of: block.littleEndian) { [UInt8]($0) }
        }
        try visitor.bytes(3, &bytes)
        blocks = bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count / 4 * 4, by: 4).map {
                UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
            }
        }
    }
}
