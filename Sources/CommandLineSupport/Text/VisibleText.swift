// Titles, addresses, names, paths, and arguments come from untrusted sources. Some characters
// control a terminal. Others hide, or disguise one text as another. `Console` therefore passes all
// output of a tool through this code.

import BrowserSessions

extension StringProtocol {
    /// The text in one line that is safe to show. Each character that could control a terminal,
    /// hide, or reorder the text appears as its number, `\u{1B}`, as Swift writes it.
    ///
    /// These characters are all controls including line feed and tab, bidirectional formatting,
    /// line separators, invisible characters unless they join or select a form of the character
    /// before them, combining marks without a base, and U+FFFD, which replaces bytes that are not
    /// text. A backslash stays unescaped, so this text is for people; programs use JSON.
    ///
    /// Bytes of a file name that are not text appear as `\xE9`.
    package var visible: String {
        PathText.shown(String(self)).escaped(keepingLines: false) { "\\u{\(hexadecimal($0))}" }
    }

    /// The visible form of a tool's own text of several lines. Line breaks stay.
    package var visibleLines: String {
        PathText.shown(String(self)).escaped(keepingLines: true) { "\\u{\(hexadecimal($0))}" }
    }

    /// The visible form of JSON. Characters are escaped as JSON does it, so the meaning stays.
    package var visibleJSON: String {
        escaped(keepingLines: true) { scalar in
            String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16, uppercase: true)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }
    }

    private func escaped(
        keepingLines keepsLines: Bool, _ escape: (Unicode.Scalar) -> String
    ) -> String {
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return String(self) }
        let scalars = ScalarsInContext(unicodeScalars)
        var result = String.UnicodeScalarView()
        var wasPlain = false
        for (index, scalar) in scalars.all.enumerated() {
            wasPlain = scalars.isPlain(at: index, behindPlain: wasPlain)
            if wasPlain || keepsLines && scalars.endsLine(at: index) {
                result.append(scalar)
            } else {
                result.append(contentsOf: escape(scalar).unicodeScalars)
            }
        }
        return String(result)
    }
}

private func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    String(scalar.value, radix: 16, uppercase: true)
}

/// The scalars of a text, each judged by its neighbors.
private struct ScalarsInContext {
    let all: [Unicode.Scalar]

    init(_ scalars: some Sequence<Unicode.Scalar>) { all = Array(scalars) }

    /// Whether a person sees the scalar as it is.
    ///
    /// - Parameter wasPlain: whether a person sees the scalar before it as it is.
    func isPlain(at index: Int, behindPlain wasPlain: Bool) -> Bool {
        let scalar = all[index]
        if scalar.isASCII { return (0x20..<0x7F).contains(scalar.value) }
        let properties = scalar.properties
        if properties.isNoncharacterCodePoint || scalar == "\u{FFFD}" { return false }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: return false
        case .nonspacingMark, .enclosingMark, .spacingMark:
            guard wasPlain, let before = before(index), !before.isSpace else { return false }
        case .format where Self.visibleFormats.contains(scalar.value): return true
        default: break
        }
        if scalar.isTag { return isInFlag(index) }
        if properties.isJoinControl { return joins(at: index) }
        if properties.isVariationSelector { return selects(at: index) }
        return properties.generalCategory != .format && !properties.isDefaultIgnorableCodePoint
    }

    func endsLine(at index: Int) -> Bool {
        all[index] == "\n" || all[index] == "\r" && after(index) == "\n"
    }

    /// Format characters that are drawn: signs of numbers and verses around the text that follows.
    private static let visibleFormats: Set<UInt32> = [
        0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD,
        0x110CD,
    ]

    private func before(_ index: Int) -> Unicode.Scalar? { index > 0 ? all[index - 1] : nil }

    private func after(_ index: Int) -> Unicode.Scalar? {
        index + 1 < all.count ? all[index + 1] : nil
    }

    /// Whether the scalar stands between two parts of an emoji, or two letters of a joining script.
    private func joins(at index: Int) -> Bool {
        guard let before = before(index), let after = after(index) else { return false }
        let endsEmoji =
            before.isPicture || before == "\u{FE0F}" || before.properties.isEmojiModifier
        if all[index] == "\u{200D}", endsEmoji, after.isPicture { return true }
        return before.isOfJoiningScript && after.isOfJoiningScript
    }

    /// Whether the scalar follows a character with several forms.
    private func selects(at index: Int) -> Bool {
        guard let before = before(index) else { return false }
        switch all[index].value {
        case 0xFE0E, 0xFE0F: return before.properties.isEmoji
        case 0x180B...0x180F: return (0x1820...0x18AA).contains(before.value)
        default: return before.properties.isIdeographic
        }
    }

    /// Whether the scalar is in a region's flag: a black flag, up to six tag letters, and an end tag.
    private func isInFlag(_ index: Int) -> Bool {
        let nearby = max(0, index - 7)..<min(all.count, index + 8)
        guard let start = all[nearby.lowerBound..<index].lastIndex(where: { !$0.isTag }),
            let end = all[index..<nearby.upperBound].firstIndex(of: .endOfTags)
        else { return false }
        let inner = all[start + 1..<end]
        return all[start] == "\u{1F3F4}" && !inner.isEmpty && inner.count <= 6
            && inner.allSatisfy { $0.isTag && $0 != .endOfTags }
    }
}

extension Unicode.Scalar {
    fileprivate static let endOfTags: Unicode.Scalar = "\u{E007F}"

    fileprivate var isTag: Bool { (0xE0020...0xE007F).contains(value) }

    fileprivate var isSpace: Bool { properties.isWhitespace }

    /// Whether the scalar is an emoji. Digits and other ASCII characters do not count.
    fileprivate var isPicture: Bool { !isASCII && properties.isEmoji }

    /// Whether the script joins letters: the scripts from Arabic to those of India and beyond, and Mongolian.
    fileprivate var isOfJoiningScript: Bool {
        (0x600...0x18AF).contains(value) && (properties.isAlphabetic || isMark)
    }

    private var isMark: Bool {
        [.nonspacingMark, .spacingMark].contains(properties.generalCategory)
    }
}
