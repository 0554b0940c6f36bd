import BrowserSessions
import CLZ4

/// The container of `.jsonlz4` files: eight bytes of magic, the decompressed size as a 32-bit
/// little-endian number, and one LZ4 block.
enum MozLZ4 {
    static let magic = Array("mozLz40\0".utf8)
    private static let headerSize = magic.count + 4

    /// Returns the decompressed bytes, and a description of any damage. If the block is damaged,
    /// the bytes end before the damage.
    ///
    /// A wrong size in the header loses nothing, because the block has its own. Throws `corrupted`
    /// for an incomplete header, and `tooLarge` if the file has more than `maximumBytes` or the
    /// content exceeds the limits, which is known before memory for it is allocated.
    static func unfold(
        _ bytes: [UInt8], limits: ImportLimits, maximumBytes: Int = Int(Int32.max)
    ) throws(StorageError) -> (bytes: [UInt8], damage: String?) {
        var reader = ByteReader(bytes[...])
        guard let magic = reader.take(magic.count), Array(magic) == Self.magic,
            let claimed: UInt32 = reader.integer()
        else {
            throw SourceFile.failure(.corrupted, "the header of the compressed file is incomplete")
        }
        guard bytes.count <= maximumBytes else {
            throw SourceFile.failure(
                .tooLarge, "the compressed file has \(bytes.count) bytes, more than \(maximumBytes)"
            )
        }
        let maximum = limits.maximumSize(unfolding: bytes.count)
        let size = Int(claimed)
        if size <= maximum, size <= Int(Int32.max), let result = whole(bytes, size: size) {
            return (result, nil)
        }
        let block = bytes[headerSize...]
        let (length, isWhole) = LZ4Block.length(of: block)
        guard length <= maximum else {
            throw SourceFile.failure(
                .tooLarge,
                "the file unfolds to \(length) bytes, over the limit of \(maximum)"
                    + " (ImportLimits.maximumUnfolding and maximumFileBytes)")
        }
        if isWhole, length <= Int(Int32.max), let result = whole(bytes, size: length) {
            return (result, "the header says \(size) bytes, the block has \(length)")
        }
        return (
            LZ4Block.beginning(of: block, limit: maximum),
            "the block is damaged; \(length) of \(size) bytes could be unfolded"
        )
    }

    /// Returns the file of a text. Throws `tooLarge` above the limit of LZ4, 2,113,929,216 bytes.
    static func fold(_ text: [UInt8]) throws(StorageError) -> [UInt8] {
        guard let size = Int32(exactly: text.count), LZ4_compressBound(size) > 0 else {
            throw StorageError(
                .tooLarge, "\(text.count) bytes are more than a compressed session file holds",
                operation: "export")
        }
        let bound = Int(LZ4_compressBound(size))
        return magic + UInt32(size).littleEndianBytes
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

    /// Returns the first bytes of the content, from the first bytes of a file.
    static func head(_ bytes: [UInt8], count: Int) -> [UInt8] {
        LZ4Block.beginning(of: bytes.dropFirst(headerSize), limit: count)
    }

    /// Returns the content; `nil` unless the block has exactly this size.
    private static func whole(_ bytes: [UInt8], size: Int) -> [UInt8]? {
        var produced: Int32 = -1
        let result = [UInt8](unsafeUninitializedCapacity: size) { target, count in
            produced = bytes.withUnsafeBytes { source in
                LZ4_decompress_safe(
                    source.baseAddress?.advanced(by: headerSize)
                        .assumingMemoryBound(to: CChar.self),
                    UnsafeMutableRawPointer(target.baseAddress)?
                        .assumingMemoryBound(to: CChar.self),
                    Int32(source.count - headerSize), Int32(size))
            }
            count = max(Int(produced), 0)
        }
        return Int(produced) == size ? result : nil
    }
}

/// A reader of LZ4 blocks that reads up to damage, which the system's library cannot do.
enum LZ4Block {
    /// Literal bytes, followed by a repeated part of the previous output.
    private struct Sequence {
        var literals: ArraySlice<UInt8>
        /// The repeated part; `nil` in the last sequence, and in a damaged one.
        var match: (offset: Int, length: Int)?
        var isLast = false
    }

    /// Returns the number of bytes that can be decompressed, and whether they are all.
    static func length(of block: ArraySlice<UInt8>) -> (length: Int, isWhole: Bool) {
        var reader = ByteReader(block)
        var length = 0
        while let sequence = next(&reader, after: length) {
            length += sequence.literals.count
            guard let match = sequence.match else { return (length, sequence.isLast) }
            length += match.length
        }
        return (length, false)
    }

    /// Returns the bytes before the damage, up to a limit.
    static func beginning(of block: ArraySlice<UInt8>, limit: Int) -> [UInt8] {
        var reader = ByteReader(block)
        var output: [UInt8] = []
        while output.count < limit, let sequence = next(&reader, after: output.count) {
            output += sequence.literals.prefix(limit - output.count)
            guard let match = sequence.match else { break }
            for _ in 0..<min(match.length, limit - output.count) {
                output.append(output[output.count - match.offset])
            }
        }
        return output
    }

    /// Returns the next sequence; `nil` at the end. A damaged one has only its available literals.
    private static func next(_ reader: inout ByteReader, after produced: Int) -> Sequence? {
        guard let token: UInt8 = reader.integer(), let count = length(token >> 4, &reader) else {
            return nil
        }
        let literals = reader.take(min(count, reader.remaining)) ?? []
        guard literals.count == count, reader.remaining > 0 else {
            return Sequence(literals: literals, isLast: literals.count == count)
        }
        guard let offset: UInt16 = reader.integer(), offset > 0,
            Int(offset) <= produced + count, let length = length(token & 15, &reader)
        else { return Sequence(literals: literals) }
        return Sequence(literals: literals, match: (Int(offset), length + 4))
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
