import BrowserSessions
import StorageEngines

/// The bytes of a log or snapshot, with only a piece in memory at a time.
final class LogSource {
    /// Larger than any of our files; what follows was never written.
    private static let maximumBytes = 4 << 30
    private static let pieceBytes = 1 << 20
    /// The distance in bytes between kept checksums of the bytes before.
    private static let blockBytes = 256
    private static let windowBytes = 16 * blockBytes

    let size: Int
    private let file: (any OpenFile)?
    private var piece: [UInt8]
    /// The offset of the piece.
    private var start = 0
    /// A few bytes elsewhere, where a block ends, and their offset.
    private var window: [UInt8] = []
    private var windowStart = 0
    /// Checksums of the bytes before each block, as far as they were needed.
    private var checksums: [UInt32] = [0]
    /// How many bytes were read from the file for checksums.
    private(set) var work = 0

    init(_ file: any OpenFile) throws(StorageError) {
        self.file = file
        size = min(try file.writtenSize(), Self.maximumBytes)
        piece = []
    }

    /// Makes a source of a whole file in memory.
    init(_ bytes: [UInt8]) {
        file = nil
        size = bytes.count
        piece = bytes
    }

    /// Returns the bytes of a range of the file; fewer if the file is shorter.
    func bytes(_ range: Range<Int>) throws(StorageError) -> ArraySlice<UInt8> {
        let range = range.clamped(to: 0..<size)
        try load(range)
        let end = min(range.upperBound, start + piece.count)
        return piece[range.lowerBound - start..<max(range.lowerBound, end) - start]
    }

    /// Returns the next offset from `position` on, before `limit`, at which the number is.
    func find(_ number: UInt32, from position: Int, before limit: Int) throws(StorageError) -> Int?
    {
        var position = position
        let limit = min(limit, size) - 4
        while position <= limit {
            try load(position..<position + 4)
            let end = min(start + piece.count - 4, limit)
            guard end >= position else { return nil }
            let (first, base) = (position, start)
            let found = piece.withUnsafeBytes { bytes in
                (first...end).first {
                    UInt32(
                        littleEndian: bytes.loadUnaligned(
                            fromByteOffset: $0 - base, as: UInt32.self)) == number
                }
            }
            if let found { return found }
            position = end + 1
        }
        return nil
    }

    private func load(_ range: Range<Int>) throws(StorageError) {
        guard let file, range.lowerBound < start || range.upperBound > start + piece.count else {
            return
        }
        piece = try file.read(max(range.count, Self.pieceBytes), at: range.lowerBound)
        start = range.lowerBound
        work += piece.count
    }

    // MARK: Checksums

    func checksum(of bytes: [UInt8], continuing seed: UInt32) -> UInt32 {
        work += bytes.count
        return CRC32C.checksum(bytes, continuing: seed)
    }

    /// Returns the checksum of a range of the file, at the same cost for any length: the whole file
    /// is checksummed once, and then a block at each end.
    func checksum(of range: Range<Int>, continuing seed: UInt32) throws(StorageError) -> UInt32 {
        CRC32C.combined(
            try checksum(before: range.lowerBound) ^ seed,
            with: try checksum(before: range.upperBound), byteCount: range.count)
    }

    private func checksum(before place: Int) throws(StorageError) -> UInt32 {
        let block = place / Self.blockBytes
        while checksums.count <= block { try extendChecksums() }
        let first = block * Self.blockBytes
        return checksum(of: try smallBytes(first..<place), continuing: checksums[block])
    }

    private func extendChecksums() throws(StorageError) {
        let first = (checksums.count - 1) * Self.blockBytes
        var rest = try piece(from: first)
        // The file was cut in the meantime: nothing more can be found.
        if rest.count < Self.blockBytes { rest += [UInt8](repeating: 0, count: Self.blockBytes) }
        var checksum = checksums[checksums.count - 1]
        for start in stride(
            from: rest.startIndex, through: rest.endIndex - Self.blockBytes, by: Self.blockBytes)
        {
            checksum = self.checksum(
                of: [UInt8](rest[start..<start + Self.blockBytes]), continuing: checksum)
            checksums.append(checksum)
        }
    }

    private func piece(from first: Int) throws(StorageError) -> ArraySlice<UInt8> {
        guard let file else { return piece[first...].prefix(Self.pieceBytes) }
        let bytes = try file.read(Self.pieceBytes, at: first)
        work += bytes.count
        return bytes[...]
    }

    /// Returns at most a block; does not move the piece.
    private func smallBytes(_ range: Range<Int>) throws(StorageError) -> [UInt8] {
        if range.isEmpty { return [] }
        if range.lowerBound >= start, range.upperBound <= start + piece.count {
            return [UInt8](piece[range.lowerBound - start..<range.upperBound - start])
        }
        guard let file else { return [] }
        if range.lowerBound < windowStart || range.upperBound > windowStart + window.count {
            window = try file.read(Self.windowBytes, at: range.lowerBound)
            windowStart = range.lowerBound
            work += window.count
        }
        let end = min(range.upperBound - windowStart, window.count)
        return [UInt8](window[range.lowerBound - windowStart..<end])
    }
}
