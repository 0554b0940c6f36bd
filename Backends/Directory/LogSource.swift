import BrowserSessions
import StorageEngines

/// The bytes of a log or snapshot, of which only a piece is in memory at a time.
final class LogSource {
    /// More bytes than a file of ours has: what is behind them is nothing that was written.
    private static let maximumBytes = 4 << 30
    private static let pieceBytes = 1 << 20

    let size: Int
    private let file: (any OpenFile)?
    private var piece: [UInt8]
    /// Where the piece begins.
    private var start = 0

    init(_ file: any OpenFile) throws(StorageError) {
        self.file = file
        size = min(try file.writtenSize(), Self.maximumBytes)
        piece = []
    }

    /// A file that is in memory as a whole.
    init(_ bytes: [UInt8]) {
        file = nil
        size = bytes.count
        piece = bytes
    }

    /// The bytes of a range of the file; fewer if it is shorter.
    func bytes(_ range: Range<Int>) throws(StorageError) -> ArraySlice<UInt8> {
        let range = range.clamped(to: 0..<size)
        try load(range)
        let end = min(range.upperBound, start + piece.count)
        return piece[range.lowerBound - start..<max(range.lowerBound, end) - start]
    }

    /// The next place from `position` on where the number is, before `limit`.
    func find(_ number: UInt32, from position: Int, before limit: Int) throws(StorageError) -> Int?
    {
        var position = position
        let limit = min(limit, size) - 4
        while position <= limit {
            try load(position..<min(position + Self.pieceBytes, limit + 4))
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
    }
}
