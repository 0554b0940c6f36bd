internal import BrowserSessions

/// Reads a write-ahead log, `sessions.db-wal`, as SQLite does, and beyond the place where SQLite
/// stops.
///
///     file   = magic:u32 version:u32 pageSize:u32 run:u32 salt:u64 checksum:u64 frame*
///     frame  = page:u32 databasePages:u32 salt:u64 checksum:u64 image
///
/// Big-endian. A frame that tells the number of database pages ends a commit. Each checksum
/// continues the one before it, so SQLite takes the first wrong one for the end. Continuing the
/// checksum that *stands* in the frame before tells which frames behind it are sound.
///
/// Behind the last frame there may be frames of an earlier run, and zeros of ``SQLiteLogSpace``.
struct SQLiteLog {
    /// A page in the log.
    struct Frame {
        var page: Int
        /// Where the image begins in the file.
        var offset: Int
        var endsCommit: Bool
        /// Whether it continues the frame before it.
        var isSound: Bool
        /// Whether it is not left over from an earlier run of the log.
        var isCurrent: Bool
    }

    /// What the file begins with; the last bit tells the byte order of the checksums.
    private static let magic: UInt32 = 0x377F_0682
    static let headerSize = 32
    static let frameHeaderSize = 24
    static let frameSize = frameHeaderSize + SQLiteFormat.pageSize

    /// The bytes of a log of so many frames.
    static func size(of frames: Int32) -> Int { headerSize + Int(frames) * frameSize }

    private(set) var frames: [Frame] = []
    /// How many frames SQLite takes: up to the last commit in front of the first break.
    private(set) var committedCount = 0

    init(_ file: borrowing FileDescriptor) throws(StorageError) {
        let header = try file.read(Self.headerSize, at: 0)
        guard header.count == Self.headerSize else { return }
        let sum = SQLiteLogChecksum(isBigEndian: header[3] & 1 == 1)
        var stored = Self.pair(header, 24)
        // Zeros would have the right checksum.
        var isUnbroken =
            Self.number(header, 0) & ~1 == Self.magic
            && sum.continued((0, 0), header[..<24]) == stored
        // With a damaged header, the first frame must tell what belongs together.
        var salt = isUnbroken ? Self.pair(header, 16) : nil
        let size = Self.frameSize
        var offset = Self.headerSize
        while true {
            let bytes = try file.read(size, at: offset)
            guard bytes.count == size else { break }
            let isBlank = bytes[..<Self.frameHeaderSize].allSatisfy { $0 == 0 }
            let before = stored
            stored = Self.pair(bytes, 16)
            let own = Self.pair(bytes, 8)
            if salt == nil, !isBlank { salt = own }
            let expected = salt ?? own
            let isSound =
                !isBlank
                && sum.continued(
                    sum.continued(before, bytes[..<8]), bytes[Self.frameHeaderSize...]) == stored
            isUnbroken = isUnbroken && isSound && own == expected
            // An earlier run has another salt in both halves, a damaged salt only in one.
            let frame = Frame(
                page: Int(Self.number(bytes, 0)), offset: offset + Self.frameHeaderSize,
                endsCommit: Self.number(bytes, 4) != 0, isSound: isSound,
                isCurrent: !isBlank && own == expected
                    || isSound && (own.0 == expected.0 || own.1 == expected.1))
            frames.append(frame)
            if isUnbroken, frame.endsCommit { committedCount = frames.count }
            offset += size
        }
        while frames.last?.isCurrent == false { frames.removeLast() }
    }

    /// Sound frames that SQLite leaves out.
    var stranded: [Frame] {
        frames[committedCount...].filter { $0.isSound && $0.isCurrent }
    }

    private static func number(_ bytes: [UInt8], _ place: Int) -> UInt32 {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func pair(_ bytes: [UInt8], _ place: Int) -> (UInt32, UInt32) {
        (number(bytes, place), number(bytes, place + 4))
    }
}

/// The sum that SQLite protects its log with.
struct SQLiteLogChecksum {
    /// The order of the machine that began the log.
    var isBigEndian: Bool

    func continued(_ sum: (UInt32, UInt32), _ bytes: ArraySlice<UInt8>) -> (UInt32, UInt32) {
        var (first, second) = sum
        bytes.withUnsafeBytes { bytes in
            for place in stride(from: 0, to: bytes.count, by: 8) {
                let low = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                let high = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
                first &+= (isBigEndian ? low.bigEndian : low.littleEndian) &+ second
                second &+= (isBigEndian ? high.bigEndian : high.littleEndian) &+ first
            }
        }
        return (first, second)
    }
}
