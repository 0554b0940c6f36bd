import BrowserSessions

/// The content of `regular.checksums`: a field 1 for each file, with its path (1), its length (2)
/// and the checksums of its blocks, four bytes each (3).
extension PartitionChecksums {
    var encoded: [UInt8] {
        var writer = WireWriter()
        for file in files {
            writer.message(1) { writer in
                writer.string(1, file.path)
                writer.fixed64(2, Int64(file.length))
                writer.bytes(
                    3,
                    file.blocks.flatMap { block in
                        withUnsafeBytes(of: block.littleEndian) { [UInt8]($0) }
                    })
            }
        }
        return writer.bytes
    }

    /// Returns `nil` if the bytes are not checksums.
    init?(encoded: [UInt8]) {
        guard let found = try? encoded.withUnsafeBytes(Self.files) else { return nil }
        files = found
    }

    private static func files(in bytes: UnsafeRawBufferPointer) throws(WireError) -> [File] {
        var files: [File] = []
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            if field.number == 1, field.type == .lengthDelimited {
                files.append(try File(try reader.span()))
            } else {
                _ = try reader.skip(field)
            }
        }
        return files
    }
}

extension PartitionChecksums.File {
    fileprivate init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        self.init(path: "", length: 0)
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .lengthDelimited): path = try reader.string()
            case (2, .fixed64):
                guard let number = StoredNumber(try reader.fixed64()) else {
                    throw WireError(problem: "no file is as long")
                }
                length = number.index
            case (3, .lengthDelimited):
                let span = try reader.span()
                blocks = stride(from: 0, to: span.count / 4 * 4, by: 4).map {
                    UInt32(littleEndian: span.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
                }
            default: _ = try reader.skip(field)
            }
        }
        let count = (length + PartitionChecksums.blockSize - 1) / PartitionChecksums.blockSize
        guard blocks.count == count else { throw WireError(problem: "blocks are missing") }
    }
}
