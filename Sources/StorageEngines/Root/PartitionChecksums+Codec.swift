import BrowserSessions

/// The content of `regular.checksums`.
extension PartitionChecksums {
    private struct Message: WireRecord {
        var files: [FileMessage] = []

        mutating func visit<V: WireVisitor>(_ visitor: inout V) throws(V.Failure) {
            try visitor.records(1, &files)
        }
    }

    private struct FileMessage: WireRecord {
        var path = ""
        var length = StoredNumber.zero
        /// The checksums of its blocks, four bytes each.
        var blocks: [UInt8] = []

        mutating func visit<V: WireVisitor>(_ visitor: inout V) throws(V.Failure) {
            try visitor.text(1, &path)
            try visitor.stored(2, &length)
            try visitor.bytes(3, &blocks)
        }
    }

    var encoded: [UInt8] {
        let messages = files.map { file in
            var message = FileMessage()
            (message.path, message.length) = (file.path, StoredNumber(file.length) ?? .zero)
            message.blocks = file.blocks.flatMap { block in
                withUnsafeBytes(of: block.littleEndian) { [UInt8]($0) }
            }
            return message
        }
        return Message(files: messages).encodedPayload()
    }

    /// Returns `nil` if the bytes are not checksums.
    init?(encoded: [UInt8]) {
        guard let found = try? encoded.withUnsafeBytes({ try Message(payload: $0).files }) else {
            return nil
        }
        files = found.map { message in
            let blocks = message.blocks.withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count / 4 * 4, by: 4).map {
                    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
                }
            }
            return File(path: message.path, length: message.length.index, blocks: blocks)
        }
        let areWhole = files.allSatisfy {
            $0.blocks.count == ($0.length + Self.blockSize - 1) / Self.blockSize
        }
        guard areWhole else { return nil }
    }
}
