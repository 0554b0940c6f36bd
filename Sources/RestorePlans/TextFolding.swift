/// Turns text into bytes in which case, accents and the width of letters make no difference.
///
/// It is made for searches: text in ASCII is compared as it is, without a copy, and the rest is folded
/// letter by letter. It needs no tables of the system, and depends on no language.
enum TextFolding {
    /// Returns the folded text in UTF-8.
    static func folded(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars { append(scalar, to: &bytes) }
        return bytes
    }

    /// Folds text for the time of a call.
    static func withFolded(_ text: String, _ use: (FoldedText) -> Void) {
        let isDone = text.utf8.withContiguousStorageIfAvailable { bytes in
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return false }
            use(FoldedText(bytes, isASCII: true))
            return true
        }
        if isDone == true { return }
        folded(text).withUnsafeBufferPointer { use(FoldedText($0, isASCII: false)) }
    }

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        if scalar.isASCII {
            let byte = UInt8(scalar.value)
            bytes.append(byte &- 65 < 26 ? byte | 32 : byte)
            return
        }
        switch scalar.value {
        case 0x3041...0x30FF, 0xFF66...0xFFDC: appendLetter(scalar, to: &bytes)
        // Ideographs have one form.
        case 0x3100...0x9FFF: appendAsIs(scalar, to: &bytes)
        case 0xAC00...0xD7A3: appendHangul(scalar, to: &bytes)
        // The wide forms of ASCII.
        case 0xFF01...0xFF5E:
            if let narrow = Unicode.Scalar(scalar.value - 0xFEE0) { append(narrow, to: &bytes) }
        case 0x3000: bytes.append(UInt8(ascii: " "))
        default: appendSmall(scalar, to: &bytes)
        }
    }

    private static func appendSmall(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        guard scalar.properties.changesWhenLowercased else {
            return appendLetter(scalar, to: &bytes)
        }
        for small in scalar.properties.lowercaseMapping.unicodeScalars {
            appendLetter(small, to: &bytes)
        }
    }

    private static func appendLetter(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        if let plain = FoldingTable.plain(scalar) {
            bytes += plain
        } else if !isMark(scalar) {
            appendAsIs(scalar, to: &bytes)
        }
    }

    private static func appendAsIs(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
    }

    /// Whether a character is only an accent, a vowel point or a voice mark, or is not seen.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0xFF9E, 0xFF9F: true
        default:
            switch scalar.properties.canonicalCombiningClass.rawValue {
            case 8, 10...36, 200...240: true
            default: false
            }
        }
    }

    /// Appends the letters of a syllable, so that the beginning of one is found.
    private static func appendHangul(_ syllable: Unicode.Scalar, to bytes: inout [UInt8]) {
        let index = syllable.value - 0xAC00
        let letters = [
            0x1100 + index / 588, 0x1161 + index % 588 / 28,
            index % 28 == 0 ? nil : 0x11A7 + index % 28,
        ]
        for letter in letters.compactMap({ $0.flatMap(Unicode.Scalar.init) }) {
            appendAsIs(letter, to: &bytes)
        }
    }
}
