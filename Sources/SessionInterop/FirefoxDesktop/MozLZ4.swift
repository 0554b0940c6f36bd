import BrowserSessions
import CLZ4

/// The container of `.jsonlz4` files: eight bytes of magic, the unfolded size as a 32-bit
/// little-endian number, and one LZ4 block.
enum MozLZ4 {
    static let magic = Array("mozLz40\0".utf8)

    /// The unfolded bytes, and where the block breaks off if it does.
    ///
    /// Throws `tooLarge` if the size is over the limit, or more than a block of this length can
    /// hold: no byte of LZ4 makes more than 255. Both are known before any memory is taken.
    static func unfold(_ bytes: [UInt8], limit: Int) throws(StorageError) -> (
        bytes: [UInt8], damage: String?
    ) {
        var reader = ByteReader(bytes[...])
        guard let magic = reader.take(magic.count), Array(magic) == Self.magic,
            let size: UInt32 = reader.integer()
        else {
            throw SourceFile.failure(.corrupted, "the header of the compressed file is incomplete")
        }
        guard Int(size) <= limit, bytes.count <= Int(Int32.max) else {
            throw SourceFile.failure(.tooLarge, "the file unfolds to \(size) bytes, over the limit")
        }
        guard Int(size) <= (reader.remaining + 1) * 255 else {
            throw SourceFile.failure(
                .corrupted, "the file claims \(size) bytes, more than its content can hold")
        }
        return unfold(bytes, from: reader.position, size: Int(size))
    }

    /// The file of a text; throws `tooLarge` if the text has 2 GiB or more.
    static func fold(_ text: [UInt8]) throws(StorageError) -> [UInt8] {
        guard let size = Int32(exactly: text.count), LZ4_compressBound(size) > 0 else {
            throw StorageError(
                .tooLarge, "\(text.count) bytes are more than a compressed session file holds",
                operation: "export")
        }
        var file = magic
        withUnsafeBytes(of: UInt32(size).littleEndian) { file.append(contentsOf: $0) }
        let bound = Int(LZ4_compressBound(size))
        return file
            + [UInt8](unsafeUninitializedCapacity: bound) { target, count in
                let written = text.withUnsafeBytes { source in
                    LZ4_compress_default(
                        source.baseAddress?.assumingMemoryBound(to: CChar.self),
                        UnsafeMutableRawPointer(target.baseAddress)?
                            .assumingMemoryBound(to: CChar.self),
                        size, Int32(bound))
                }
                count = Int(max(written, 0))
            }
    }

    private static func unfold(_ bytes: [UInt8], from start: Int, size: Int) -> (
        bytes: [UInt8], damage: String?
    ) {
        var produced = 0
        let result = [UInt8](unsafeUninitializedCapacity: size) { target, count in
            produced = bytes.withUnsafeBytes { source in
                Int(
                    LZ4_decompress_safe(
                        source.baseAddress?.advanced(by: start)
                            .assumingMemoryBound(to: CChar.self),
                        UnsafeMutableRawPointer(target.baseAddress)?
                            .assumingMemoryBound(to: CChar.self),
                        Int32(source.count - start), Int32(size)))
            }
            count = max(produced, 0)
        }
        if produced == size { return (result, nil) }
        if produced >= 0 {
            return (result, "the block unfolds to \(produced) of \(size) bytes")
        }
        return (LZ4Salvage.unfold(bytes[start...], limit: size), "the block is damaged")
    }
}

/// Unfolds a damaged LZ4 block up to the damage, which the system's library does not.
enum LZ4Salvage {
    static func unfold(_ block: ArraySlice<UInt8>, limit: Int) -> [UInt8] {
        var reader = ByteReader(block)
        var output: [UInt8] = []
        while let token: UInt8 = reader.integer() {
            guard let literals = length(token >> 4, &reader) else { break }
            let room = min(literals, limit - output.count, reader.remaining)
            output.append(contentsOf: reader.take(room) ?? [])
            guard room == literals, let offset: UInt16 = reader.integer(),
                offset > 0, Int(offset) <= output.count,
                let match = length(token & 15, &reader)
            else { break }
            for _ in 0..<min(match + 4, limit - output.count) {
                output.append(output[output.count - Int(offset)])
            }
        }
        return output
    }

    private static func length(_ nibble: UInt8, _ reader: inout ByteReader) -> Int? {
        var length = Int(nibble)
        guard nibble == 15 else { return length }
        while let more: UInt8 = reader.integer() {
            length += Int(more)
            if more < 255 { return length }
        }
        return nil
    }
}
