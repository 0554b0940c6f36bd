// Titles, addresses, names, paths and arguments come from anywhere. A terminal obeys some of their
// characters, and others hide, or show a text as another one. So whatever a tool says passes through here:
// `Console` sees to it.

import BrowserSessions

extension StringProtocol {
    /// The text in one line, as it can be shown to people: each character that could drive a terminal,
    /// hide, or turn the order of what is shown is its number, `\u{1B}`, as Swift writes it.
    ///
    /// These are all controls, the line feed and the tab too, what directs the order of writing, separators
    /// of lines, invisible characters but where they join or select a form of what stands before them, marks
    /// that have nothing to stand on, and U+FFFD, which stands for what was no text. A backslash stays one,
    /// so this is for eyes; programs take JSON.
    ///
    /// Bytes of a file's name that are no text are shown as `\xE9`.
    package var visible: String {
        PathText.shown(String(self)).escaped(keepingLines: false) { "\\u{\(hexadecimal($0))}" }
    }

    /// The same for a text of several lines of a tool's own: their ends stay.
    package var visibleLines: String {
        PathText.shown(String(self)).escaped(keepingLines: true) { "\\u{\(hexadecimal($0))}" }
    }

    /// The same for JSON, which means what it meant: the characters are escaped as JSON does it.
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

/// The scalars of a text, each judged by what stands around it.
private struct ScalarsInContext {
    let all: [Unicode.Scalar]

    init(_ scalars: some Sequence<Unicode.Scalar>) { all = Array(scalars) }

    /// Whether a person sees what is there.
    ///
    /// - Parameter wasPlain: whether that is so of the one before.
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

    /// Formats that are drawn: signs of numbers and verses, above or around what follows.
    private static let visibleFormats: Set<UInt32> = [
        0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD,
        0x110CD,
    ]

    private func before(_ index: Int) -> Unicode.Scalar? { index > 0 ? all[index - 1] : nil }

    private func after(_ index: Int) -> Unicode.Scalar? {
        index + 1 < all.count ? all[index + 1] : nil
    }

    /// Between two parts of an emoji, or between letters of a script that joins them.
    private func joins(at index: Int) -> Bool {
        guard let before = before(index), let after = after(index) else { return false }
        let endsEmoji =
            before.isPicture || before == "\u{FE0F}" || before.properties.isEmojiModifier
        if all[index] == "\u{200D}", endsEmoji, after.isPicture { return true }
        return before.isOfJoiningScript && after.isOfJoiningScript
    }

    /// Behind what has several forms.
    private func selects(at index: Int) -> Bool {
        guard let before = before(index) else { return false }
        switch all[index].value {
        case 0xFE0E, 0xFE0F: return before.properties.isEmoji
        case 0x180B...0x180F: return (0x1820...0x18AA).contains(before.value)
        default: return before.properties.isIdeographic
        }
    }

    /// A flag of a region is a black flag, up to six letters that are tags, and an end.
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

    /// An emoji that is not a digit or the like.
    fileprivate var isPicture: Bool { !isASCII && properties.isEmoji }

    /// Of a script that has joined letters: from Arabic to those of India and beyond, and Mongolian.
    fileprivate var isOfJoiningScript: Bool {
        (0x600...0x18AF).contains(value) && (properties.isAlphabetic || isMark)
    }

    private var isMark: Bool {
        [.nonspacingMark, .spacingMark].contains(properties.generalCategory)
    }
}
