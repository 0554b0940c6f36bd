internal import BrowserSessions
internal import StorageEngines

/// Reads the entries of a table file, block by block, for salvage.
///
///     file    = block* index footer
///     block   = entry* restart:u32* restarts:u32 compression:u8 crc32c:u32
///     entry   = shared:varint unshared:varint size:varint key value
///     key     = key (sequence:u56 << 8 | type:u8):u64        type: 1 put, 0 removal
///     footer  = metaindex index padding magic:u64            48 bytes, places as varints
struct LevelDBTable {
    struct Entry {
        var key: ArraySlice<UInt8>
        var sequence: UInt64
        /// `nil` for a removal.
        var value: ArraySlice<UInt8>?
    }

    private static let footerSize = 48
    private static let magic: UInt64 = 0xDB47_7524_8B80_FB57
    /// The compression and the checksum behind a block.
    private static let trailerSize = 5

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Visits the entries of all blocks. Returns how many blocks are damaged.
    ///
    /// One damaged byte of a block need not cost all its records, each of which has a checksum of
    /// its own: so the entries of a damaged block are visited as well, and may be wrong.
    func visit(_ body: (Entry) throws -> Void) rethrows -> Int {
        guard let places = indexedPlaces() else {
            for block in consecutiveBlocks() { try visit(block, body) }
            return 1
        }
        var damaged = 0
        for (offset, size) in places {
            if let block = block(at: offset, size) {
                try visit(block, body)
            } else {
                damaged += 1
                if let block = content(at: offset, size) { try visit(block, body) }
            }
        }
        return damaged
    }

    private func visit(_ block: [UInt8], _ body: (Entry) throws -> Void) rethrows {
        try Self.visitPairs(block) { key, value in
            guard key.count >= 8 else { return }
            let tag = key.suffix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
            let entry = Entry(
                key: key.dropLast(8), sequence: tag >> 8, value: tag & 0xFF == 0 ? nil : value)
            try body(entry)
        }
    }

    /// The places of the blocks as the index tells; `nil` if it is damaged.
    private func indexedPlaces() -> [(offset: Int, size: Int)]? {
        var footer = LevelDBCursor(bytes.suffix(Self.footerSize))
        var end = LevelDBCursor(bytes.suffix(8))
        guard bytes.count >= Self.footerSize, end.fixed(UInt64.self) == Self.magic,
            place(&footer) != nil, let (offset, size) = place(&footer),
            let index = block(at: offset, size)
        else { return nil }
        var places: [(Int, Int)] = []
        Self.visitPairs(index) { _, value in
            var cursor = LevelDBCursor(value)
            if let place = place(&cursor) { places.append(place) }
        }
        return places
    }

    private func place(_ cursor: inout LevelDBCursor) -> (offset: Int, size: Int)? {
        guard let offset = cursor.number(), let size = cursor.number(),
            offset <= UInt64(bytes.count), size <= UInt64(bytes.count)
        else { return nil }
        return (Int(offset), Int(size))
    }

    /// The content of the block at a place, if its checksum is right.
    private func block(at offset: Int, _ size: Int) -> [UInt8]? {
        guard offset + size + Self.trailerSize <= bytes.count else { return nil }
        let isSound = bytes.withUnsafeBytes { bytes in
            let content = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + size + 1])
            return Self.stored(bytes, offset + size + 1)
                == CRC32C.masked(CRC32C.checksum(content))
        }
        return isSound ? content(at: offset, size) : nil
    }

    /// The content of the block at a place, whatever its checksum says.
    private func content(at offset: Int, _ size: Int) -> [UInt8]? {
        guard offset + size + Self.trailerSize <= bytes.count else { return nil }
        let content = bytes[offset..<offset + size]
        return bytes[offset + size] == 0 ? [UInt8](content) : LevelDBSnappy.decompress(content)
    }

    /// The blocks from the beginning of the file to the first damaged one. Without an index a
    /// block ends where its checksum turns out right.
    private func consecutiveBlocks() -> [[UInt8]] {
        var blocks: [[UInt8]] = []
        var offset = 0
        var first: (Int, Int)?
        while let size = sizeOfBlock(at: offset) {
            first = first ?? (offset, size)
            if let block = block(at: offset, size) {
                if firstPlace(in: block) ?? (0, 0) == first ?? (0, 0) { break }
                blocks.append(block)
            }
            offset += size + Self.trailerSize
        }
        return blocks
    }

    /// What the first value of a block is as a place: in an index, the place of the first block.
    private func firstPlace(in block: [UInt8]) -> (Int, Int)? {
        var first: (Int, Int)?
        Self.visitPairs(block) { _, value in
            guard first == nil else { return }
            var cursor = LevelDBCursor(value)
            first = place(&cursor).flatMap { cursor.isAtEnd ? $0 : nil } ?? (0, 0)
        }
        return first
    }

    private func sizeOfBlock(at offset: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            var crc: UInt32 = 0
            var done = offset
            for end in offset..<max(bytes.count - 4, offset) where bytes[end] <= 1 {
                let more = UnsafeRawBufferPointer(rebasing: bytes[done...end])
                crc = CRC32C.checksum(more, continuing: crc)
                done = end + 1
                if Self.stored(bytes, end + 1) == CRC32C.masked(crc) { return end - offset }
            }
            return nil
        }
    }

    private static func stored(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// The keys and values of a block; keys leave out what they share with the one before.
    private static func visitPairs(
        _ block: [UInt8], _ body: (ArraySlice<UInt8>, ArraySlice<UInt8>) throws -> Void
    ) rethrows {
        var end = LevelDBCursor(block.suffix(4))
        guard let restarts = end.fixed(UInt32.self),
            block.count >= 4 * (Int(restarts) + 1)
        else { return }
        var cursor = LevelDBCursor(block.dropLast(4 * (Int(restarts) + 1)))
        var key: [UInt8] = []
        while !cursor.isAtEnd {
            guard let shared = cursor.number(), let unshared = cursor.number(),
                let size = cursor.number(), shared <= UInt64(key.count),
                max(unshared, size) <= UInt64(block.count),
                let rest = cursor.take(Int(unshared)), let value = cursor.take(Int(size))
            else { return }
            key.removeSubrange(Int(shared)...)
            key.append(contentsOf: rest)
            try body(key[...], value)
        }
    }
}
