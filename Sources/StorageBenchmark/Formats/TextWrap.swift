/// A namespace for breaking sentences into lines.
enum TextWrap {
    /// Returns lines of at most `width` characters. All lines except the first begin with `hanging`
    /// spaces. Words longer than a line are cut.
    static func lines(_ text: String, width: Int, hanging: Int = 0) -> [String] {
        let indent = String(repeating: " ", count: hanging)
        var lines: [String] = []
        var line = ""
        var isFresh = true
        for word in text.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace) {
            var rest = word
            if !isFresh, line.count + 1 + rest.count > width {
                lines.append(line.trimmingEnd())
                line = indent
                isFresh = true
            }
            if !isFresh { line += " " }
            while line.count + rest.count > width {
                let columnsLeft = width - line.count
                lines.append(line + rest.prefix(columnsLeft))
                rest = rest.dropFirst(columnsLeft)
                line = indent
            }
            line += rest
            isFresh = false
        }
        return lines + [line.trimmingEnd()]
    }
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    func shortened(to width: Int) -> String {
        count <= width ? self : prefix(max(width - 1, 0)) + "…"
    }

    func trimmingEnd() -> String {
        String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
    }
}
