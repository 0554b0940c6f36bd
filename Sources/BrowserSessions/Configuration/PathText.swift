/// Names and paths of files as text that loses no byte.
///
/// To a system a name is bytes. Those that are UTF-8 stay the text that they are. Each byte of another name, and
/// of a character that Swift takes for equal to others, as U+0301 behind `e` and `é` are, becomes a private
/// character, U+10FE80 to U+10FEFF. So the text leads back to the bytes, and texts of two names are never equal.
///
/// `FileDirectory` of `StorageEngines` takes and gives such texts; what is given to a system call or a C
/// library goes through ``withCString(_:_:)``, and what people read through ``shown(_:)``.
public enum PathText {
    /// The text of a name or path.
    public static func text(_ bytes: some Collection<UInt8>) -> String {
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        var text = String.UnicodeScalarView()
        visit(bytes) { scalar, bytes in
            if let scalar, isDistinct(scalar) {
                text.append(scalar)
            } else {
                text.append(contentsOf: bytes.lazy.map(character))
            }
        }
        return String(text)
    }

    /// The same of a text in C, which ends with a zero.
    public static func text(cString: UnsafePointer<CChar>) -> String {
        var count = 0
        while cString[count] != 0 { count += 1 }
        return text((0..<count).map { UInt8(bitPattern: cString[$0]) })
    }

    /// The bytes of a name or path, without a zero at the end.
    public static func bytes(_ text: String) -> [UInt8] {
        guard mayHaveCharacters(text) else { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar in
            byte(scalar).map { [$0] }
                ?? Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    /// Calls a function of C with the bytes, and a zero behind them.
    public static func withCString<Result>(
        _ text: String, _ body: (UnsafePointer<CChar>) throws -> Result
    ) rethrows -> Result {
        guard mayHaveCharacters(text) else { return try text.withCString(body) }
        let bytes = bytes(text).map(CChar.init(bitPattern:)) + [0]
        return try bytes.withUnsafeBufferPointer { bytes in
            // It has a zero at least.
            guard let start = bytes.baseAddress else { return try "".withCString(body) }
            return try body(start)
        }
    }

    /// Text with names or paths in it for people: what was text is, and other bytes are written as `\xE9`.
    public static func shown(_ text: String) -> String {
        guard mayHaveCharacters(text) else { return text }
        var shown = String.UnicodeScalarView()
        visit(bytes(text)) { scalar, bytes in
            if let scalar { return shown.append(scalar) }
            for byte in bytes {
                shown.append(
                    contentsOf: "\\x\(String(byte, radix: 16, uppercase: true))".unicodeScalars)
            }
        }
        return String(shown)
    }

    /// The names on a path. Characters would not do: to Swift a slash and U+0301 are one that is no slash.
    public static func names(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    /// Whether a path begins at the root.
    public static func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }

    // MARK: -

    /// Calls `body` with each scalar and its bytes, and without one for bytes that are not UTF-8.
    private static func visit(
        _ bytes: some Collection<UInt8>, _ body: (Unicode.Scalar?, ArraySlice<UInt8>) -> Void
    ) {
        let bytes = Array(bytes)
        var (rest, start) = (bytes.makeIterator(), 0)
        var parser = UTF8.ForwardParser()
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let encoded):
                body(UTF8.decode(encoded), bytes[start..<start + encoded.count])
                start += encoded.count
            case .error(let length):
                body(nil, bytes[start..<start + length])
                start += length
            case .emptyInput: return
            }
        }
    }

    /// Whether a scalar is never equal to, or joined with, others: of two different texts of such ones Unicode
    /// says that they are not the same.
    private static func isDistinct(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return true }
        if byte(scalar) != nil { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return false
        default: break
        }
        // Of Korean and of Kirat Rai letters join, too.
        return !scalar.properties.isFullCompositionExclusion
            && !(0x1100...0x11FF).contains(scalar.value)
            && !(0x16D40...0x16D7F).contains(scalar.value)
    }

    private static let firstCharacter: UInt32 = 0x10FE00

    /// The character for a byte that is not ASCII.
    private static func character(_ byte: UInt8) -> Unicode.Scalar {
        Unicode.Scalar(firstCharacter + UInt32(byte)) ?? "\u{FFFD}"
    }

    private static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
        (firstCharacter + 0x80...firstCharacter + 0xFF).contains(scalar.value)
            ? UInt8(truncatingIfNeeded: scalar.value) : nil
    }

    /// `false` for nearly all: such characters begin with this byte.
    private static func mayHaveCharacters(_ text: String) -> Bool { text.utf8.contains(0xF4) }
}
