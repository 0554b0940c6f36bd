// Terminals give each character zero, one, or two cells. East Asian characters and emoji take two.

extension StringProtocol {
    /// The number of terminal cells of the text. A character of several scalars counts once.
    package var cells: Int {
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return utf8.count }
        return reduce(0) { $0 + $1.cells }
    }

    /// Returns the text if it fits; otherwise, its beginning followed by `…`.
    package func cut(toCells limit: Int) -> String {
        if cells <= limit { return String(self) }
        if limit < 1 { return "" }
        var result = ""
        var rest = limit - 1
        for character in self {
            rest -= character.cells
            if rest < 0 { break }
            result.append(character)
        }
        return result + "…"
    }

    /// Returns the text padded with spaces after it, or before it.
    package func padded(toCells width: Int, right: Bool = false) -> String {
        let spaces = String(repeating: " ", count: Swift.max(0, width - cells))
        return right ? spaces + self : self + spaces
    }
}

extension Character {
    /// The number of cells: 0, 1, or 2; more if several letters form one character, as in Devanagari.
    var cells: Int {
        let scalars = unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.count == 1 { return first.cells }
        let isEmoji = scalars.dropFirst().contains {
            $0 == "\u{FE0F}" || $0 == "\u{200D}" || $0.properties.isEmojiModifier || $0.isRegion
        }
        if isEmoji, first.properties.isEmoji { return 2 }
        return scalars.reduce(0) { $0 + $1.cells }
    }
}

extension Unicode.Scalar {
    fileprivate var isRegion: Bool { (0x1F1E6...0x1F1FF).contains(value) }

    fileprivate var cells: Int {
        if isASCII { return (0x20..<0x7F).contains(value) ? 1 : 0 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator,
            .paragraphSeparator:
            return value == 0xAD ? 1 : 0
        default: break
        }
        // Vowels and final consonants of Korean syllables share the cells of the initial consonant.
        if Self.innerHangul.contains(where: { $0.contains(value) }) { return 0 }
        if properties.isEmojiPresentation, !isRegion { return 2 }
        return Self.isWide(value) ? 2 : 1
    }

    private static let innerHangul: [ClosedRange<UInt32>] = [
        0x1160...0x11FF, 0xD7B0...0xD7C6, 0xD7CB...0xD7FB,
    ]

    private static func isWide(_ value: UInt32) -> Bool {
        var (low, high) = (0, wide.count)
        while low < high {
            let middle = (low + high) / 2
            if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < wide.count && wide[low].contains(value)
    }

    /// The code points that Unicode calls wide or fullwidth (UAX #11), except emoji, in ascending
    /// order. Unassigned code points between them count like their neighbors.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E,
        0x3041...0x3247, 0x3250...0x4DBF, 0x4DC0...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18CF2, 0x18CFF...0x18D1E, 0x1AFF0...0x1B2FB, 0x1D300...0x1D356,
        0x1D360...0x1D376, 0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
