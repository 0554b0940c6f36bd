/// A place in the bytes of a JSON text. It is apart from the parser, which has much more to carry: what is
/// asked for each byte is asked of little.
struct JSONCursor {
    let bytes: [UInt8]
    var position = 0

    /// The byte at the place; `nil` at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
        while let byte = next, Self.isSpace(byte) { position += 1 }
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Goes to the next quote or backslash, or to the end.
    mutating func skipPlainText() {
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            position += 1
        }
    }

    /// Whether the next byte that is no white space is this one; goes beyond it then.
    mutating func accept(_ byte: UInt8) -> Bool {
        skipSpace()
        guard next == byte else { return false }
        position += 1
        return true
    }
}
