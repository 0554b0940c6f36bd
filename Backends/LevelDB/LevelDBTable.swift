internal import BrowserSessions
internal import StorageEngines

/// Reads the entries of a table file, block by block, for salvage.
///
///     file = (block compression:u8 crc32c:u32)* footer
struct LevelDBTable {
    struct Entry {
        var key: ArraySlice<UInt8>
        var sequence: UInt64
        /// `nil` for a removal.
        var value: ArraySlice<UInt8>?
    }

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Visits the entries of all blocks. Returns how many blocks are damaged.
    ///
    /// One damaged byte of a block need not cost all its records, because each has a checksum of
    /// its own. So the entries of a damaged block are visited too, and may be wrong.
    func visit(_ body: (Entry) throws -> Void) rethrows -> Int {
        guard let places = indexedPlaces() else {
            for block in consecutiveBlocks() { _ = try visit(block, body) }
            return 1
        }
        var damaged = 0
        var end = 0
        for place in places {
            // Each byte is read once, however often an index names it.
            guard place.offset >= end, place.end <= bytes.count else {
                damaged += 1
                continue
            }
            end = place.end
            let sound = LevelDBBlock(place, in: bytes)
            let block = sound ?? LevelDBBlock(place, in: bytes, isTrusted: true)
            let isWhole = try block.map { try visit($0, body) } ?? false
            if sound == nil || !isWhole { damaged += 1 }
        }
        return damaged
    }

    private func visit(_ block: LevelDBBlock, _ body: (Entry) throws -> Void) rethrows -> Bool {
        try block.visit { key, value in
            // A type other than a removal counts as a value; the value's checksum shows whether it
            // is wrong.
            guard key.count >= 8 else { return }
            let tag = key.suffix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
            let entry = Entry(
                key: key.dropLast(8), sequence: tag >> 8, value: tag & 0xFF == 0 ? nil : value)
            try body(entry)
        }
    }

    /// The locations of the blocks in the index; `nil` if it is damaged.
    private func indexedPlaces() -> [LevelDBBlock.Place]? {
        LevelDBTableFrame(of: bytes).flatMap { LevelDBBlock($0.index, in: bytes)?.places }
    }

    /// Returns the blocks from the beginning of the file to the first damaged one. Without an
    /// index, a block ends where its checksum is correct.
    private func consecutiveBlocks() -> [LevelDBBlock] {
        var blocks: [LevelDBBlock] = []
        var first: LevelDBBlock.Place?
        var offset = 0
        while let place = place(at: offset) {
            first = first ?? place
            if let block = LevelDBBlock(place, in: bytes) {
                if firstPlace(in: block) == first { break }
                blocks.append(block)
            }
            offset = place.end
        }
        return blocks
    }

    /// Returns the first value of a block as a location: in an index, the location of the first
    /// block.
    private func firstPlace(in block: LevelDBBlock) -> LevelDBBlock.Place? {
        var values = 0
        var first: LevelDBBlock.Place?
        _ = block.visit { _, value in
            values += 1
            guard values == 1 else { return }
            var cursor = LevelDBCursor(value)
            first = LevelDBBlock.Place(&cursor).flatMap { cursor.isAtEnd ? $0 : nil }
        }
        return first
    }

    func place(at offset: Int) -> LevelDBBlock.Place? {
        bytes.withUnsafeBytes { bytes in
            var crc: UInt32 = 0
            var done = offset
            for end in offset..<max(bytes.count - 4, offset) where bytes[end] <= 1 {
                let more = UnsafeRawBufferPointer(rebasing: bytes[done...end])
                crc = CRC32C.checksum(more, continuing: crc)
                done = end + 1
                if LevelDBBlock.stored(bytes, end + 1) == CRC32C.masked(crc) {
                    return .init(offset: offset, size: end - offset)
                }
            }
            return nil
        }
    }
}
