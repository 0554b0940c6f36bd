/// A position in the bytes of a JSON text. It is separate from the parser, which is much larger, so
/// that the work for each byte needs only a small value.
struct JSONCursor {
    let bytes: [UInt8]
    var position = 0

    /// The byte at the position; `nil` at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
        while let byte = next, Self.isSpace(byte) { position += 1 }
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Moves to the next quote or backslash, or to the end.
    mutating func skipPlainText() {
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            position += 1
        }
    }

    /// Returns whether the next byte after white space is this one, and if so, moves past it.
    mutating func accept(_ byte: UInt8) -> Bool {
        skipSpace()
        guard next == byte else { return false }
        position += 1
        return true
    }
}
