internal import BrowserSessions
internal import StorageEngines

/// The end of a table, with the locations of its blocks. LevelDB trusts it, and allocates as much
/// memory as it says.
///
///     file     = block* filter metaindex index footer
///     footer   = metaindex index padding magic:u64       48 bytes, places as varints; no checksum
///     index    = a block of the last keys and the places of the blocks
struct LevelDBTableFrame {
    private static let footerSize = 48
    private static let magic: UInt64 = 0xDB47_7524_8B80_FB57

    private let metaindex: LevelDBBlock.Place
    let index: LevelDBBlock.Place
    /// The locations of the blocks, if they were read.
    private(set) var blocks: [LevelDBBlock.Place] = []

    /// Returns `nil` if the last bytes of a file of that size are not the footer of a table. Blocks
    /// have no space between them, so every bit is known.
    private init?(footer: ArraySlice<UInt8>, fileSize: Int) {
        var places = LevelDBCursor(footer)
        var end = LevelDBCursor(footer.suffix(8))
        guard footer.count == Self.footerSize, end.fixed(UInt64.self) == Self.magic,
            let metaindex = LevelDBBlock.Place(&places), let index = LevelDBBlock.Place(&places),
            metaindex.end == index.offset, index.end == fileSize - Self.footerSize
        else { return nil }
        (self.metaindex, self.index) = (metaindex, index)
    }

    init?(of file: [UInt8]) {
        self.init(footer: file.suffix(Self.footerSize), fileSize: file.count)
    }

    /// Throws if the footer, or what it names, is damaged.
    init(checking file: any OpenFile, _ size: Int, _ name: String) throws(StorageError) {
        let footer = try file.read(Self.footerSize, at: max(size - Self.footerSize, 0))
        guard var frame = Self(footer: footer[...], fileSize: size) else {
            throw LevelDBErrors.corrupted("the footer of \(name) is damaged")
        }
        let (start, end) = (frame.metaindex.offset, frame.index.end)
        let bytes = try file.read(end - start, at: start)
        guard bytes.count == end - start, frame.findBlocks(bytes) else {
            throw LevelDBErrors.corrupted("the index of \(name) is damaged")
        }
        self = frame
    }

    /// Reads the locations of the blocks. Returns `false` if they do not follow each other, up to
    /// the filter and the metaindex.
    ///
    /// - Parameter bytes: the file from the metaindex on.
    private mutating func findBlocks(_ bytes: [UInt8]) -> Bool {
        let start = LevelDBBlock.Place(offset: 0, size: metaindex.size)
        var last: LevelDBKey?
        guard let metaindex = LevelDBBlock(start, in: bytes),
            let index = LevelDBBlock(.init(offset: start.end, size: index.size), in: bytes),
            index.isSound(after: &last), let blocks = index.places, let filters = metaindex.places
        else { return false }
        self.blocks = blocks
        var end = 0
        for place in blocks + filters {
            guard place.offset == end, place.size <= LevelDBSnappy.greatestSize else {
                return false
            }
            end = place.end
        }
        return end == self.metaindex.offset
    }
}
