/// Names and paths of files as text that preserves every byte.
///
/// To the system, a name is bytes. UTF-8 stays as it is. Bytes of other names become private
/// characters, U+10FE80 to U+10FEFF. So do the bytes of characters that Swift may treat as equal to
/// others, such as U+0301 after `e` and `é`. The text therefore converts back to the same bytes,
/// and two names never have equal texts.
///
/// `FileDirectory` of `StorageEngines` takes and returns such texts. Use ``withCString(_:_:)`` to
/// pass them to a system call or a C library.
public enum PathText {
    /// Returns the text of a name or path.
    package static func text(_ bytes: [UInt8]) -> String {
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

    /// Returns the text of a C string, which ends with a zero.
    package static func text(cString: UnsafePointer<CChar>) -> String {
        var count = 0
        while cString[count] != 0 { count += 1 }
        return text((0..<count).map { UInt8(bitPattern: cString[$0]) })
    }

    /// Returns the bytes of a name or path, without a zero at the end.
    public static func bytes(_ text: String) -> [UInt8] {
        guard mayHaveCharacters(text) else { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar in
            byte(scalar).map { [$0] }
                ?? Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    /// Calls a C function with the bytes, followed by a zero.
    public static func withCString<Result>(
        _ text: String, _ body: (UnsafePointer<CChar>) throws -> Result
    ) rethrows -> Result {
        guard mayHaveCharacters(text) else { return try text.withCString(body) }
        let bytes = bytes(text).map(CChar.init(bitPattern:)) + [0]
        return try bytes.withUnsafeBufferPointer { bytes in
            // The array is never empty: it has at least a zero.
            guard let start = bytes.baseAddress else { return try "".withCString(body) }
            return try body(start)
        }
    }

    /// Returns text with names or paths for people. Bytes that are not UTF-8 become `\xE9`.
    package static func shown(_ text: String) -> String {
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

    /// Returns the names on a path. Splits bytes, because Swift combines a slash and U+0301 into
    /// one character that is not a slash.
    package static func names(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    /// Returns whether a path begins at the root.
    package static func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }

    // MARK: -

    /// Calls `body` with each scalar and its bytes, or only the bytes if they are not UTF-8.
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

    /// Returns whether a scalar is never equal to others or combined with them. Unicode never
    /// treats two different texts of such scalars as equal.
    private static func isDistinct(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return true }
        if byte(scalar) != nil { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return false
        default: break
        }
        // Korean and Kirat Rai letters also combine.
        return !scalar.properties.isFullCompositionExclusion
            && !(0x1100...0x11FF).contains(scalar.value)
            && !(0x16D40...0x16D7F).contains(scalar.value)
    }

    private static let firstCharacter: UInt32 = 0x10FE00

    /// Returns the character for a byte that is not ASCII.
    private static func character(_ byte: UInt8) -> Unicode.Scalar {
        Unicode.Scalar(firstCharacter + UInt32(byte)) ?? "\u{FFFD}"
    }

    private static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
        (firstCharacter + 0x80...firstCharacter + 0xFF).contains(scalar.value)
            ? UInt8(truncatingIfNeeded: scalar.value) : nil
    }

    /// Returns whether the text has the byte with which such characters begin. Few texts do.
    private static func mayHaveCharacters(_ text: String) -> Bool { text.utf8.contains(0xF4) }
}
