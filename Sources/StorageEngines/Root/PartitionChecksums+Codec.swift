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
        guard let found = try? encoded.withUnsafeBytes({ try Self(payload: $0) }),
            found.files.allSatisfy({
                $0.checksums.count == ($0.length + Self.blockSize - 1) / Self.blockSize * 4
            })
        else { return nil }
        self = found
    }
}

extension PartitionChecksums.File: WireRecord {
    init() { self.init(path: "", length: 0) }

    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.text(1, &path)
        var stored = StoredNumber(length) ?? .zero
        try visitor.stored(2, &stored)
        length = stored.index
        try visitor.bytes(3, &checksums)
    }
}
