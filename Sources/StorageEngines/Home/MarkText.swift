import BrowserSessions

/// What the mark of a side says: `42 3735928559`, the last number being a checksum of the rest.
///
/// Of an engine that does not find damage itself there is a number between them, which is the checksum of the
/// file with the side's checksums.
struct MarkText: Equatable {
    /// Tells the sequence number to whoever may know it.
    var word: String
    /// `nil` if there is no such file.
    var checksums: UInt32?
    private var side: StorageSide

    init(_ side: StorageSide, _ word: String, checksums: UInt32? = nil) {
        self.side = side
        self.word = word
        self.checksums = checksums
    }

    /// `nil` if the bytes are not a mark of this side.
    init?(_ side: StorageSide, bytes: [UInt8]) {
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard let word = parts.first else { return nil }
        self.init(side, String(word), checksums: parts.count == 3 ? UInt32(parts[1]) : nil)
        guard bytes == self.bytes else { return nil }
    }

    var bytes: [UInt8] {
        let text = checksums.map { "\(word) \($0)" } ?? word
        let checksum = CRC32C.checksum([UInt8]("\(side.rawValue) \(text)".utf8))
        return [UInt8]("\(text) \(checksum)\n".utf8)
    }
}
